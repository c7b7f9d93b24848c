/**
 * Data folders with large publications, created once in the cache folder of the user. The name of a folder is derived from
 * the declarations and the seed: if these change, a new folder is created and the old one is deleted.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { collections } from '@publishing-service/application'
import { fillSqliteFile, type FilledDocument } from '@publishing-service/adapter-sqlite'
import { startService } from '@publishing-service/composition-root'
import { configurationOf } from '../../harness/start-test-service.js'
import { grouped } from '../text-table.js'
import { tokenFor, type Tokens } from '../publication.js'
import { seedDocuments, seededInstance, settings, type SeedSize } from './seed-documents.js'

export type Seed = { readonly size: SeedSize; readonly dataDirectory: string; readonly tokens: Tokens }

type Progress = (text: string) => void

/** Bytes on disk of a document with its indexes and texts, in the middle. */
const bytesOf = ({ locations, content, others, tagsEach }: SeedSize): number =>
  locations * (2500 + 600 * tagsEach) + content * (4000 + 600 * tagsEach) + others * 11_500

const seedKey = (): string => {
  const hash = createHash('sha256').update(JSON.stringify(collections))
  for (const document of seedDocuments({ locations: 50, content: 50, others: 50, tagsEach: 5 }))
    hash.update(JSON.stringify(document))
  return hash.digest('hex').slice(0, 12)
}

const seedsFolder = (): string => {
  const base = process.env['XDG_CACHE_HOME']
  return join(
    base !== undefined && base !== '' ? base : join(homedir(), '.cache'),
    'publishing-service',
    'bench',
  )
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const nameOf = ({ locations, content, others, tagsEach }: SeedSize): string =>
  [locations, content, others, tagsEach].join('-')

function* reported(documents: Iterable<FilledDocument>, progress: Progress): Generator<FilledDocument> {
  let made = 0
  for (const document of documents) {
    yield document
    made += 1
    if (made % 10_000 === 0) progress(`${grouped(made)} documents`)
  }
  progress('indexes, texts and group counts')
}

/** Writes a temporary file and renames it, so that an existing seed is complete. */
const fill = async (folder: string, size: SeedSize, progress: Progress): Promise<void> => {
  const building = `${folder}.${process.pid}`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true })
  try {
    const file = join(building, 'documents.sqlite')
    fillSqliteFile({ file, collections }, reported(seedDocuments(size), progress))
    await rename(building, folder)
  } finally {
    await rm(building, { recursive: true, force: true })
  }
}

/** Why there is no room for a publication of this size; null if there is. */
export const lackOfRoom = async (size: SeedSize): Promise<string | null> => {
  const root = seedsFolder()
  await mkdir(root, { recursive: true })
  if (await exists(join(root, seedKey(), nameOf(size)))) return null
  const { bavail, bsize } = await statfs(root)
  const [free, needed] = [bavail * bsize, 2 * bytesOf(size)]
  return free >= needed
    ? null
    : `${root} has ${Math.round(free / 1e9)} GB free, and ${Math.ceil(needed / 1e9)} GB are needed`
}

const tokensOn = async (dataDirectory: string): Promise<Tokens> => {
  const service = await startService(
    configurationOf({ DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'error' }),
  )
  try {
    const { administerInstances: instances, completeComputed } = service.useCases
    // The folder has its instance from the second time on.
    await instances.create({ number: seededInstance, title: 'Seeded', ...settings })()
    // The service reads each document of an instance once, which would take processor time from the measured requests.
    await completeComputed()
    const token = (role: 'reader' | 'public_user' | 'editor') => tokenFor(service, seededInstance, role)
    return {
      reader: await token('reader'),
      visitor: await token('public_user'),
      editor: await token('editor'),
    }
  } finally {
    await service.stop()
  }
}

/** The folder of a size, filled first where it isn't there, with tokens for its instance. */
export const seedOf = async (size: SeedSize, progress: Progress): Promise<Seed> => {
  const root = seedsFolder()
  const folder = join(root, seedKey(), nameOf(size))
  await mkdir(dirname(folder), { recursive: true })
  for (const other of await readdir(root))
    if (other !== seedKey()) await rm(join(root, other), { recursive: true, force: true })
  if (!(await exists(folder))) await fill(folder, size, progress)
  return { size, dataDirectory: folder, tokens: await tokensOn(folder) }
}
