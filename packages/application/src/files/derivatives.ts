import {
  derivativeName,
  E,
  pipe,
  surplusDerivatives,
  TE,
  type ImageLimits,
  type KeptDerivative,
  type Size,
} from '@publishing-service/domain'
import { isPortFailure, type ByteRange, type ImageUnreadable } from '@publishing-service/ports'
import { createBoundedMap } from '../bounded-map.js'
import type { Failure, Outcome } from '../failure.js'
import { createInTurn } from '../in-turn.js'
import type { Ports } from '../ports.js'
import { derivedBlob, isDerived, originalBlob } from './blob-paths.js'
import { createScalingQueue } from './scaling-queue.js'

/** Scaled data: in the blob store, or in hand because it has just been made. */
export type Derivative = {
  readonly bytes: number
  /** Tells it apart from others of the same original. */
  readonly name: string
  readonly read: (range?: ByteRange) => Outcome<AsyncIterable<Uint8Array>>
}

/** The data of one upload. */
export type Original = { readonly upload: string; readonly bytes: number }

type Making = TE.TaskEither<Failure | ImageUnreadable, Uint8Array>

/** Derivatives whose last use this process remembers; of others the store tells when they were made. */
const remembered = 20_000

async function* once(data: Uint8Array) {
  yield data
}

/**
 * The scaled images of files: made once, kept beside their original, and of each file a bounded number: those that
 * were used least recently go (decisions §10). Several processes at worst make one twice, of the same bytes.
 */
export const createDerivatives = (
  { blobs, imaging, clock, log }: Pick<Ports, 'blobs' | 'imaging' | 'clock' | 'log'>,
  limits: ImageLimits,
  read: (key: string) => Outcome<AsyncIterable<Uint8Array>>,
) => {
  const queued = createScalingQueue(clock, imaging.parallel, limits.queue)
  /** By key, until each is stored, so that simultaneous first requests make one. */
  const making = new Map<string, ReturnType<Making>>()
  const used = createBoundedMap<string, number>(remembered)
  const inTurn = createInTurn()

  const warn = (event: string, key: string, reason: string): void => log.write('warn', event, { key, reason })

  const removeSurplus = async (upload: string, newest: string): Promise<void> => {
    const kept: KeptDerivative[] = []
    let isOriginalThere = false
    for await (const { key, written } of blobs.list(upload)) {
      if (!isDerived(key)) isOriginalThere = true
      else if (key !== newest) kept.push({ key, lastUsed: Math.max(written, used.get(key) ?? 0) })
    }
    // Deleted or replaced in the meantime, its derivatives go with it.
    const surplus = isOriginalThere
      ? surplusDerivatives(kept, limits.derivatives - 1).map(({ key }) => key)
      : [upload]
    for (const path of surplus) {
      const removed = await blobs.remove(path)()
      if (E.isLeft(removed)) throw removed.left
    }
  }

  /** What can't be kept was sent all the same, and is made again when it is next asked for. */
  const keep = async (upload: string, key: string, data: Uint8Array): Promise<void> => {
    const written = await blobs.write(key, once(data), data.length)()
    if (E.isLeft(written)) {
      const reason = written.left._tag === 'PortFailure' ? written.left.reason : written.left._tag
      return warn('scaled image not kept', key, reason)
    }
    try {
      await removeSurplus(upload, key)
    } catch (error) {
      if (isPortFailure(error)) return warn('scaled images left over', upload, error.reason)
      // Nobody waits for this any more.
      log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
    }
  }

  const scaled = ({ upload, bytes }: Original, size: Size): Making => {
    const key = originalBlob(upload)
    return queued(imaging.scale({ bytes, open: read(key), file: blobs.file?.(key) }, size))
  }

  const make = async (original: Original, size: Size, key: string): ReturnType<Making> => {
    const { upload } = original
    const made = await scaled(original, size)()
    const forget = (): void => void making.delete(key)
    if (E.isLeft(made)) forget()
    else void inTurn(upload, async () => E.right(await keep(upload, key, made.right)))().finally(forget)
    return made
  }

  const makeOnce =
    (original: Original, size: Size, key: string): Making =>
    async () => {
      const under = making.get(key)
      if (under !== undefined) return under
      const mine = make(original, size, key)
      making.set(key, mine)
      return mine
    }

  const inHand =
    (data: Uint8Array): Derivative['read'] =>
    (range) =>
      TE.right(once(range === undefined ? data : data.subarray(range.start, range.end + 1)))

  const fromStore =
    (original: Original, size: Size, key: string): Derivative['read'] =>
    (range) =>
      pipe(
        blobs.read(key, range),
        TE.orElseW((failure) =>
          failure._tag === 'PortFailure'
            ? TE.left(failure)
            : // It had to make room for another since it was looked for.
              pipe(
                makeOnce(original, size, key),
                TE.mapLeft((made): Failure => {
                  if (made._tag !== 'ImageUnreadable') return made
                  throw new Error(`what was scaled before is unreadable: ${made.reason}`)
                }),
                TE.chain((data) => inHand(data)(range)),
              ),
        ),
      )

  return (original: Original, size: Size): TE.TaskEither<Failure | ImageUnreadable, Derivative> => {
    const name = derivativeName(size, imaging.version)
    const key = derivedBlob(original.upload, name)
    return pipe(
      blobs.size(key),
      TE.chainW((bytes): TE.TaskEither<Failure | ImageUnreadable, Derivative> => {
        used.set(key, clock.now())
        if (bytes !== null) return TE.right({ bytes, name, read: fromStore(original, size, key) })
        return pipe(
          makeOnce(original, size, key),
          TE.map((data) => ({ bytes: data.length, name, read: inHand(data) })),
        )
      }),
    )
  }
}
