import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import { controlledClock } from '@publishing-service/adapter-memory'
import { pinoLog, scryptSecrets, systemIds } from '@publishing-service/adapter-system'
import type { Caller } from '@publishing-service/application'
import { E, type Role } from '@publishing-service/domain'
import {
  provide,
  readConfiguration,
  startService,
  tokens,
  type Configuration,
  type Service,
} from '@publishing-service/composition-root'

export type { Caller }

type Environment = Readonly<Record<string, string>>

/** The stores that whole-service tests run on. */
export const combinations: readonly { readonly name: string; readonly environment: Environment }[] = [
  { name: 'sqlite × filesystem', environment: { STORE: 'sqlite', BLOBS: 'filesystem' } },
  { name: 'memory × memory', environment: { STORE: 'memory', BLOBS: 'memory' } },
]

export type TestService = Service & {
  /** The clock that the service reads. */
  readonly clock: ReturnType<typeof controlledClock>
  /** An access token of a new API user with this role on an instance, by default the sample’s. */
  readonly tokenFor: (role: Role, instance?: number) => Promise<string>
  readonly dataDirectory: string
}

export const configurationOf = (environment: Environment): Configuration => {
  const result = readConfiguration(environment, () => '')
  if (E.isLeft(result)) throw new Error(result.left.join('\n'))
  return result.right
}

/** Cheap hashes: the tests of the secrets adapter look at its real cost. */
const quickSecrets = () => scryptSecrets({ cost: { cost: 1024, blockSize: 8, parallelization: 1 } })

const testSystem = (clock: ReturnType<typeof controlledClock>) =>
  new ContainerModule((options) => {
    const bind = provide(options)
    bind(tokens.clock, [], () => clock)
    bind(tokens.ids, [], () => systemIds)
    bind(tokens.secrets, [], quickSecrets)
    bind(tokens.log, [tokens.configuration], ({ LOG_LEVEL }) => pinoLog({ level: LOG_LEVEL }), (log) => log.close())
  })

/** A service on a free port, on stores of its own, with a clock that tests turn. */
export const startTestService = async (environment: Environment = {}): Promise<TestService> => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'publishing-'))
  const clock = controlledClock(Date.parse('2026-03-01T12:00:00Z'))
  const configuration = configurationOf({ DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'error', ...environment })
  const service = await startService(configuration, { system: testSystem(clock) })
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
    dataDirectory,
    stop: async () => {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
