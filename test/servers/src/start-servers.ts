/** Both servers that a service on MongoDB and MinIO needs, on free ports and temporary data. */
import { startMinio, type MinioServer } from './minio-server.js'
import { startMongodb, type MongodbServer } from './mongodb-server.js'

export type Servers = {
  readonly mongodb: MongodbServer
  readonly minio: MinioServer
  /** Stops both and removes their data. */
  readonly stop: () => Promise<void>
}

/** Rejects, with the command that builds it, where a server was not built yet; then none is left running. */
export const startServers = async (): Promise<Servers> => {
  const mongodb = await startMongodb()
  try {
    const minio = await startMinio()
    return {
      mongodb,
      minio,
      stop: async () => {
        await Promise.all([mongodb.dispose(), minio.dispose()])
      },
    }
  } catch (error) {
    await mongodb.dispose()
    throw error
  }
}
