import type { Container } from 'inversify'
import type { HttpServer } from '@publishing-service/adapter-koa'
import type { UseCases } from '@publishing-service/application'
import type { Clock, Log, PortFailure } from '@publishing-service/ports'
import { bootstrap, type BootstrapResult } from './bootstrap.js'
import type { Configuration } from './configuration-table.js'
import { createContainer, type Modules } from './container.js'
import { prepareDataDirectory } from './data-directory.js'
import { checkPort, explainListenFailure } from './free-port.js'
import { resolve } from './token.js'
import { tokens } from './tokens.js'

/** A service that runs. */
export type Service = {
  readonly port: number
  /** The address on this machine, whatever BASE_URL says. */
  readonly url: string
  readonly useCases: UseCases
  /** What start-up made on empty stores, and where the sample publication is. */
  readonly bootstrapped: BootstrapResult
  /**
   * Takes no new connections, lets running requests end for at most `limit` milliseconds (9000 unless told), then
   * closes everything. Called again it is the same stop, and a limit then cuts the waiting short.
   */
  readonly stop: (limit?: number) => Promise<void>
}

/** How long running requests may take to end, in milliseconds. */
const drainLimit = 9000
/** How long an upload of another process has between its blob and its metadata, in milliseconds. */
const namingTime = 2000
const housekeepingInterval = 3_600_000

const isPortFailure = (error: unknown): error is PortFailure =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === 'PortFailure'

const quietly = async (log: Log, what: string, work: () => Promise<number>): Promise<void> => {
  try {
    const count = await work()
    if (count > 0) log.write('info', what, { count })
  } catch (error) {
    if (!isPortFailure(error)) throw error
    log.write('warn', `${what} failed`, { part: error.part, reason: error.reason })
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((elapsed) => {
    setTimeout(elapsed, milliseconds).unref()
  })

/** Removes what crashes left over and what has expired: after the start, and tokens every hour. */
const startHousekeeping = (useCases: UseCases, clock: Clock, log: Log): (() => Promise<void>) => {
  const started = clock.now()
  const collecting = quietly(log, 'left-over blobs removed', async () => {
    const found = await useCases.leftOvers.find(started)
    if (found.length === 0) return 0
    await pause(namingTime)
    return useCases.leftOvers.remove(found)
  })
  let expiring = quietly(log, 'expired tokens removed', useCases.expireTokens)
  const timer = setInterval(() => {
    expiring = quietly(log, 'expired tokens removed', useCases.expireTokens)
  }, housekeepingInterval)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await Promise.race([Promise.all([collecting, expiring]), pause(500)])
  }
}

const close = async (container: Container): Promise<void> => {
  await container.unbindAllAsync()
}

/** Addresses that mean every address of the machine; one of its own reaches the service. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const localUrl = ({ HOST }: Configuration, port: number): string => {
  const host = everywhere[HOST] ?? HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const listen = async (server: HttpServer, configuration: Configuration): Promise<number> => {
  try {
    return await server.listen(configuration.PORT, configuration.HOST)
  } catch (error) {
    throw explainListenFailure(error, configuration)
  }
}

/**
 * Starts a service: stores, sample on empty stores, HTTP. Rejects, with everything closed again, where a part can't
 * be had; then the Error's message is for whoever starts it.
 */
export const startService = async (
  configuration: Configuration,
  replaced: Partial<Modules> = {},
): Promise<Service> => {
  await prepareDataDirectory(configuration)
  await checkPort(configuration)
  const container = createContainer(configuration, replaced)
  try {
    const server = await resolve(container, tokens.httpServer)
    const useCases = await resolve(container, tokens.useCases)
    const clock = await resolve(container, tokens.clock)
    const log = await resolve(container, tokens.log)
    const bootstrapped = await bootstrap({ useCases, clock, configuration })
    const port = await listen(server, configuration)
    const endHousekeeping = startHousekeeping(useCases, clock, log)
    let stopping: Promise<void> | null = null
    const end = async (limit: number): Promise<void> => {
      await server.drain(limit)
      await endHousekeeping()
      await close(container)
    }
    log.write('info', 'listening', { host: configuration.HOST, port })
    return {
      port,
      url: localUrl(configuration, port),
      useCases,
      bootstrapped,
      stop: (limit = drainLimit) => {
        if (stopping === null) stopping = end(limit)
        else if (limit < drainLimit) void server.drain(limit)
        return stopping
      },
    }
  } catch (error) {
    await close(container)
    throw error
  }
}
