/** The stores on which rows are measured, each with a publication of its own and a baseline. */
import { lackOfServers, startServers } from '../../servers/dist/index.js'
import type { Variables } from './processes.js'

export const setupNames = ['sqlite', 'servers'] as const
export type SetupName = (typeof setupNames)[number]

type Setup = {
  readonly title: string
  readonly articles: number
  /** Bytes of the file that is downloaded and uploaded. */
  readonly fileSize: number
  readonly connections: number
  /** A program of this folder: what the service is compared with. */
  readonly baseline: string
  /** Why the stores are missing; null if they are not. */
  readonly lack: () => Promise<string | null>
  /** Starts the servers of the stores, and returns the variables of a service on them. */
  readonly open: () => Promise<{ readonly variables: Variables; readonly close: () => Promise<void> }>
}

export const setups: Readonly<Record<SetupName, Setup>> = {
  sqlite: {
    title: 'On SQLite and the file system; the baseline is a bare node:http that sends the same bytes',
    articles: 10_000,
    fileSize: 100 * 1024,
    connections: 32,
    baseline: 'baseline-process.js',
    lack: async () => null,
    open: async () => ({ variables: {}, close: async () => {} }),
  },
  servers: {
    title:
      'On FerretDB and MinIO; the baseline is a bare node:http that makes the same queries with the drivers',
    // FerretDB reads the whole collection for a page, which would hide the time of the service.
    articles: 300,
    fileSize: 32 * 1024 * 1024,
    // More clients would measure how the servers and the service share the cores.
    connections: 2,
    baseline: 'servers-baseline-process.js',
    lack: lackOfServers,
    open: async () => {
      const { mongodb, minio, stop } = await startServers()
      const kinds = { STORE: 'mongodb', BLOBS: 'minio' }
      const addresses = { MONGODB_URL: mongodb.url('bench'), MINIO_URL: minio.url(), MINIO_BUCKET: 'bench' }
      const keys = { MINIO_ACCESS_KEY: minio.accessKey, MINIO_SECRET_KEY: minio.secretKey }
      return { variables: { ...kinds, ...addresses, ...keys }, close: stop }
    },
  },
}
