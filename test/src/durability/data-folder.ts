/** Data directories for tests, and the files that the blob store has in them. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFirstData } from '../harness/start-test-service.js'
import { bootstrapKey } from './service-process.js'

export type DataFolder = { readonly path: string; readonly remove: () => Promise<void> }

export const makeDataFolder = async (): Promise<DataFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'durability-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

let firstData: Promise<string> | null = null

/** With the data of a first start of `startServiceProcess`, which are copied faster than they are made. */
export const makeFilledFolder = async (): Promise<DataFolder> => {
  const { key, secret } = bootstrapKey
  firstData ??= makeFirstData({ BOOTSTRAP_API_KEY: key, BOOTSTRAP_API_SECRET: secret })
  const folder = await makeDataFolder()
  await cp(await firstData, folder.path, { recursive: true })
  return folder
}

const namesIn = async (path: string): Promise<readonly string[]> => {
  try {
    return await readdir(path)
  } catch (error) {
    // The directory was removed after its parent was listed.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The uploads with blobs, as `instance/file/upload`. */
export const storedUploads = async ({ path }: DataFolder): Promise<readonly string[]> => {
  let found: readonly string[] = ['']
  for (let depth = 1; depth <= 4; depth += 1) {
    const below: string[] = []
    for (const parent of found)
      for (const name of await namesIn(join(path, 'blobs', 'blobs', parent)))
        // The blob store has files of its own outside of the instance directories.
        if (depth > 1 || /^\d+$/.test(name)) below.push(join(parent, name))
    found = below
  }
  return [...new Set(found.map((each) => dirname(each)))].toSorted()
}

/** The files of incomplete uploads. */
export const incomingFiles = ({ path }: Pick<DataFolder, 'path'>): Promise<readonly string[]> =>
  readdir(join(path, 'blobs', 'incoming'))
