/** `npm run deploy`: a folder with what a service needs, and nothing else. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { runNode, type Environment } from '../start-up/program.js'

const maxBytes = 60_000_000

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, path) => sum + statSync(join(folder, path)).size,
    0,
  )

describe('a deployed folder', function () {
  this.timeout(240_000)
  let parent: string
  let folder: string
  const deploy = (): void => {
    execFileSync(process.execPath, [join(root, 'packages/composition-root/bin/deploy.js'), folder])
  }
  const bundle = (name = ''): string => join(folder, 'packages/composition-root/dist/bundle', name)
  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'deployed-'))
    folder = join(parent, 'service')
    deploy()
  })
  after(() => rmSync(parent, { recursive: true, force: true }))

  /** Starts the service of the folder, and returns its address. */
  const start = async (own: Environment) => {
    const program = runNode([join(folder, 'packages/composition-root/bin/start.js')], {
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(parent, 'data'),
      BOOTSTRAP_API_KEY: 'deployed',
      BOOTSTRAP_API_SECRET: 'a-secret-of-a-deployed-service',
      ...own,
    })
    const [, url = ''] = await program.printed(/listens on (http:\S+)\n/)
    return { ...program, url }
  }
  const signIn = (url: string): Promise<Response> =>
    fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        api_key: 'deployed',
        api_secret: 'a-secret-of-a-deployed-service',
      }),
    })

  it('is small', () => {
    expect(bytesIn(folder)).to.be.greaterThan(10_000_000).and.lessThanOrEqual(maxBytes)
  })

  it('serves the sample, the dashboard and the reference, and has the commands', async () => {
    const { url, signal, ended } = await start({})
    expect((await signIn(url)).status).to.equal(200)
    for (const path of ['/dashboard', '/docs', '/openapi.json', '/health/ready'])
      expect((await fetch(`${url}${path}`)).status, path).to.equal(200)
    const command = join(folder, 'packages/cli/bin/admin.js')
    const listed = await runNode([command, 'key', 'list', '--json'], { DATA_DIR: join(parent, 'data') }).ended
    expect(listed.out).to.include('deployed')
    signal('SIGINT')
    expect(await ended).to.include({ code: 0, error: '' })
  })

  it('loads stores of other packages', async () => {
    const store = join(folder, 'node_modules/journal-store')
    for (const name of ['package.json', 'dist'])
      cpSync(join(root, 'docs/examples/journal-store', name), join(store, name), { recursive: true })
    const { url, signal, ended } = await start({
      STORE: 'package:journal-store',
      JOURNAL_FILE: join(parent, 'documents.jsonl'),
      DATA_DIR: join(parent, 'other'),
    })
    expect((await signIn(url)).status).to.equal(200)
    signal('SIGINT')
    expect(await ended).to.include({ code: 0, error: '' })
  })

  it('keeps the parts of the version before, and removes older ones', () => {
    const list = JSON.parse(readFileSync(bundle('files.json'), 'utf8'))
    writeFileSync(bundle('older.cjs'), '')
    writeFileSync(bundle('before.cjs'), '')
    writeFileSync(bundle('files.json'), JSON.stringify({ ...list, parts: [...list.parts, 'before.cjs'] }))
    deploy()
    expect(existsSync(bundle('older.cjs'))).to.equal(false)
    expect(existsSync(bundle('before.cjs'))).to.equal(true)
    deploy()
    expect(existsSync(bundle('before.cjs'))).to.equal(false)
    expect(existsSync(bundle('start.cjs'))).to.equal(true)
  })
})
