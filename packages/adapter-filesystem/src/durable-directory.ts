/**
 * Directories whose entries survive a power cut. A renamed file is durable only after the directories above it were
 * synchronized.
 */
import { mkdir, open, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsent, isNotEmpty, nullIfAbsent } from './file-failure.js'

/** Only the owner may use a directory. */
export const directoryMode = 0o700

/**
 * A concurrent removal can delete the directory that was just created. After so many attempts, the cause is another.
 */
const maxAttempts = 32

/** The directories from this one up to the root, both included. */
const directoriesUpTo = (root: string, directory: string): readonly string[] =>
  directory === root ? [root] : [directory, ...directoriesUpTo(root, dirname(directory))]

/** Makes added and removed entries of a directory durable. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Does nothing if the directory was removed concurrently. */
const syncIfExists = async (directory: string): Promise<void> => {
  await nullIfAbsent(syncDirectory(directory))
}

/** Creates the directory and those above it, durably. */
export const makeDurableDirectory = async (directory: string): Promise<void> => {
  const first = await mkdir(directory, { recursive: true, mode: directoryMode })
  const top = first === undefined ? directory : dirname(first)
  for (const each of directoriesUpTo(top, directory)) await syncDirectory(each)
}

/**
 * Moves a complete file to its path below the root, atomically and durably. All directories above are synchronized,
 * since another process may have created them and not synchronized them yet. The system combines these requests.
 */
export const moveIntoPlace = async (root: string, from: string, to: string): Promise<void> => {
  const parent = dirname(to)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to)
      break
    } catch (error) {
      if (!isAbsent(error) || attempt === maxAttempts) {
        if (attempt > 1) await pruneEmpty(root, parent)
        throw error
      }
      await mkdir(parent, { recursive: true, mode: directoryMode })
    }
  }
  await Promise.all(directoriesUpTo(root, parent).map(syncIfExists))
}

/** Removes this directory and those above it, up to the root, if they are empty. The removal is durable. */
export const pruneEmpty = async (root: string, directory: string): Promise<void> => {
  let current = directory
  while (current !== root) {
    try {
      await rmdir(current)
    } catch (error) {
      if (isNotEmpty(error)) break
      if (!isAbsent(error)) throw error
    }
    current = dirname(current)
  }
  await syncIfExists(current)
}
