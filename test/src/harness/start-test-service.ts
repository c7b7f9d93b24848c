import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import { controlledClock, recordingLog, type LogEntry } from '@publishing-service/adapter-memory'
import { pinoLog, scryptSecrets, sha256Checksum, systemIds } from '@publishing-service/adapter-system'
import type { Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  readConfiguration,
  startService,
  tokens,
  type Configuration,
  type Modules,
  type Service,
} from '@publishing-service/composition-root'
import type { IssuedKey, KeyOwner } from '@publishing-service/application'
import type { Log, LogLevel, Secrets } from '@publishing-service/ports'
import {
  startMinio,
  startMongodb,
  startPostgresql,
  type MinioServer,
  type MongodbServer,
  type PostgresqlServer,
} from '../../servers/dist/index.js'

type Environment = Readonly<Record<string, string>>

type Combination = { readonly name: string; readonly environment: Environment }

const embedded: readonly Combination[] = [
  { name: 'sqlite × filesystem', environment: { STORE: 'sqlite', BLOBS: 'filesystem' } },
]

/** Its first starts are not copied, and sharp reads the photographs of the sample in a third of the time of the default. */
const onServers: readonly Combination[] = [
  {
    name: 'postgresql × filesystem',
    environment: { STORE: 'postgresql', BLOBS: 'filesystem', IMAGING: 'sharp' },
  },
]

const onMongodb: readonly Combination[] = [
  { name: 'mongodb × filesystem', environment: { STORE: 'mongodb', BLOBS: 'filesystem' } },
]

const withServers = process.env['TEST_STORES'] === 'servers'

/** The combinations of stores for service tests. TEST_STORES=servers selects those that need servers. */
export const combinations: readonly Combination[] = withServers ? onServers : embedded

/** Those for tests of accounts. */
export const accountCombinations: readonly Combination[] = withServers ? onMongodb : embedded

/** The servers of all tests of a process, each started when it is needed. They end with the process. */
const servers: {
  mongodb?: Promise<MongodbServer>
  postgresql?: Promise<PostgresqlServer>
  minio?: Promise<MinioServer>
} = {}

const documentSettings = async (store: string | undefined): Promise<Environment> => {
  const name = `service-${randomUUID()}`
  if (store === 'mongodb') return { MONGODB_URL: (await (servers.mongodb ??= startMongodb())).url(name) }
  if (store !== 'postgresql') return {}
  const postgresql = await (servers.postgresql ??= startPostgresql())
  await postgresql.createDatabase(name)
  return { POSTGRESQL_URL: postgresql.url(name) }
}

const blobSettings = async (blobs: string | undefined): Promise<Environment> => {
  if (blobs !== 'minio') return {}
  const minio = await (servers.minio ??= startMinio())
  return {
    MINIO_URL: minio.url(),
    MINIO_ACCESS_KEY: minio.accessKey,
    MINIO_SECRET_KEY: minio.secretKey,
    MINIO_BUCKET: `service-${randomUUID()}`,
  }
}

/** The connection settings of stores that need a server, with a new database and bucket. */
export const connectionSettingsFor = async ({ STORE, BLOBS }: Environment): Promise<Environment> => ({
  ...(await documentSettings(STORE)),
  ...(await blobSettings(BLOBS)),
})

export type TestService = Service & {
  /** The clock of the service. */
  readonly clock: ReturnType<typeof controlledClock>
  /** Creates an API user with this role on an instance, by default the sample’s, and returns its key. */
  readonly keyFor: (role: Role, instance?: number) => Promise<IssuedKey>
  /**
   * Creates an API user with this role on an instance, by default the sample’s, and returns its access token.
   */
  readonly tokenFor: (role: Role, instance?: number) => Promise<string>
  /** Creates an operator without roles and returns its key. */
  readonly operatorKey: () => Promise<IssuedKey>
  /** Creates an operator without roles and returns its access token. */
  readonly operatorToken: () => Promise<string>
  /** The log entries with level error: defects and unavailable stores. */
  readonly errorsLogged: () => readonly LogEntry[]
  /** The recorded log entries. */
  readonly logged: () => readonly LogEntry[]
  readonly dataDirectory: string
}

/** Parts of the service that a test replaces. */
export type TestParts = Partial<Modules> & {
  readonly secrets?: Secrets
  /** The lowest recorded log level. Default: error. */
  readonly recorded?: LogLevel
  readonly adoptBlobs?: boolean
}

