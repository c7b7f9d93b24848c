/** One PostgreSQL or MongoDB and one MinIO for several services, each with a separate data directory. */
import { minioBlobStore } from '@publishing-service/adapter-minio'
import type { BlobStore } from '@publishing-service/ports'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import {
  adminOn,
  killRemaining,
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from '../durability/service-process.js'
import { connectionSettingsFor } from '../harness/start-test-service.js'

/** A document store that several services can share. */
export type SharedStore = 'postgresql' | 'mongodb'

/** The settings of a new database and bucket. */
export const sharedStores = async (store: SharedStore = 'postgresql'): Promise<Environment> => {
  const kinds = { STORE: store, BLOBS: 'minio' } as const
  return { ...kinds, ...(await connectionSettingsFor(kinds)) }
}

/** Opens the blob store directly, as another process would. */
export const openBlobs = (stores: Environment): Promise<BlobStore> =>
  minioBlobStore({
    url: String(stores['MINIO_URL']),
    accessKey: String(stores['MINIO_ACCESS_KEY']),
    secretKey: String(stores['MINIO_SECRET_KEY']),
    bucket: String(stores['MINIO_BUCKET']),
  })

export type ServiceHosts = {
  /** Starts a service with a separate data directory. */
  readonly start: (more?: Environment) => Promise<ServiceProcess>
  readonly admin: (...args: readonly string[]) => Promise<unknown>
  /** Kills running services, and removes the directories. */
  readonly remove: () => Promise<void>
}

/** Services that share only the stores. */
export const serviceHostsOn = (stores: Environment): ServiceHosts => {
  const folders: DataFolder[] = []
  const newFolder = async (): Promise<string> => {
    const folder = await makeDataFolder()
    folders.push(folder)
    return folder.path
  }
  return {
    start: async (more = {}) => startServiceProcess(await newFolder(), { ...stores, ...more }),
    admin: async (...args) => adminOn(await newFolder(), stores)(...args),
    remove: async () => {
      await killRemaining()
      await Promise.all(folders.map((folder) => folder.remove()))
    },
  }
}
