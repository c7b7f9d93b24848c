import type { Container } from 'inversify'
import type { HttpServer } from '@publishing-service/adapter-koa'
import type { IssuedKey, UseCases } from '@publishing-service/application'
import { apiVersion } from '@publishing-service/http-contract'
import type { Log } from '@publishing-service/ports'
import { readSample } from '@publishing-service/sample'
import {
  isKeyChosen,
  inviteFirstPerson,
  issueFirstKey,
  seedInstances,
  sampleInstance,
  type BootstrapParts,
  type BootstrapResult,
} from './bootstrap.js'
import type { Configuration } from './configuration.js'
import { createContainer, type Modules } from './container.js'
import { prepareDataDirectory, warnOfOpenDataDirectory } from './data-directory.js'
import { checkPort, explainListenFailure } from './free-port.js'
import { localUrl } from './local-address.js'
import { startHousekeeping } from './housekeeping.js'
import { startWebhooks } from './start-webhooks.js'
import { tokens } from './tokens.js'
import { rejectUnfinishedCopy, establishIdentity, type IdentityParts } from './store-checks.js'
import { sampleData } from './seed-sample.js'
import type { StartOptions } from './start-options.js'

/** A service that runs. */
export type Service = {
  readonly port: number
  /** The address on this machine, independent of BASE_URL. */
  readonly url: string
  readonly useCases: UseCases
  readonly log: Log
  /** What start-up created on empty stores, and the number of the sample publication. */
  readonly bootstrapped: BootstrapResult
  /**
   * Accepts no new connections, waits at most `limit` milliseconds (default 9000) for running requests, then closes
   * everything. Called again it is the same stop, and a limit then cuts the waiting short.
   */
  readonly stop: (limit?: number) => Promise<void>
}

/** Objects after which the log says how far the recording of places is. */
const placesPerLine = 10_000

/** How long running requests may take to end, in milliseconds. */
const drainLimit = 9000

/** Closes every part, each also if another cannot be closed, and the log last. Rejects with the first error. */
const close = async (container: Container, log: Log): Promise<void> => {
  const parts = [tokens.imaging, tokens.blobs, tokens.documents]
  await Promise.allSettled(parts.map((part) => container.unbind(part)))
  log.write('info', 'stopped', { version: apiVersion })
  await container.unbindAll()
}

const listen = async (server: HttpServer, configuration: Configuration): Promise<number> => {
  try {
    return await server.listen(configuration.PORT, configuration.HOST)
  } catch (error) {
    throw explainListenFailure(error, configuration)
  }
}

/** Records places for data of an earlier release, and logs how far it is. */
const recordPlaces = async ({ completePlaces }: UseCases, log: Log): Promise<void> => {
  let next = placesPerLine
  const objects = await completePlaces((done) => {
    if (done < next) return
    log.write('info', 'recording places of objects', { objects: done })
    next = done + placesPerLine
  })
  if (objects > 0) log.write('info', 'recorded the places of objects', { objects })
}

/**
 * Seeds empty stores, listens, and issues the first key. A generated key is issued after the port is open, so it is printed
 * only if the start succeeded.
 */
const open = async (
  parts: BootstrapParts,
  server: HttpServer,
  identity: Pick<IdentityParts, 'adoptBlobs' | 'sampleData'>,
  log: Log,
): Promise<Pick<Service, 'port' | 'bootstrapped'>> => {
  await rejectUnfinishedCopy(parts.useCases)
  await establishIdentity({ ...parts, ...identity })
  const { hasNoKeys, ...seeded } = await seedInstances(parts)
  await recordPlaces(parts.useCases, log)
  const issue = (): Promise<IssuedKey | null> => issueFirstKey(parts, { hasNoKeys, ...seeded })
  // A configured key must be usable as soon as the service responds.
  const chosen = isKeyChosen(parts.configuration)
  const issuedBefore = chosen ? await issue() : null
  const port = await listen(server, parts.configuration)
  try {
    const issued = chosen ? issuedBefore : await issue()
    const setUp = issued === null ? null : await inviteFirstPerson(parts, { hasNoKeys, ...seeded })
    return { port, bootstrapped: { ...seeded, issued, setUp } }
  } catch (error) {
    await server.drain(0)
    throw error
  }
}

/**
 * Starts a service: stores, sample on empty stores, HTTP. Rejects, after closing everything, if a part cannot
 * be opened; then the Error's message is for the operator.
 */
export const startService = async (
  configuration: Configuration,
  replaced: Partial<Modules> = {},
  { adoptBlobs }: StartOptions = { adoptBlobs: false },
): Promise<Service> => {
  const container = createContainer(configuration, replaced)
  const log = await container.getAsync(tokens.log)
  log.write('info', 'starting', { version: apiVersion })
  try {
    await prepareDataDirectory(configuration)
    await checkPort(configuration)
    const server = await container.getAsync(tokens.httpServer)
    const useCases = await container.getAsync(tokens.useCases)
    const { checksum } = await container.getAsync(tokens.ports)
    await warnOfOpenDataDirectory(configuration, log)
    if (configuration.TRUST_PROXY && configuration.BASE_URL === null)
      log.write('warn', 'links follow the proxy', { advice: 'set BASE_URL to the public address' })
    const sample = await readSample()
    const identity = { adoptBlobs, sampleData: () => sampleData(sample, sampleInstance, checksum) }
    const { port, bootstrapped } = await open({ useCases, configuration, sample }, server, identity, log)
    const endHousekeeping = startHousekeeping(useCases, log)
    const endWebhooks = startWebhooks(useCases.webhookWorker, log)
    let stopping: Promise<void> | null = null
    const end = async (limit: number): Promise<void> => {
      log.write('info', 'stopping', { version: apiVersion })
      await Promise.all([server.drain(limit), endWebhooks()])
      await endHousekeeping()
      await close(container, log)
    }
    log.write('info', 'listening', { version: apiVersion, host: configuration.HOST, port })
    return {
      port,
      url: localUrl(configuration, port),
      useCases,
      log,
      bootstrapped,
      stop: (limit = drainLimit) => {
        if (stopping === null) stopping = end(limit)
        else if (limit < drainLimit) void server.drain(limit)
        return stopping
      },
    }
  } catch (error) {
    await close(container, log)
    throw error
  }
}
