/** The servers for a service on MongoDB and MinIO, on free ports with temporary data. */
import { startMinio, type MinioServer } from './minio-server.js'
import { startMongodb, type MongodbServer } from './mongodb-server.js'

export type Servers = {
  readonly mongodb: MongodbServer
  readonly minio: MinioServer
  /** Stops both and removes their data. */
  readonly stop: () => Promise<void>
}

/** Starts both servers. Rejects with instructions if one is not built, and leaves none running. */
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
