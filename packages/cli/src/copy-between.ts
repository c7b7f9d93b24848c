/** Opens both sides of a copy, an export or an import, and runs it until it is done. */
import { setTimeout } from 'node:timers/promises'
import {
  copyStorage,
  exportStorage,
  importStorage,
  type CopyFailure,
  type CopyResult,
  type CopyTools,
  type SourceStores,
} from '@publishing-service/application'
import {
  createContainer,
  prepareDataDirectory,
  tokens,
  errorText,
} from '@publishing-service/composition-root'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Side, Sides } from './copy-sides.js'
import { copyCommandFailure, type NamedSides } from './copy-messages.js'
import { createExport, openExport, requireNoExport, sideOfExport } from './export-folder.js'
import type { ProgressDisplay } from './progress-display.js'

/** Opens the stores of a side for a task. Rejects with an Error that names the side whose stores can't be opened. */
export const withStores = async <A>(
  { configuration, name, places }: Side,
  task: (stores: SourceStores & Pick<CopyTools, 'checksum'>) => Promise<A>,
): Promise<A> => {
  const container = createContainer(configuration)
  const open = async () => {
    await prepareDataDirectory(configuration)
    const documents = await container.getAsync(tokens.documents)
    return { documents, blobs: await container.getAsync(tokens.blobs) }
  }
  try {
    const stores = await open().catch((error: unknown) => {
      throw new Error(`${name}: ${errorText(error)}`, { cause: error })
    })
    const checksum = await container.getAsync(tokens.checksum)
    const time = new Date((await container.getAsync(tokens.clock)).now()).toISOString()
    return await task({ ...stores, checksum, time, name: `${places.documents} and ${places.blobs}` })
  } finally {
    // The container rejects again with the error of a failed binding.
    await Promise.allSettled([container.unbindAll()])
  }
}

/** Delays before further attempts, in milliseconds. An attempt of more than a minute resets them. */
const pauses = [1000, 2000, 4000, 8000]
const longRun = 60_000

/** Retries while a store is unavailable, unless it is full. */
export const runPersistently = async <A>(
  copy: TaskEither<CopyFailure, A>,
  sides: NamedSides,
  say: ProgressDisplay['printLine'],
): Promise<A> => {
  for (let failed = 0; ;) {
    const began = performance.now()
    const copied = await copy()
    if (E.isRight(copied)) return copied.right
    if (performance.now() - began > longRun) failed = 0
    const pause = pauses[failed]
    if (copied.left._tag !== 'PortFailure' || copied.left.storageFull === true || pause === undefined)
      throw copyCommandFailure(copied.left, sides)
    const { part, reason } = copied.left
    say(`The ${part} is unavailable: ${errorText(reason)}. Trying again in ${pause / 1000} s.`)
    await setTimeout(pause)
    failed += 1
  }
}

/** Copies one side into the other. */
export const copyBetween = (sides: Sides, { update, printLine }: ProgressDisplay): Promise<CopyResult> =>
  withStores(sides.from, (from) =>
    withStores(sides.to, (to) => {
      const sharesBlobs = sides.from.places.blobs === sides.to.places.blobs
      const copy = copyStorage(from, to, { checksum: from.checksum, onProgress: update, sharesBlobs })
      return runPersistently(copy, sides, printLine)
    }),
  )

/** Exports a side to a folder. */
export const exportTo = async (
  folder: string,
  side: Side,
  { update, printLine }: ProgressDisplay,
): Promise<CopyResult> => {
  await requireNoExport(folder)
  return withStores(side, (from) => {
    const copy = async () => {
      const to = await createExport(folder)
      try {
        const result = await exportStorage(from, to, { checksum: from.checksum, onProgress: update })()
        if (E.isRight(result)) await to.complete()
        return result
      } finally {
        await to.close()
      }
    }
    return runPersistently(copy, { from: side, to: sideOfExport(folder) }, printLine)
  })
}

/** Imports the export of a folder to a side. */
export const importFrom = async (
  folder: string,
  side: Side,
  { update, printLine }: ProgressDisplay,
): Promise<CopyResult> => {
  const from = await openExport(folder)
  try {
    return await withStores(side, (to) => {
      const copy = importStorage(from, to, { checksum: to.checksum, onProgress: update })
      return runPersistently(copy, { from: sideOfExport(folder), to: side }, printLine)
    })
  } finally {
    await from.blobs.close()
  }
}
