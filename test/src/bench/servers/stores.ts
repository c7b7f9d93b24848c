/** FerretDB and MinIO with a publication, the service on them, and the baseline server. */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServers, type Servers } from '../../../servers/dist/index.js'
import { createPublication, type Publication } from '../publication.js'
import { ended, environment, freePort, kept, startServedService, untilReady, type Served } from '../served.js'

export type StoresSetup = {
  readonly servers: Servers
  readonly bucket: string
  readonly publication: Publication
  readonly service: Served
  /** Asks the driver alone; it responses no path but those of objects and the page. */
  readonly bare: Pick<Served, 'url' | 'pid'>
  /** Passes an object on to MinIO's client alone, at `/relayed`. */
  readonly relay: Pick<Served, 'url'>
  readonly stop: () => Promise<void>
}

const database = 'bench'
const bucket = 'bench'

const startBare = async (program: string, options: readonly string[]) => {
  const port = await freePort()
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = kept(fork(path, [String(port), ...options], { env: environment(), stdio: 'inherit' }))
  const address = `http://127.0.0.1:${port}`
  // It has no path separate: that it responses at all is enough.
  if (!(await untilReady(child, address, '/', (status) => status > 0)))
    throw new Error(`The baseline server of ${program} did not start`)
  return {
    url: address,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}

/** Rejects, with the command that builds it, where a server was not built yet. */
export const startStores = async (
  objects: number,
  progress: (text: string) => void,
): Promise<StoresSetup> => {
  const servers = await startServers()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'publishing-bench-servers-'))
  const stops: (() => Promise<void>)[] = [
    async () => rm(dataDirectory, { recursive: true, force: true }),
    servers.stop,
  ]
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const url = servers.mongodb.url(database)
    const variables = {
      STORE: 'mongodb',
      BLOBS: 'minio',
      MONGODB_URL: url,
      MINIO_URL: servers.minio.url(),
      MINIO_ACCESS_KEY: servers.minio.accessKey,
      MINIO_SECRET_KEY: servers.minio.secretKey,
      MINIO_BUCKET: bucket,
    }
    progress(`making a publication of ${objects} articles on the servers`)
    const publication = await createPublication(
      dataDirectory,
      objects,
      (made) => progress(`${made} articles`),
      variables,
    )
    const service = await startServedService(dataDirectory, variables)
    stops.push(service.stop)
    const bare = await startBare('driver-baseline-process.js', [url])
    stops.push(bare.stop)
    const { accessKey, secretKey } = servers.minio
    const relay = await startBare('relay-baseline-process.js', [
      servers.minio.url(),
      accessKey,
      secretKey,
      bucket,
    ])
    stops.push(relay.stop)
    return { servers, bucket, publication, service, bare, relay, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