/** A module that provides a part which the test has created. */
export const moduleProviding = <T>(token: ServiceIdentifier<T>, part: T): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(token).toConstantValue(part)
  })

/** Rate limits are off by default, because tests send many requests. */
export const configurationOf = (environment: Environment): Configuration => {
  const result = readConfiguration({ RATE_LIMIT: 'off', ...environment }, () => '')
  if (E.isLeft(result)) throw new Error(result.left.join('\n'))
  return result.right
}

/** Hashes of the least cost. The tests of the secrets adapter use its real cost. */
const fastSecrets = () => scryptSecrets({ cost: { cost: 2, blockSize: 1, parallelization: 1 } })

const logToBoth = (one: Log, other: Log): Log => ({
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

const testSystem = (clock: ReturnType<typeof controlledClock>, secrets: Secrets, recorder: Log) =>
  new ContainerModule(({ bind }) => {
    bind(tokens.clock).toConstantValue(clock)
    bind(tokens.ids).toConstantValue(systemIds)
    bind(tokens.secrets).toConstantValue(secrets)
    bind(tokens.checksum).toConstantValue(sha256Checksum)
    bind(tokens.log)
      .toResolvedValue(
        ({ LOG_LEVEL }: Configuration) => logToBoth(pinoLog({ level: LOG_LEVEL }), recorder),
        [tokens.configuration],
      )
      .onDeactivation((log) => log.close())
  })

const newClock = () => controlledClock(Date.parse('2026-03-01T12:00:00Z'))

/** The data of a first start with these variables, in a directory that the end of the process removes. */
export const makeFirstData = async (environment: Environment = {}): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-first-data-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const configuration = configurationOf({
    DATA_DIR: directory,
    PORT: '0',
    LOG_LEVEL: 'error',
    ...environment,
  })
  const system = testSystem(newClock(), fastSecrets(), recordingLog('error'))
  await (await startService(configuration, { system })).stop()
  return directory
}

/** The data of a first start. Each process writes it once, because a copy is made faster than the sample. */
let firstData: Promise<string> | null = null

/** Copies the data of a first start to a directory. */
export const copyFirstData = async (directory: string): Promise<void> => {
  firstData ??= makeFirstData()
  await cp(await firstData, directory, { recursive: true })
}

const needsFirstStart = (environment: Environment, modules: Partial<Modules>): boolean =>
  (environment['STORE'] ?? 'sqlite') !== 'sqlite' ||
  (environment['BLOBS'] ?? 'filesystem') !== 'filesystem' ||
  ['DATA_DIR', 'BOOTSTRAP_API_KEY', 'BOOTSTRAP_API_SECRET'].some((name) => name in environment) ||
  modules.documents !== undefined ||
  modules.blobs !== undefined

/** Starts a service on a free port, on stores with the sample, with a controlled clock. */
export const startTestService = async (
  environment: Environment = {},
  { secrets = fastSecrets(), recorded = 'error', adoptBlobs = false, ...modules }: TestParts = {},
): Promise<TestService> => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'publishing-'))
  if (!needsFirstStart(environment, modules)) await copyFirstData(dataDirectory)
  const clock = newClock()
  const configuration = configurationOf({
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'error',
    ...(await connectionSettingsFor(environment)),
    ...environment,
  })
  const recorder = recordingLog(recorded)
  const all = { system: testSystem(clock, secrets, recorder), ...modules }
  const service = await startService(configuration, all, { adoptBlobs })
  const keyOf = async (owner: KeyOwner): Promise<IssuedKey> => {
    const key = await service.useCases.administerKeys.create(owner)()
    if (E.isLeft(key)) throw new Error(JSON.stringify(key.left))
    return key.right
  }
  const tokenOf = async (owner: KeyOwner): Promise<string> => {
    const { api_key: apiKey, api_secret: apiSecret } = await keyOf(owner)
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
    keyFor: (role, instance = 1) => keyOf({ instance, role }),
    tokenFor: (role, instance = 1) => tokenOf({ instance, role }),
    operatorKey: () => keyOf({ operator: true }),
    operatorToken: () => tokenOf({ operator: true }),
    errorsLogged: () => recorder.entries().filter(({ level }) => level === 'error'),
    logged: recorder.entries,
    dataDirectory,
    stop: async () => {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
