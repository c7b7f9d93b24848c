/** `admin doctor` on whole and on broken deployments. */
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createEncryptedServer } from 'node:https'
import { createServer as createConnections, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Database } from '@publishing-service/adapter-sqlite/better-sqlite3'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { SMTPServer } from 'smtp-server'
import { selfSigned } from '../harness/self-signed.js'
import { startIdentityProvider } from '../harness/identity-provider.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { compiledModule, runAdmin, runNode, type Environment } from '../start-up/program.js'
import { makeData, makeDataOfLaterVersion } from '../start-up/unusable-data.js'
import { expectSuccess } from './command-output.js'
import { runInSeries } from './command-series.js'

type Report = {
  readonly code: number | null
  readonly out: string
  /** The states of a check, in their order. */
  readonly states: (check: string) => readonly string[]
  /** What a check has found, and what is to be done. */
  readonly words: (check: string) => string
}

type Run = (environment: Environment, ...args: readonly string[]) => ReturnType<typeof runAdmin>

const examine = async (
  environment: Environment,
  { run = runInSeries, args = [] }: { readonly run?: Run; readonly args?: readonly string[] } = {},
): Promise<Report> => {
  const { code, out, error } = await run(environment, 'doctor', '--json', ...args)
  expect(error).to.equal('')
  const value: unknown = JSON.parse(out)
  const rows =
    isJsonObject(value) && Array.isArray(value['checks']) ? value['checks'].filter(isJsonObject) : []
  const of = (check: string): readonly JsonObject[] => rows.filter((row) => row['check'] === check)
  return {
    code,
    out,
    states: (check) => of(check).map(({ state }) => String(state)),
    words: (check) =>
      of(check)
        .map(({ found, advice }) => `${String(found)}; ${String(advice)}`)
        .join('\n'),
  }
}

