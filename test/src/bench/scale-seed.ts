/**
 * Data folders with large publications, created once in the cache folder of the user. The name of a folder is derived from
 * the declarations and the documents: if these change, a new folder is created and the old one is deleted.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fillSqliteFile } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { startService } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import { tokensFor, type Instance } from './publication.js'
import { instance, scaleDocuments, settings } from './scale-documents.js'

export type Seed = Instance & { readonly directory: string }

const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env
const root = join(cache, 'publishing-service', 'bench')

const seedKey = (): string => {
  const hash = createHash('sha256').update(JSON.stringify(collections))
  for (const document of scaleDocuments(50)) hash.update(JSON.stringify(document))
  return hash.digest('hex').slice(0, 12)
}

/** Renames the folder when it is complete. */
const fill = async (directory: string, objects: number): Promise<void> => {
  const building = `${directory}-incomplete`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true })
  fillSqliteFile({ file: join(building, 'documents.sqlite'), collections }, scaleDocuments(objects))
  await rename(building, directory)
}

/** The folder with so many content objects and locations, filled first if it does not exist. */
export const seedOf = async (objects: number): Promise<Seed> => {
  const key = seedKey()
  await mkdir(root, { recursive: true })
  for (const other of await readdir(root))
    if (other !== key) await rm(join(root, other), { recursive: true, force: true })
  const directory = join(root, key, String(objects))
  if (!existsSync(directory)) await fill(directory, objects)
  const service = await startService(configurationOf({ DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error' }))
  try {
    const { administerInstances, completeComputed } = service.useCases
    // The folder has its instance from the second time on.
    await administerInstances.create({ number: instance, title: 'Seeded', ...settings })()
    // The service reads each document of an instance once, which would take processor time from the measured requests.
    await completeComputed()
    return { directory, instance, tokens: await tokensFor(service, instance) }
  } finally {
    await service.stop()
  }
}
