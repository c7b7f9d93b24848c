/** Opens the stores of both sides and copies one into the other. */
import { setTimeout } from 'node:timers/promises'
import { copyStorage, type CopyRequest, type CopyResult } from '@publishing-service/application'
import {
  createContainer,
  prepareDataDirectory,
  tokens,
  errorText,
  type Container,
} from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import type { Side, Sides } from './copy-sides.js'
import { copyCommandFailure } from './copy-messages.js'
import type { ProgressDisplay } from './progress-display.js'

const open = async (container: Container, { configuration, name }: Side) => {
  try {
    await prepareDataDirectory(configuration)
    const documents = await container.getAsync(tokens.documents)
    return { documents, blobs: await container.getAsync(tokens.blobs) }
  } catch (error) {
    throw new Error(`${name}: ${errorText(error)}`, { cause: error })
  }
}

/** Delays before further attempts, in milliseconds. An attempt of more than a minute resets them. */
const pauses = [1000, 2000, 4000, 8000]
const longRun = 60_000

/** Retries while a store is unavailable. Each attempt continues where the previous one stopped. */
const copyPersistently = async (
  request: CopyRequest,
  sides: Sides,
  say: ProgressDisplay['printLine'],
): Promise<CopyResult> => {
  for (let failed = 0; ;) {
    const began = performance.now()
    const copied = await copyStorage(request)()
    if (E.isRight(copied)) return copied.right
    if (performance.now() - began > longRun) failed = 0
    const pause = pauses[failed]
    if (copied.left._tag !== 'PortFailure' || pause === undefined)
      throw copyCommandFailure(copied.left, sides)
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
): Promise<CopyResult> => {
  const source = createContainer(sides.from.configuration)
  const target = createContainer(sides.to.configuration)
  try {
    const from = await open(source, sides.from)
    const to = await open(target, sides.to)
    const { places } = sides.from
    const request: CopyRequest = {
      documents: { from: from.documents, to: to.documents },
      blobs: places.blobs === sides.to.places.blobs ? null : { from: from.blobs, to: to.blobs },
      source: `${places.documents} and ${places.blobs}`,
      checksum: await source.getAsync(tokens.checksum),
      position: (await target.getAsync(tokens.clock)).position,
      onProgress: update,
    }
    return await copyPersistently(request, sides, printLine)
  } finally {
    // The container rejects again with the error of a failed binding.
    await Promise.allSettled([source.unbindAll(), target.unbindAll()])
  }
}
