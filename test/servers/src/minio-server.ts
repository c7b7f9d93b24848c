/** A MinIO server with temporary data for tests. */
import { serverBinary } from './server-binaries.js'
import { startServerProcess, type ServerProcess } from './server-process.js'

export type MinioServer = ServerProcess & {
  readonly accessKey: string
  readonly secretKey: string
  /** `http://host:port` of the server, or of a proxy for it. */
  readonly url: (address?: string) => string
}

const accessKey = 'conformance'
const secretKey = 'conformance-of-blobs'

/** MinIO rejects anonymous requests with 403 once it is ready. */
const isReady = (address: string): Promise<boolean> =>
  fetch(`http://${address}/`).then(
    ({ status }) => status === 403,
    () => false,
  )

/** Starts MinIO without data. Resolves when it accepts writes. */
export const startMinio = async (): Promise<MinioServer> => {
  const server = await startServerProcess({
    name: 'minio',
    binary: await serverBinary('minio'),
    args: (address, folder) => ['server', '--quiet', '--address', address, folder],
    environment: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_UPDATE: 'off',
      MINIO_BROWSER: 'off',
    },
    isReady,
  })
  return { ...server, accessKey, secretKey, url: (address = server.address) => `http://${address}` }
}
