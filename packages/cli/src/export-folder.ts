/** An export in a folder: the lines in `export.jsonl`, and blobs as files below `blobs`. Only its owner can read it. */
import { createReadStream } from 'node:fs'
import { access, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes, openExportBlobs } from '@publishing-service/composition-root'
import { linesOf } from '@publishing-service/domain/json'
import { CommandFailure } from './command-failure.js'
import type { NamedSide } from './copy-sides.js'

const linesIn = (folder: string): string => join(folder, 'export.jsonl')

/** An export as a side of a copy. */
export const sideOfExport = (folder: string): NamedSide => ({
  name: folder,
  places: { documents: linesIn(folder), blobs: join(folder, 'blobs') },
})

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const wrongFolder = (line: string): CommandFailure =>
  new CommandFailure(exitCodes.refused, [line], 'Nothing was copied.')

/** Rejects if the folder has an export already. */
export const requireNoExport = async (folder: string): Promise<void> => {
  if (await exists(linesIn(folder))) throw wrongFolder(`${folder} contains an export. Choose another folder`)
}

/** Opens the folder, which is created if it is missing, for a new export. */
export const createExport = async (folder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const blobs = await openExportBlobs(folder)
  const unfinished = `${linesIn(folder)}.incomplete`
  const file = await open(unfinished, 'w', 0o600)
  let written: Promise<void> = Promise.resolve()
  return {
    blobs,
    /** Concurrent calls write one after the other. */
    write: (line: string): Promise<void> => (written = written.then(() => file.appendFile(line))),
    /** Gives the lines their name, once all are written. */
    complete: async (): Promise<void> => {
      await file.sync()
      await rename(unfinished, linesIn(folder))
    },
    close: async (): Promise<void> => {
      await file.close()
      await blobs.close()
    },
  }
}

/** Opens the export of a folder. Rejects if it has none. */
export const openExport = async (folder: string) => {
  if (!(await exists(linesIn(folder))))
    throw wrongFolder(`${folder} contains no export: export.jsonl is missing. Only a complete export has it`)
  const blobs = await openExportBlobs(folder)
  return { blobs, lines: () => linesOf(createReadStream(linesIn(folder), 'utf8')) }
}
