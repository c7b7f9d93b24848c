/** The stores of a chaos test: one data folder, or one MongoDB and one MinIO. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makeDataFolder, storedUploads } from '../durability/data-folder.js'
import {
  killWhileStarting,
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from '../durability/service-process.js'
import { openBlobs, sharedStores } from '../several-processes/shared-stores.js'

export type ChaosStores = {
  readonly name: string
  /** The data folder of the first process. */
  readonly folder: string
  /** Starts one of two processes. On servers they have separate data folders. */
  readonly start: (process: 0 | 1, environment?: Environment) => Promise<ServiceProcess>
  /** Starts a process and kills it after this number of milliseconds. */
  readonly startAndKill: (milliseconds: number, environment?: Environment) => Promise<void>
  /** The number of uploads with blobs. */
  readonly uploads: () => Promise<number>
  /** The errors that the integrity check of the database finds. */
  readonly check: () => readonly string[]
  readonly remove: () => Promise<void>
}

const checkSqlite = (file: string): readonly string[] => {
  const database = new Database(file, { readonly: true })
  try {
    const found: unknown = database.pragma('integrity_check', { simple: true })
    return found === 'ok' ? [] : [`integrity check of ${file}: ${String(found)}`]
  } finally {
    database.close()
  }
}

export const embeddedStores = async (): Promise<ChaosStores> => {
  const folder = await makeDataFolder()
  return {
    name: 'SQLite and files',
    folder: folder.path,
    start: (_process, environment) => startServiceProcess(folder.path, environment),
    startAndKill: (milliseconds, environment) => killWhileStarting(folder.path, milliseconds, environment),
    uploads: async () => (await storedUploads(folder)).length,
    check: () => checkSqlite(join(folder.path, 'documents.sqlite')),
    remove: () => folder.remove(),
  }
}

/** Rejects if the servers are not built. The message contains the command that builds them. */
export const serverStores = async (): Promise<ChaosStores> => {
  const stores = await sharedStores()
  const blobs = await openBlobs(stores)
  const folders = [await makeDataFolder(), await makeDataFolder()] as const
  return {
    name: 'FerretDB and MinIO',
    folder: folders[0].path,
    start: (process) => startServiceProcess(folders[process].path, stores),
    startAndKill: (milliseconds) => killWhileStarting(folders[0].path, milliseconds, stores),
    uploads: async () => {
      const uploads = new Set<string>()
      for await (const { key } of blobs.list('')) uploads.add(key.split('/').slice(0, 3).join('/'))
      return uploads.size
    },
    check: () => [],
    remove: async () => {
      await blobs.close()
      for (const folder of folders) await folder.remove()
    },
  }
}
