import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import { controlledClock, recordingLog, type LogEntry } from '@publishing-service/adapter-memory'
import { pinoLog, scryptSecrets, sha256Checksum, systemIds } from '@publishing-service/adapter-system'
import { E, type Role } from '@publishing-service/domain'
import {
  provide,
  providing,
  readConfiguration,
  startService,
  tokens,
  type Configuration,
  type Modules,
  type Service,
  type Token,
} from '@publishing-service/composition-root'
import type { Log, LogLevel, Secrets } from '@publishing-service/ports'
import { startServers, type Servers } from '../../servers/dist/index.js'

type Environment = Readonly<Record<string, string>>

type Combination = { readonly name: string; readonly environment: Environment }

const embedded: readonly Combination[] = [
  { name: 'sqlite × filesystem', environment: { STORE: 'sqlite', BLOBS: 'filesystem' } },
]

const onServers: readonly Combination[] = [
  { name: 'mongodb × minio', environment: { STORE: 'mongodb', BLOBS: 'minio' } },
]

/** The stores that whole-service tests run on; those that need servers where TEST_STORES says so. */
export const combinations: readonly Combination[] =
  process.env['TEST_STORES'] === 'servers' ? onServers : embedded

let servers: Promise<Servers> | null = null

/** Where the stores are, for those that have a server: a database and a bucket that no other service uses. */
export const placesFor = async ({ STORE, BLOBS }: Environment): Promise<Environment> => {
  if (STORE !== 'mongodb' && BLOBS !== 'minio') return {}
  // One pair serves all tests of a process, and ends with it.
  servers ??= startServers()
  const { mongodb, minio } = await servers
  return {
    MONGODB_URL: mongodb.url(`service-${randomUUID()}`),
    MINIO_URL: minio.url(),
    MINIO_ACCESS_KEY: minio.accessKey,
    MINIO_SECRET_KEY: minio.secretKey,
    MINIO_BUCKET: `service-${randomUUID()}`,
  }
}

export type TestService = Service & {
  /** The clock that the service reads. */
  readonly clock: ReturnType<typeof controlledClock>
  /** An access token of a new API user with this role on an instance, by default the sample’s. */
  readonly tokenFor: (role: Role, instance?: number) => Promise<string>
  /** What was logged at level error until now: defects, and parts out of reach. */
  readonly errorsLogged: () => readonly LogEntry[]
  /** What was logged until now, at the level that the test asked for. */
  readonly logged: () => readonly LogEntry[]
  readonly dataDirectory: string
}

/** Parts of the service that a test brings along. */
export type TestParts = Partial<Modules> & {
  readonly secrets?: Secrets
  /** The least level that `logged` gives; error unless told. */
  readonly recorded?: LogLevel
  readonly adoptBlobs?: boolean
}

/** A module that binds a part which the test holds itself. */
export const given = <T>(name: Token<T>, part: T): ContainerModule => providing(name, [], () => part)

/** Rates are unlimited unless a test limits them: tests send more requests in a minute than a client does. */
export const configurationOf = (environment: Environment): Configuration => {
  const result = readConfiguration({ RATE_LIMIT: 'off', ...environment }, () => '')
  if (E.isLeft(result)) throw new Error(result.left.join('\n'))
  return result.right
}

/** Cheap hashes: the tests of the secrets adapter look at its real cost. */
const quickSecrets = () => scryptSecrets({ cost: { cost: 1024, blockSize: 8, parallelization: 1 } })

const loggingTwice = (one: Log, other: Log): Log => ({
  write: (level, event, fields) => {
    one.write(level, event, fields)
    other.write(level, event, fields)
  },
  enabled: (level) => one.enabled(level) || other.enabled(level),
  close: async () => {
    await one.close()
    await other.close()
  },
})

const testSystem = (clock: ReturnType<typeof controlledClock>, secrets: Secrets, record: Log) =>
  new ContainerModule((options) => {
    const bind = provide(options)
    bind(tokens.clock, [], () => clock)
    bind(tokens.ids, [], () => systemIds)
    bind(tokens.secrets, [], () => secrets)
    bind(tokens.checksum, [], () => sha256Checksum)
    bind(
      tokens.log,
      [tokens.configuration],
      ({ LOG_LEVEL }) => loggingTwice(pinoLog({ level: LOG_LEVEL }), record),
      (log) => log.close(),
    )
  })

/** A service on a free port, on stores of its own, with a clock that tests turn. */
export const startTestService = async (
  environment: Environment = {},
  { secrets = quickSecrets(), recorded = 'error', adoptBlobs = false, ...modules }: TestParts = {},
): Promise<TestService> => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'publishing-'))
  const clock = controlledClock(Date.parse('2026-03-01T12:00:00Z'))
  const configuration = configurationOf({
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'error',
    ...(await placesFor(environment)),
    ...environment,
  })
  const record = recordingLog(recorded)
  const all = { system: testSystem(clock, secrets, record), ...modules }
  const service = await startService(configuration, all, { adoptBlobs })
  const tokenFor = async (role: Role, instance = 1): Promise<string> => {
    const key = await service.useCases.administerKeys.create({ instance, role })()
    if (E.isLeft(key)) throw new Error(JSON.stringify(key.left))
    const { api_key: apiKey, api_secret: apiSecret } = key.right
    const response = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', api_key: apiKey, api_secret: apiSecret }),
    })
    const { access_token: token } = (await response.json()) as { readonly access_token: string }
    return token
  }
  return {
    ...service,
    clock,
    tokenFor,
    errorsLogged: () => record.entries().filter(({ level }) => level === 'error'),
    logged: record.entries,
    dataDirectory,
    stop: async () => {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