const portOf = (server: { readonly address: () => AddressInfo | string | null }): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A port at which nothing listens. */
const closedPort = async (): Promise<number> => {
  const server = createConnections().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

describe('admin doctor', function () {
  this.timeout(60_000)

  let directory = ''
  const ends: (() => unknown)[] = []
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'publishing-doctor-'))
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  after(() => rm(directory, { recursive: true, force: true }))

  /** The port of a service of which nothing runs. */
  const PORT = '1'

  const dataIn = async (name: string): Promise<string> => {
    const DATA_DIR = join(directory, name)
    await makeData(DATA_DIR)
    return DATA_DIR
  }

  it('creates nothing where no service has started yet', async () => {
    const DATA_DIR = join(directory, 'new')
    const { code, states } = await examine({ DATA_DIR, PORT })
    expect(code).to.equal(0)
    expect(['data folder', 'document store', 'blob store', 'readiness'].flatMap(states)).to.deep.equal(
      Array.from({ length: 4 }, () => 'skipped'),
    )
    expect(await readdir(directory)).to.not.include('new')
  })

  it('reports every wrong variable, examines the rest, and shows no secret', async () => {
    const DATA_DIR = await dataIn('wrong-variables')
    const { code, out, states, words } = await examine({
      DATA_DIR,
      PORT,
      LOG_LEVEL: 'loud',
      TRUST_PROXI: 'true',
      SMTP_URL: 'smtp://user:hidden-word@[',
      BACKUP_TO: 'https://',
      BACKUP_EVERY: '1',
    })
    expect(code).to.equal(1)
    expect(states('configuration')).to.deep.equal(Array.from({ length: 4 }, () => 'fault'))
    for (const name of ['LOG_LEVEL', 'TRUST_PROXI', 'SMTP_URL', 'BACKUP_TO'])
      expect(words('configuration')).to.contain(name)
    expect(out).to.not.contain('hidden-word')
    expect([states('mail'), states('backups')]).to.deep.equal([['skipped'], ['skipped']])
    expect([states('readiness'), states('blob store')]).to.deep.equal([['fine'], ['fine']])
  })

  it('prints one line for each finding, and the number of faults', async () => {
    const DATA_DIR = await dataIn('printed')
    await chmod(DATA_DIR, 0o755)
    const { code, out } = await runInSeries({ DATA_DIR, PORT }, 'doctor')
    expect(code).to.equal(0)
    expect(out).to.match(/^WARNING +data folder +\S+ has the mode 755.*chmod 700 \S+$/m)
    expect(out).to.match(/^0 faults, \d+ warnings?\.$/m)
  })

  it('leaves the data as they are', async () => {
    const DATA_DIR = await dataIn('unchanged')
    const filesIn = async (): Promise<readonly string[]> =>
      (await readdir(DATA_DIR, { recursive: true })).filter((name) => !/-(wal|shm)$/.test(name)).toSorted()
    await examine({ DATA_DIR, PORT })
    const earlier = await filesIn()
    const { states } = await examine({ DATA_DIR, PORT })
    expect(states('blob store')).to.deep.equal(['fine'])
    expect(await filesIn()).to.deep.equal(earlier)
    expect(earlier.some((name) => name.includes('doctor'))).to.equal(false)
  })

  it('does not migrate tables of an earlier version, and rejects those of a later one', async () => {
    const DATA_DIR = await dataIn('outdated')
    const file = join(DATA_DIR, 'documents.sqlite')
    const database = new Database(file)
    database.exec(`UPDATE publishing_layouts SET indexes = '{}' WHERE name = 'content'`)
    database.close()
    const content = await readFile(file)
    const { code, states } = await examine({ DATA_DIR, PORT })
    expect([code, states('document store'), states('readiness')]).to.deep.equal([0, ['warning'], ['skipped']])
    expect((await readFile(file)).equals(content)).to.equal(true)

    const later = join(directory, 'later')
    await makeDataOfLaterVersion(later)
    const rejected = await examine({ DATA_DIR: later, PORT })
    expect([rejected.code, rejected.states('document store')]).to.deep.equal([1, ['fault']])
    expect(rejected.words('document store')).to.match(/later version.*DATA_DIR/)
  })

  it('reports a folder that cannot be written', async () => {
    const DATA_DIR = await dataIn('unwritable')
    await chmod(DATA_DIR, 0o555)
    ends.push(() => chmod(DATA_DIR, 0o700))
    const program = compiledModule('cli', 'admin.js')
    // Root may write everywhere, so the process changes its user after the program is loaded.
    const script = `import(${JSON.stringify(pathToFileURL(program).href)}).then(({ admin }) => {
      if (process.getuid() === 0) process.setuid(65_534)
      return admin()
    })`
    const run: Run = (environment, ...args) =>
      runNode(['-e', script, '--', program, ...args], environment).ended
    await chmod(directory, 0o711)
    const { code, states, words } = await examine({ DATA_DIR, PORT, LOG_LEVEL: 'error' }, { run })
    expect([code, states('data folder')]).to.deep.equal([1, ['fault']])
    expect(words('data folder')).to.match(/may not write there/)
  })

  it('reports files of secrets that others may read or replace, and secrets that were left', async () => {
    const DATA_DIR = await dataIn('secrets')
    const [open, writable] = [join(directory, 'open'), join(directory, 'writable')]
    await writeFile(open, 'AKIA0000')
    await writeFile(writable, 'hidden-word')
    await chmod(open, 0o644)
    await chmod(writable, 0o666)
    await writeFile(join(DATA_DIR, 'first-key.env'), 'API_SECRET=hidden-word')
    const files = { BACKUP_ACCESS_KEY_FILE: open, BACKUP_SECRET_KEY_FILE: writable }
    const { code, out, states, words } = await examine({ DATA_DIR, PORT, ...files })
    expect([code, states('secrets')]).to.deep.equal([1, ['warning', 'fault', 'warning']])
    expect(words('secrets')).to.contain('BACKUP_SECRET_KEY_FILE').and.to.contain('first-key.env')
    expect(out).to.not.contain('hidden-word')
  })

  it('reports a mail server, a provider and a public address that do not answer', async () => {
    const DATA_DIR = await dataIn('unreachable')
    const port = await closedPort()
    const { code, states } = await examine({
      DATA_DIR,
      PORT,
      BASE_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'cms@example.org',
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'cms',
      OIDC_CLIENT_SECRET: 'secret',
    })
    expect(code).to.equal(1)
    expect(['mail', 'identity provider', 'public address'].flatMap(states)).to.deep.equal([
      'fault',
      'fault',
      'fault',
    ])
  })

  it('logs in to the mail server, and sends only where it is told to', async () => {
    const DATA_DIR = await dataIn('mail')
    const received: string[] = []
    const logins: string[] = []
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) => {
        logins.push(`${username}:${password}`)
        done(password === 'right' ? null : new Error('no'), { user: username })
      },
      onData: (stream, { envelope }, done) => {
        received.push(...envelope.rcptTo.map(({ address }) => address))
        stream.resume().on('end', () => done())
      },
    })
    ends.push(() => server.close(() => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const environment = (password: string): Environment => ({
      DATA_DIR,
      PORT,
      BASE_URL: 'http://localhost:1',
      MAIL_FROM: 'cms@example.org',
      SMTP_URL: `smtp://user:${password}@127.0.0.1:${portOf(server.server)}`,
    })
    expect((await examine(environment('right'))).states('mail')).to.deep.equal(['fine'])
    expect([logins, received]).to.deep.equal([['user:right'], []])
    const wrong = await examine(environment('wrong-word'))
    expect(wrong.states('mail')).to.deep.equal(['fault'])
    expect(wrong.out).to.not.contain('wrong-word')
    const args = ['--mail-to', 'ada@example.org']
    expect((await examine(environment('right'), { args })).states('mail')).to.deep.equal(['fine'])
    expect(received).to.deep.equal(['ada@example.org'])
    const without = await examine({ DATA_DIR, PORT }, { args })
    expect(without.states('mail')).to.deep.equal(['fault'])
  })

  it('reads the metadata of the identity provider, and rejects those of another issuer', async () => {
    const DATA_DIR = await dataIn('provider')
    const provider = await startIdentityProvider('http://localhost:1', {})
    ends.push(() => provider.stop())
    const environment = { DATA_DIR, PORT, BASE_URL: 'http://localhost:1', ...provider.environment }
    expect((await examine(environment)).states('identity provider')).to.deep.equal(['fine'])
    const other = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(
        JSON.stringify({ issuer: 'https://other.example.org', jwks_uri: 'https://other.example.org/keys' }),
      )
    }).listen(0, '127.0.0.1')
    ends.push(() => other.close())
    await once(other, 'listening')
    const OIDC_ISSUER = `http://127.0.0.1:${portOf(other)}`
    const rejected = await examine({ ...environment, OIDC_ISSUER })
    expect(rejected.states('identity provider')).to.deep.equal(['fault'])
    expect(rejected.words('identity provider')).to.contain('issuer')
  })

  it('finds the newest backup, its age and its damages, and makes no place for them', async () => {
    const DATA_DIR = await dataIn('backed-up')
    expect((await examine({ DATA_DIR, PORT })).states('backups')).to.deep.equal(['warning'])
    const BACKUP_TO = join(directory, 'backups')
    const environment = { DATA_DIR, PORT, BACKUP_TO, BACKUP_EVERY: '24' }
    expect((await examine(environment)).states('backups')).to.deep.equal(['fault'])
    expect(await readdir(directory)).to.not.include('backups')
    expectSuccess(await runInSeries(environment, 'instance', 'create', '--title', 'T', '--timezone', 'UTC'))
    expect((await runInSeries(environment, 'backup', 'create')).code).to.equal(0)
    expect((await examine(environment)).states('backups')).to.deep.equal(['fine'])
    const names = await readdir(BACKUP_TO, { recursive: true })
    for (const name of names) {
      const path = join(BACKUP_TO, name)
      if (name.endsWith('list@')) await writeFile(path, '{}')
    }
    const damaged = await examine(environment)
    expect(damaged.states('backups'), names.join('\n')).to.deep.equal(['fault'])
  })

  describe('next to a service behind a proxy', () => {
    type Change = (headers: IncomingHttpHeaders) => IncomingHttpHeaders

    let service: TestService
    let proxy: Server
    let environment: Environment = {}
    let target = 0
    let change: Change = (headers) => headers

    /** What a proxy does that is set up as docs/run-in-production.md says. */
    const complete: Change = (headers) => ({
      ...headers,
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': headers.host ?? '',
    })
    const dropping =
      (...names: readonly string[]): Change =>
      (headers) =>
        Object.fromEntries(Object.entries(complete(headers)).filter(([name]) => !names.includes(name)))

    before(async () => {
      proxy = createServer((incoming, outgoing) => {
        const headers = change(incoming.headers)
        const { url, method } = incoming
        const passed = request({ port: target, host: '127.0.0.1', path: url, method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(outgoing)
        })
        passed.on('error', () => outgoing.destroy())
        incoming.pipe(passed)
      }).listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const DATA_DIR = join(directory, 'served')
      await mkdir(DATA_DIR)
      const common = { DATA_DIR, BASE_URL: `http://127.0.0.1:${portOf(proxy)}`, TRUST_PROXY: 'true' }
      service = await startTestService(common)
      target = Number(new URL(service.url).port)
      environment = { ...common, PORT: String(target) }
    })
    after(async () => {
      proxy.close()
      await service.stop()
    })

    const examined = async (next: Change, further: Environment = {}): Promise<Report> => {
      change = next
      return examine({ ...environment, ...further })
    }

    it('finds nothing wrong with headers that are set', async () => {
      const { states } = await examined(complete)
      expect([...states('public address'), ...states('service'), ...states('jobs')]).to.deep.equal([
        'fine',
        'fine',
        'fine',
      ])
    })

    it('reports headers that the proxy drops, and names them', async () => {
      const all = await examined(dropping('x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'))
      expect([all.code, all.states('public address')]).to.deep.equal([1, ['fault']])
      const one = await examined(dropping('x-forwarded-proto'))
      expect(one.states('public address')).to.deep.equal(['fault'])
      expect(one.words('public address')).to.match(/without X-Forwarded-Proto;/)
    })

    it('reports that the proxy lets a header of a client through', async () => {
      const { states, words } = await examined((headers) => ({
        ...complete(headers),
        ...('x-forwarded-host' in headers ? { 'x-forwarded-host': headers['x-forwarded-host'] } : {}),
      }))
      expect(states('public address')).to.deep.equal(['fault'])
      expect(words('public address')).to.contain('X-Forwarded-Host')
    })

    it('warns of a proxy that is not trusted', async () => {
      const { code, states } = await examined(complete, { TRUST_PROXY: 'false' })
      expect([code, states('public address')]).to.deep.equal([0, ['warning']])
    })

    it('warns where BASE_URL is missing behind a proxy, and where it redirects', async () => {
      const { BASE_URL: address = '', ...rest } = environment
      expect((await examine(rest)).states('public address')).to.deep.equal(['warning'])
      const redirecting = createServer((incoming, outgoing) => {
        outgoing.writeHead(301, { Location: `${address}${incoming.url}` }).end()
      }).listen(0, '127.0.0.1')
      ends.push(() => redirecting.close())
      await once(redirecting, 'listening')
      change = complete
      const BASE_URL = `http://127.0.0.1:${portOf(redirecting)}`
      const { words } = await examine({ ...rest, BASE_URL })
      expect(words('public address')).to.contain(`${BASE_URL} redirects to ${address}`)
    })

    it('reports what answers in its place', async () => {
      const other = createServer((_request, response) => response.end('welcome')).listen(0, '127.0.0.1')
      ends.push(() => other.close())
      await once(other, 'listening')
      const port = portOf(other)
      const BASE_URL = `http://127.0.0.1:${port}`
      const { states } = await examine({ ...environment, BASE_URL, PORT: String(port) })
      expect([...states('public address'), ...states('service')]).to.deep.equal(['fault', 'fault'])
    })

    it('reads until when the certificate is valid, and reports one that is not', async () => {
      const serve = async (days: number): Promise<Environment> => {
        const certificate = selfSigned(Date.now() + days * 86_400_000)
        const server = createEncryptedServer(certificate, (_request, response) => {
          response.setHeader('Content-Type', 'application/json')
          response.end(JSON.stringify({ status: 'live' }))
        }).listen(0, '127.0.0.1')
        ends.push(() => server.close())
        await once(server, 'listening')
        const file = join(directory, `certificate-${days}.pem`)
        await writeFile(file, certificate.cert)
        return { BASE_URL: `https://127.0.0.1:${portOf(server)}`, NODE_EXTRA_CA_CERTS: file }
      }
      const [soon, later, past] = await Promise.all(
        [10, 90, -10].map(async (days) =>
          examine({ ...environment, ...(await serve(days)) }, { run: runAdmin }),
        ),
      )
      expect(soon?.states('public address')).to.deep.equal(['warning'])
      expect(soon?.words('public address')).to.match(/certificate is valid for (?:9|10) more days/)
      expect(later?.states('public address')).to.deep.equal(['fine'])
      expect(past?.states('public address')).to.deep.equal(['fault'])
      const { NODE_EXTRA_CA_CERTS: _, ...unknown } = await serve(91)
      expect((await examine({ ...environment, ...unknown })).states('public address')).to.deep.equal([
        'fault',
      ])
    })
  })
})
