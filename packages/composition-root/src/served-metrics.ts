/** The metrics of the service, and the server that Prometheus reads them from. */
import { statfs } from 'node:fs/promises'
import { noMetrics, type Metrics } from '@publishing-service/ports'
import type { Configuration } from './configuration.js'
import type { WorkerProcess } from './workers/worker-process.js'

export type ServedMetrics = {
  readonly metrics: Metrics
  /** The address that they are served on. */
  readonly host: string
  /** Begins to serve them; resolves with the port, null if nobody reads them. Rejects if the port is not free. */
  readonly listen: () => Promise<number | null>
  readonly close: () => Promise<void>
}

/** Bytes that are free where a folder is; null if that is unknown. */
const freeBytes = async (folder: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** The library is imported if metrics are read. Those of workers are served by the primary. */
export const openMetrics = async (
  { METRICS_PORT: port, HOST, DATA_DIR: folder }: Configuration,
  worker: WorkerProcess | null,
): Promise<ServedMetrics> => {
  // The service is on a socket of the file system.
  const host = HOST.startsWith('/') ? '127.0.0.1' : HOST
  if (port === null)
    return { metrics: noMetrics, host, listen: async () => null, close: async () => undefined }
  const { metricsServer, prometheusMetrics } = await import('@publishing-service/adapter-prometheus')
  const metrics = prometheusMetrics()
  metrics.level('diskFree', () => freeBytes(folder))
  const server = worker === null ? metricsServer(metrics) : worker.metricsServer(metrics.values)
  return { metrics, host, listen: () => server.listen(port, host), close: server.close }
}
