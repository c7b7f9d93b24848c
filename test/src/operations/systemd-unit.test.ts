/** The systemd unit in docs/operations fits the configuration, the endpoints and the programs of the service. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { configurationTable, exitCodes } from '@publishing-service/composition-root'
import { endpoints } from '@publishing-service/http-contract'
import { root } from '../documentation/documents.js'
import { additionText, settingsOf, unitText, variablesIn } from './systemd-unit.js'

const withoutFile = (name: string): string => name.replace(/_FILE$/, '')

describe('docs/operations/publishing-service@.service', () => {
  it('sets known variables, and secrets as credentials only', () => {
    const { NODE_ENV: _node, ...own } = variablesIn(unitText)
    const all = Object.entries({ ...own, ...variablesIn(additionText) })
    expect(all.map(([name]) => name)).to.deep.equal(['PORT', 'DATA_DIR', 'STORE', 'POSTGRESQL_URL_FILE'])
    const credentials = settingsOf(additionText, 'LoadCredential').map((each) => each.split(':')[0])
    for (const [name, value] of all) {
      expect(configurationTable, name).to.have.property(withoutFile(name))
      const { secret = false } = { ...configurationTable[withoutFile(name) as 'POSTGRESQL_URL'] }
      expect(secret, name).to.equal(name.endsWith('_FILE'))
      if (secret) expect(credentials.map((each) => `%d/${each}`)).to.include(value)
    }
  })

  it('starts the program of the service, and waits until it is ready', () => {
    const [, script = ''] = /^\/usr\/bin\/node (\S+)$/.exec(settingsOf(unitText, 'ExecStart')[0] ?? '') ?? []
    expect(existsSync(join(root, script)), script).to.equal(true)
    const [, path] = /127\.0\.0\.1:%i(\/[\w/]+)/.exec(settingsOf(unitText, 'ExecStartPost')[0] ?? '') ?? []
    expect(path).to.equal('/health/ready')
    expect(endpoints.map((endpoint) => endpoint.path)).to.include(path)
  })

  it('waits for the whole stop, and does not start again with a wrong configuration', () => {
    const [timeout] = settingsOf(unitText, 'TimeoutStopSec')
    expect(Number(timeout)).to.be.at.least(Number(configurationTable.SHUTDOWN_DELAY.fallback) + 10)
    expect(settingsOf(unitText, 'RestartPreventExitStatus')).to.deep.equal([`${exitCodes.configuration}`])
  })

  it('lets the service write only where its data is', () => {
    expect(settingsOf(unitText, 'ProtectSystem')).to.deep.equal(['strict'])
    const [folder] = settingsOf(unitText, 'StateDirectory')
    expect(variablesIn(unitText)['DATA_DIR']).to.equal(`%S/${folder}`)
    expect(settingsOf(unitText, 'ReadWritePaths')).to.deep.equal([])
  })
})
