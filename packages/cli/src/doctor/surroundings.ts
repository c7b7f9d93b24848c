/** What checks examine: the environment of a service, and its stores, which are opened once, when a check needs them. */
import type { ExaminedWork, UseCases } from '@publishing-service/application'
import {
  createContainer,
  localUrl,
  missingData,
  tokens,
  type Configuration,
  type Container,
  type ReadEnvironment,
  type ReplaceableModules,
} from '@publishing-service/composition-root'
import { apiVersion } from '@publishing-service/http-contract'
import { ask, type Answer } from './ask-service.js'

/** A store as it describes itself. */
type StoreDescription = Awaited<ReturnType<NonNullable<Configuration['documentStore']['describe']>>>

export type FoundStore = {
  /** What it is; null if it cannot say that before it is opened. */
  readonly found: StoreDescription | null
  /** Its clock less that of this machine, in milliseconds; null if it has none of its own. */
  readonly skew: number | null
  /** Why it is not opened; null if it may be. */
  readonly closedBecause: string | null
  /** Whether a start has made it before. */
  readonly isNew: boolean
}

/** Results of the work, each of which is done once. */
const once = <A>(work: () => Promise<A>): (() => Promise<A>) => {
  let result: Promise<A> | null = null
  return () => (result ??= work())
}

/** The service at the port or socket of the environment. */
export type LocalService = { readonly place: string; readonly answer: Answer | null }

export type Surroundings = ReadEnvironment & {
  readonly container: Container
  /** Where a test message is sent to; null for none. */
  readonly mailTo: string | null
  /** Null if the port is chosen at the start. */
  readonly localService: () => Promise<LocalService | null>
  /** Rejects with an Error if the store cannot be used. It is opened only where that changes nothing. */
  readonly store: () => Promise<FoundStore>
  /** Null if a store was not opened, or cannot be; the checks of the stores say why. */
  readonly useCases: () => Promise<UseCases | null>
  /** Rejects with a PortFailure. Null without use cases. */
  readonly work: () => Promise<ExaminedWork | null>
}

const notRunning = new Set(['ECONNREFUSED', 'ENOENT'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const askLocally = async ({ configuration }: ReadEnvironment): Promise<LocalService | null> => {
  const { HOST, PORT } = configuration
  const isSocket = HOST.startsWith('/')
  if (!isSocket && PORT === 0) return null
  const url = localUrl(configuration, isSocket ? null : PORT)
  const place = isSocket ? HOST : url
  try {
    const answer = await ask({ url: `${url}/health/ready`, ...(isSocket ? { socketPath: HOST } : {}) })
    return { place, answer }
  } catch (error) {
    if (notRunning.has(codeOf(error))) return { place, answer: null }
    throw error
  }
}

/** The version of a service that answers that it is ready; null for other answers. */
export const versionIn = (answer: Answer | null): string | null => {
  const version = answer?.body['version']
  return answer?.body['status'] === 'ready' && typeof version === 'string' ? version : null
}

const unseen = (closedBecause: string | null, isNew: boolean): FoundStore => ({
  found: null,
  skew: null,
  closedBecause,
  isNew,
})

const findStore = async (
  { configuration }: ReadEnvironment,
  localService: Surroundings['localService'],
): Promise<FoundStore> => {
  const { documentStore } = configuration
  if (documentStore.medium === 'memory')
    return unseen('documents are in the memory of the service, which no other process can read', false)
  const missing = await missingData(configuration)
  if (missing !== null) return unseen(`there is no data yet: ${missing} is missing`, true)
  if (documentStore.describe === null) {
    const service = await localService().catch(() => null)
    const isServed = versionIn(service?.answer ?? null) === apiVersion
    return unseen(
      isServed ? null : 'the store of a package is opened only next to a service of this version',
      false,
    )
  }
  const found = await documentStore.describe(configuration)
  const skew = found.time === null ? null : found.time - Date.now()
  const isCurrent = found.schema === 'current'
  return {
    found,
    skew,
    closedBecause: isCurrent ? null : `its tables are ${found.schema}, and opening it would change them`,
    isNew: found.schema === 'empty',
  }
}

export const surroundingsOf = (
  read: ReadEnvironment,
  mailTo: string | null,
  replaced: Partial<ReplaceableModules>,
): Surroundings => {
  const container = createContainer(read.configuration, replaced)
  const localService = once(() => askLocally(read))
  const store = once(async (): Promise<FoundStore> => {
    const found = await findStore(read, localService)
    if (found.closedBecause === null) await container.getAsync(tokens.documents)
    return found
  })
  const useCases = once(async (): Promise<UseCases | null> => {
    try {
      return (await store()).closedBecause === null ? await container.getAsync(tokens.useCases) : null
    } catch {
      // The check of the part that cannot be opened says why.
      return null
    }
  })
  return {
    ...read,
    container,
    mailTo,
    localService,
    store,
    useCases,
    work: once(async () => (await useCases())?.examineWork() ?? null),
  }
}
