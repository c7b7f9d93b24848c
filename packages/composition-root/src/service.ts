import type { Container } from 'inversify'
import type { HttpServer, ShutdownTimes } from '@publishing-service/adapter-koa'
import type { IssuedKey, UseCases } from '@publishing-service/application'
import { apiVersion } from '@publishing-service/http-contract'
import type { Log } from '@publishing-service/ports'
import { readSample, readSampleOutline } from '@publishing-service/sample'
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
import { closeStores, createContainer, type Modules } from './container.js'
import { prepareDataDirectory, warnOfOpenDataDirectory } from './data-directory.js'
import { temporaryBundle } from './bundle-file.js'
import { checkPlace, explainListenFailure, explainMetricsFailure, placeOf } from './free-port.js'
import { localUrl } from './local-address.js'
import { scheduledBackup } from './scheduled-backup.js'
import { startHousekeeping } from './housekeeping.js'
import { importFiles } from './import-files.js'
import { openImportTrial } from './import-trial.js'
import { startJobs } from './start-jobs.js'
import type { ServedMetrics } from './served-metrics.js'
import { startWorker } from './start-worker.js'
import { tokens } from './tokens.js'
import { rejectUnfinishedCopy, establishIdentity, type IdentityParts } from './store-checks.js'
import { sampleData } from './seed-sample.js'
import type { StartOptions } from './start-options.js'
import type { WorkerProcess } from './workers/worker-process.js'

/** A service that runs. */
export type Service = {
  /** Null on a socket. */
  readonly port: number | null
  /** The address on this machine, independent of BASE_URL; on a socket, what the addresses of requests over it begin with. */
  readonly url: string
  /** The port of the metrics; null if there are none. */
  readonly metricsPort: number | null
  readonly useCases: UseCases
  readonly log: Log
  /** What start-up created on empty stores, and the number of the sample publication. */
  readonly bootstrapped: BootstrapResult
  /**
   * Waits for running requests, then closes everything; `hurry` ends the waiting. Called again it is the same stop.
   */
  readonly stop: (times?: ShutdownTimes, hurry?: AbortSignal) => Promise<void>
}

/** The times of a stop that loses no running request, and expects no further ones. */
export const quickStop: ShutdownTimes = { delay: 0, idle: 0, limit: 9000 }

/** Objects after which the log says how far the recording of places is. */
const placesPerLine = 10_000

/** Milliseconds after which the service looks for what other processes have written, if no request has it look before. */
const foreignWritesInterval = 100

/** Closes every part, each also if another cannot be closed, and the log last. Rejects with the first error. */
const close = async (container: Container, log: Log): Promise<void> => {
  await closeStores(container)
  log.write('info', 'stopped', { version: apiVersion })
  await container.unbindAll()
}

/** Serves the metrics, if METRICS_PORT is set. Returns their port. */
const listenForMetrics = async (
  metrics: ServedMetrics,
  { METRICS_PORT }: Configuration,
  log: Log,
): Promise<number | null> => {
  try {
    const port = await metrics.listen()
    if (port !== null) log.write('info', 'metrics listening', { host: metrics.host, port })
    return port
  } catch (error) {
    throw explainMetricsFailure(error, METRICS_PORT, metrics.host)
  }
}

const listen = async (server: HttpServer, configuration: Configuration): Promise<number | null> => {
  try {
    return await server.listen(placeOf(configuration))
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
    await server.drain({ ...quickStop, limit: 0 }, new AbortController().signal)
    throw error
  }
}

/**
 * Starts a service: stores, sample on empty stores, HTTP. Rejects, after closing everything, if a part cannot
 * be opened; then the Error's message is for the operator. `worker` is the one that this process is, if it is one.
 */
export const startService = async (
  configuration: Configuration,
  replaced: Partial<Modules> = {},
  { adoptBlobs }: StartOptions = { adoptBlobs: false },
  worker: WorkerProcess | null = null,
): Promise<Service> => {
  const container = createContainer(configuration, replaced, worker)
  const log = await container.getAsync(tokens.log)
  log.write('info', 'starting', { version: apiVersion })
  try {
    await prepareDataDirectory(configuration)
    // The others listen where the first worker does.
    if (worker === null || worker.isFirst) await checkPlace(configuration)
    const metricsPort = await listenForMetrics(await container.getAsync(tokens.metrics), configuration, log)
    const server = await container.getAsync(tokens.httpServer)
    const useCases = await container.getAsync(tokens.useCases)
    const ports = await container.getAsync(tokens.ports)
    const { checksum } = ports
    await warnOfOpenDataDirectory(configuration, log)
    if (configuration.TRUST_PROXY && configuration.BASE_URL === null)
      log.write('warn', 'links follow the proxy', { advice: 'set BASE_URL to the public address' })
    const sample = await readSampleOutline()
    const identity = {
      adoptBlobs,
      sampleData: async () => sampleData(await readSample(), sampleInstance, checksum),
    }
    const { port, bootstrapped } = await open({ useCases, configuration, sample }, server, identity, log)
    const importWorker = useCases.createImportWorker(
      importFiles(configuration, {
        bundles: useCases.bundles,
        turn: ports.clock.turn,
        openTrial: () => openImportTrial(container),
      }),
    )
    const exportWorker = useCases.createExportWorker(temporaryBundle)
    const makeBackup = scheduledBackup(configuration, ports)
    const endHousekeeping = startHousekeeping(
      useCases,
      log,
      { importWorker, exportWorker },
      makeBackup,
      worker === null || worker.number === 1,
    )
    const endWebhooks = startWorker(useCases.webhookWorker, 'delivering to web hooks', log)
    const endImports = startJobs(importWorker.queue, 'importing', log)
    const endExports = startJobs(exportWorker.queue, 'exporting', log)
    const looking = setInterval(useCases.countForeignWrites, foreignWritesInterval).unref()
    let stopping: Promise<void> | null = null
    const end = async (times: ShutdownTimes, hurry: AbortSignal): Promise<void> => {
      log.write('info', 'stopping', { version: apiVersion })
      clearInterval(looking)
      await Promise.all([server.drain(times, hurry), endWebhooks(), endImports(), endExports()])
      await Promise.all([endHousekeeping(), container.unbind(tokens.traces)])
      await close(container, log)
    }
    log.write('info', 'listening', { version: apiVersion, host: configuration.HOST, port: port ?? undefined })
    return {
      port,
      url: localUrl(configuration, port),
      metricsPort,
      useCases,
      log,
      bootstrapped,
      stop: (times = quickStop, hurry = new AbortController().signal) => {
        stopping ??= end(times, hurry)
        return stopping
      },
    }
  } catch (error) {
    await close(container, log)
    throw error
  }
}
