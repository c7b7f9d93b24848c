/**
 * A server of MongoDB's protocol for tests: FerretDB, or the real one that TEST_MONGODB_URL names. FerretDB's
 * commands that write wait for each other (see ../ferretdb/one_writer.go); all else is as it comes.
 */
import { connect } from 'node:net'
import { serverBinary } from './server-binaries.js'
import { startServerProcess, type ServerProcess } from './server-process.js'

const externalUrl = process.env['TEST_MONGODB_URL'] ?? ''

/** Whether the tests run on FerretDB, which scans where MongoDB uses an index, or on a server of their caller's. */
export const isFerretdb = externalUrl === ''

export type MongodbServer = ServerProcess & {
  /** A connection string of a database by this name, at the server's address or at that of a proxy before it. */
  readonly url: (database: string, address?: string) => string
}

const accepts = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`tcp://${address}`)
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** The server that the environment names for the tests, which can be neither stopped nor killed. */
const externalServer = (): MongodbServer => {
  const refuse = async (): Promise<never> => {
    throw new Error('The server of TEST_MONGODB_URL is not ours to stop')
  }
  const parsed = new URL(externalUrl)
  return {
    address: parsed.host,
    url: (database, address = parsed.host) => {
      const url = new URL(externalUrl)
      url.host = address
      url.pathname = `/${database}`
      // A replica set would lead the driver round the proxy.
      if (address !== parsed.host) url.searchParams.set('directConnection', 'true')
      return url.href
    },
    start: refuse,
    stop: refuse,
    kill: refuse,
    dispose: async () => undefined,
  }
}

/** Starts FerretDB on empty data, or answers with the server that TEST_MONGODB_URL names. */
export const startMongodb = async (): Promise<MongodbServer> => {
  if (!isFerretdb) return externalServer()
  const server = await startServerProcess({
    name: 'ferretdb',
    binary: await serverBinary('ferretdb'),
    args: (address, folder) => [address, folder],
    // It decodes every document of a collection for each query, and would collect its garbage most of the time.
    environment: { GOGC: '400' },
    responses: accepts,
  })
  return {
    ...server,
    url: (database, address = server.address) => `mongodb://${address}/${database}`,
  }
}
