/** Opens the stores of both sides and copies one into the other. */
import { setTimeout } from 'node:timers/promises'
import {
  copyStorage,
  type CopyFailure,
  type CopyRequest,
  type CopyResult,
} from '@publishing-service/application'
import {
  createContainer,
  prepareDataDirectory,
  tokens,
  errorText,
} from '@publishing-service/composition-root'
import { E, type Either } from '@publishing-service/domain'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import type { TaskFailure } from './admin-task.js'
import type { Side, Sides } from './copy-sides.js'
import { copyTaskFailure } from './copy-messages.js'
import type { ProgressDisplay } from './progress-display.js'

type Stores = { readonly documents: DocumentStore; readonly blobs: BlobStore }

const open = async (container: ReturnType<typeof createContainer>, side: Side): Promise<Stores> => {
  try {
    await prepareDataDirectory(side.configuration)
    return {
      documents: await container.getAsync(tokens.documents),
      blobs: await container.getAsync(tokens.blobs),
    }
  } catch (error) {
    throw new Error(`${side.name}: ${errorText(error)}`, { cause: error })
  }
}

/** Delays before further attempts, in milliseconds. An attempt of more than a minute resets them. */
const pauses = [1000, 2000, 4000, 8000]
const longRun = 60_000

/** Retries while a store is unavailable. Each attempt continues where the previous one stopped. */
const copyPersistently = async (
  request: CopyRequest,
  say: ProgressDisplay['printLine'],
): Promise<Either<CopyFailure, CopyResult>> => {
  for (let failed = 0; ;) {
    const began = performance.now()
    const copied = await copyStorage(request)()
    if (performance.now() - began > longRun) failed = 0
    const pause = pauses[failed]
    if (E.isRight(copied) || copied.left._tag !== 'PortFailure' || pause === undefined) return copied
    const { part, reason } = copied.left
    say(`The ${part} is unavailable: ${errorText(reason)}. Trying again in ${pause / 1000} s.`)
    await setTimeout(pause)
    failed += 1
  }
}

/** Rejects with an Error that names the side whose stores can't be opened. */
export const copyBetween = async (
  sides: Sides,
  { update, printLine }: ProgressDisplay,
): Promise<Either<TaskFailure, CopyResult>> => {
  const containers = {
    from: createContainer(sides.from.configuration),
    to: createContainer(sides.to.configuration),
  }
  try {
    const from = await open(containers.from, sides.from)
    const to = await open(containers.to, sides.to)
    const { places } = sides.from
    const request: CopyRequest = {
      documents: { from: from.documents, to: to.documents },
      blobs: places.blobs === sides.to.places.blobs ? null : { from: from.blobs, to: to.blobs },
      source: `${places.documents} and ${places.blobs}`,
      checksum: await containers.from.getAsync(tokens.checksum),
      onProgress: update,
    }
    const copied = await copyPersistently(request, printLine)
    return E.isLeft(copied) ? E.left(copyTaskFailure(copied.left, sides)) : copied
  } finally {
    // The container rejects again with the error of a failed binding.
    await Promise.allSettled(Object.values(containers).map((container) => container.unbindAllAsync()))
  }
}
