/** The commands for users and keys, with two services on the same data. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { copyFirstData, startTestService, type TestService } from '../harness/start-test-service.js'
import type { ProcessResult } from '../start-up/program.js'
import { requestToken, tokenFor } from '../start-up/token.js'
import { runInSeries } from './command-series.js'
import { expectSuccess, jsonOf, keyOf, objectOf } from './command-output.js'

/** Milliseconds within which a change of roles is applied on every node (docs/behaviour/access.md#revocation). */
const limit = 5000

const noPerson = {
  email: null,
  email_confirmed: false,
  email_set_by: null,
  language: null,
  disabled: false,
}

describe('admin user', function () {
  this.timeout(60_000)
  let DATA_DIR = ''
  let services: readonly TestService[] = []
  const admin = (...args: readonly string[]): Promise<ProcessResult> => runInSeries({ DATA_DIR }, ...args)
  const onInstance = (number: number) => ['--instance', String(number)]
  before(async () => {
    DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-users-'))
    await copyFirstData(DATA_DIR)
    services = [await startTestService({ DATA_DIR }), await startTestService({ DATA_DIR })]
    await services[0]?.useCases.administerInstances.create({ title: 'Two', timezone: 'UTC' })()
  })
  after(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await rm(DATA_DIR, { recursive: true, force: true })
  })

  it('creates a user with roles and keys, and removes a role in every service within five seconds', async () => {
    const created = objectOf(await admin('user', 'create', '--name', 'website', '--json'))
    const user = String(created['user'])
    expect(created).to.deep.equal({ user, name: 'website', operator: false, roles: [], ...noPerson })
    for (const [number, role] of [
      [2, 'editor'],
      [1, 'reader'],
    ] as const)
      expectSuccess(
        await admin('user', 'grant', user, ...onInstance(number), '--role', role),
        /“website” has these/,
      )
    const keys = [
      keyOf(await admin('key', 'create', '--user', user, '--json')),
      keyOf(await admin('key', 'create', '--user', user, '--json')),
    ]
    const roles = [
      { instance: 1, roles: ['reader'] },
      { instance: 2, roles: ['editor'] },
    ]
    const row = {
      user,
      name: 'website',
      operator: false,
      roles,
      ...noPerson,
      api_keys: keys.map((key) => key.api_key),
    }
    expect(jsonOf(await admin('user', 'list', '--json'))).to.deep.include(row)
    expectSuccess(await admin('user', 'list'), new RegExp(`^${user} +website +1: reader; 2: editor +`, 'm'))
    const listed = jsonOf(await admin('key', 'list', '--json'))
    const own = (Array.isArray(listed) ? listed : []).filter(
      (each: Readonly<Record<string, unknown>>) => each['user'] === user,
    )
    expect(own).to.have.length(2)
    for (const each of own) expect(each).to.deep.include({ user, name: 'website', roles, revoked: null })

    for (const { url } of services)
      for (const key of keys) {
        const { body } = await requestToken(url, key)
        expect(body['items']).to.deep.equal([
          { id: 1, roles: ['reader'], url: `${url}/1` },
          { id: 2, roles: ['editor'], url: `${url}/2` },
        ])
      }

    const [key] = keys
    if (key === undefined) throw new Error('no key')
    const apis = await Promise.all(
      services.map(async ({ url }) => createApi(`${url}/2`, await tokenFor(url, key))),
    )
    for (const api of apis) expect((await api.get('/content')).status).to.equal(200)
    const revoke = ['user', 'revoke-role', user, ...onInstance(2)]
    const response = objectOf(await admin(...revoke, '--role', 'editor', '--json'))
    expect(response['roles']).to.deep.equal([{ instance: 1, roles: ['reader'] }])
    services.forEach(({ clock }) => clock.advance(limit))
    for (const api of apis) expect((await api.get('/content')).status).to.equal(403)
    expectSuccess(await admin(...revoke), /“website” has these roles: 1: reader\./)
    expectSuccess(await admin('user', 'revoke-role', user, ...onInstance(1)), /“website” has no role\./)
    expect((await requestToken(services[0]?.url ?? '', key)).status).to.equal(401)
  })
})
