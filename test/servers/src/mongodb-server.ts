/**
 * A server with MongoDB’s protocol for tests: FerretDB, or a real MongoDB at TEST_MONGODB_URL. FerretDB executes
 * writes one at a time (see ../ferretdb/one_writer.go).
 */
import { serverBinary } from './server-binaries.js'
import { listens, startServerProcess, type ServerProcess } from './server-process.js'

const externalUrl = process.env['TEST_MONGODB_URL'] ?? ''

/** Whether the tests run on FerretDB, which scans collections where MongoDB uses an index. */
export const isFerretdb = externalUrl === ''

export type MongodbServer = ServerProcess & {
  /** The connection string of a database, at the address of the server or of a proxy for it. */
  readonly url: (database: string, address?: string) => string
}

/** The server at TEST_MONGODB_URL, which the tests cannot stop or kill. */
const externalServer = (): MongodbServer => {
  const rejectStop = async (): Promise<never> => {
    throw new Error('The tests cannot stop the server of TEST_MONGODB_URL')
  }
  const parsed = new URL(externalUrl)
  return {
    address: parsed.host,
    url: (database, address = parsed.host) => {
      const url = new URL(externalUrl)
      url.host = address
      url.pathname = `/${database}`
      // With a replica set, the driver would bypass the proxy.
      if (address !== parsed.host) url.searchParams.set('directConnection', 'true')
      return url.href
    },
    pid: () => null,
    start: rejectStop,
    stop: rejectStop,
    kill: rejectStop,
    dispose: async () => undefined,
  }
}

/** Starts FerretDB without data, or returns the server at TEST_MONGODB_URL. */
export const startMongodb = async (): Promise<MongodbServer> => {
  if (!isFerretdb) return externalServer()
  const server = await startServerProcess({
    name: 'ferretdb',
    binary: await serverBinary('ferretdb'),
    args: (address, folder) => [address, folder],
    // Each query decodes all documents of a collection, so garbage collection would use most of the time.
    environment: { GOGC: '400' },
    isReady: listens,
  })
  return {
    ...server,
    url: (database, address = server.address) => `mongodb://${address}/${database}`,
  }
}
