/** The stores of services that are killed: one data folder, or a PostgreSQL or MongoDB and a MinIO. */
import { join } from 'node:path'
import { Database } from '@publishing-service/adapter-sqlite/better-sqlite3'
import { sharedStores, type SharedStore } from '../several-processes/shared-stores.js'
import { makeDataFolder, makeFilledFolder } from './data-folder.js'
import {
  killWhileStarting,
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from './service-process.js'

export type KillableStores = {
  /** The data folder whose power can be cut; null on servers. */
  readonly folder: string | null
  /** Starts one of two processes. On servers they have separate data folders. */
  readonly start: (process: 0 | 1, environment?: Environment) => Promise<ServiceProcess>
  /** Starts a process and kills it after this number of milliseconds. */
  readonly startAndKill: (milliseconds: number, environment?: Environment) => Promise<void>
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

export const embeddedStores = async (): Promise<KillableStores> => {
  const { path, remove } = await makeFilledFolder()
  return {
    folder: path,
    start: (_process, environment) => startServiceProcess(path, environment),
    startAndKill: (milliseconds, environment) => killWhileStarting(path, milliseconds, environment),
    check: () => checkSqlite(join(path, 'documents.sqlite')),
    remove,
  }
}

/** Rejects if the servers are not built. The message contains the command that builds them. */
export const serverStores = async (store: SharedStore): Promise<KillableStores> => {
  const stores = await sharedStores(store)
  const folders = [await makeDataFolder(), await makeDataFolder()] as const
  return {
    folder: null,
    start: (process) => startServiceProcess(folders[process].path, stores),
    startAndKill: (milliseconds) => killWhileStarting(folders[0].path, milliseconds, stores),
    check: () => [],
    remove: async () => {
      for (const folder of folders) await folder.remove()
    },
  }
}
