import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { recordingLog } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import { showSecret } from './first-key.js'
import { readConfiguration } from './read-configuration.js'

const key = { api_key: 'a-key', api_secret: 'a-secret-that-was-made-up' }

describe('the secret of the first key, without a terminal', () => {
  let directory = ''
  let path = ''
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'publishing-first-key-'))
    path = join(directory, 'first-key.env')
  })
  afterEach(() => rm(directory, { recursive: true }))

  const show = async (environment: Readonly<Record<string, string>> = {}, isTerminal = false) => {
    const configuration = readConfiguration({ DATA_DIR: directory, ...environment }, () => '')
    if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
    const log = recordingLog('debug')
    const shown = await showSecret(key, configuration.right, log, isTerminal)
    return { shown, logged: log.entries().map(({ level, event }) => [level, event]) }
  }

  it('replaces a file of an earlier start, whatever its permissions were', async () => {
    await writeFile(path, 'API_KEY=old\n')
    await chmod(path, 0o644)
    const { logged } = await show()
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect(await readFile(path, 'utf8')).to.equal(`API_KEY=${key.api_key}\nAPI_SECRET=${key.api_secret}\n`)
    expect(logged).to.deep.equal([['warn', 'first key written']])
  })

  it('is lost if the file is not writable, and the message explains what to do', async () => {
    await mkdir(path)
    const { shown, logged } = await show()
    expect(shown.words).to.equal('lost')
    expect(shown.inShell).to.equal(null)
    expect(shown.note.join('\n')).to.match(
      /the secret could not be written to \S+first-key\.env: .*\nCreate another key: .* key create /,
    )
    expect(logged).to.deep.equal([['error', 'first key not written']])
  })

  it('is written to no file if it was configured, or is printed', async () => {
    const { shown } = await show({ BOOTSTRAP_API_SECRET: key.api_secret })
    expect(shown.words).to.equal('as set in BOOTSTRAP_API_SECRET')
    expect((await show({}, true)).shown.words).to.equal(key.api_secret)
    expect(await readdir(directory)).to.deep.equal([])
  })
})
