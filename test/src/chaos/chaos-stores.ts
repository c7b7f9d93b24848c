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
  /** Starts a process; each number is one machine, or one process on the same folder. */
  readonly start: (process: number, more?: Environment) => Promise<ServiceProcess>
  /** Starts a process and kills it after so many milliseconds. */
  readonly startAndKill: (milliseconds: number, more?: Environment) => Promise<void>
  /** How many uploads the blob store holds data of. */
  readonly uploads: () => Promise<number>
  /** What the store itself finds wrong in its files. */
  readonly check: () => readonly string[]
  readonly remove: () => Promise<void>
}

const uploadOf = (key: string): string => key.split('/').slice(0, 3).join('/')

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
    name: 'SQLite, files',
    folder: folder.path,
    start: (_process, more) => startServiceProcess(folder.path, more),
    startAndKill: (milliseconds, more) => killWhileStarting(folder.path, milliseconds, more),
    uploads: async () => (await storedUploads(folder)).length,
    check: () => checkSqlite(join(folder.path, 'documents.sqlite')),
    remove: () => folder.remove(),
  }
}

/** Rejects, with the command that builds them, where the servers were not built yet. */
export const serverStores = async (): Promise<ChaosStores> => {
  const stores = await sharedStores()
  const blobs = await openBlobs(stores)
  const machines = [await makeDataFolder(), await makeDataFolder()] as const
  return {
    name: 'FerretDB, MinIO',
    folder: machines[0].path,
    start: (process, more = {}) =>
      startServiceProcess(machines[process === 0 ? 0 : 1].path, { ...stores, ...more }),
    startAndKill: (milliseconds, more = {}) =>
      killWhileStarting(machines[0].path, milliseconds, { ...stores, ...more }),
    uploads: async () => {
      const found = new Set<string>()
      for await (const { key } of blobs.list('')) found.add(uploadOf(key))
      return found.size
    },
    check: () => [],
    remove: async () => {
      await blobs.close()
      for (const machine of machines) await machine.remove()
    },
  }
}
