/**
 * Directories whose entries outlast a power cut: a file that was moved into place is on the disk for good only when
 * the directories above it are.
 */
import { mkdir, open, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsent, isOccupied, orAbsent } from './file-failure.js'

/** The rights of a directory: its owner's alone. */
export const ownDirectory = 0o700

/** A removal can take away the directory just made, each time anew; more often than this it is something else. */
const attempts = 32

/** From this directory up to the root, both included. */
const upTo = (root: string, directory: string): readonly string[] =>
  directory === root ? [root] : [directory, ...upTo(root, dirname(directory))]

/** Makes what was entered into the directory and removed from it durable. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A directory that was removed in this moment, with all that it held, has nothing left to keep. */
const syncIfThere = async (directory: string): Promise<void> => {
  await orAbsent(syncDirectory(directory))
}

/** Makes the directory and all above it, and their entries durable. */
export const makeDurableDirectory = async (directory: string): Promise<void> => {
  const first = await mkdir(directory, { recursive: true, mode: ownDirectory })
  const top = first === undefined ? directory : dirname(first)
  for (const each of upTo(top, directory)) await syncDirectory(each)
}

/**
 * Moves a finished file to its place below the root, in one step and for good. Another process may have made the
 * directories above and not yet synchronized them, so all of them are; the system joins the requests into one.
 */
export const moveIntoPlace = async (root: string, from: string, to: string): Promise<void> => {
  const parent = dirname(to)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to)
      break
    } catch (error) {
      if (!isAbsent(error) || attempt === attempts) {
        if (attempt > 1) await pruneEmpty(root, parent)
        throw error
      }
      await mkdir(parent, { recursive: true, mode: ownDirectory })
    }
  }
  await Promise.all(upTo(root, parent).map(syncIfThere))
}

/** Removes the directories between here and the root that have become empty, and makes the removal durable. */
export const pruneEmpty = async (root: string, directory: string): Promise<void> => {
  let current = directory
  while (current !== root) {
    try {
      await rmdir(current)
    } catch (error) {
      if (isOccupied(error)) break
      if (!isAbsent(error)) throw error
    }
    current = dirname(current)
  }
  await syncIfThere(current)
}
