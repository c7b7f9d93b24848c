import { LRUCache } from 'lru-cache'
import {
  derivativeName,
  E,
  pipe,
  surplusDerivatives,
  TE,
  type ImageLimits,
  type StoredDerivative,
  type Size,
} from '@publishing-service/domain'
import { chunksOf, isPortFailure, type ByteRange, type ImageUnreadable } from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'
import { internalError, type Failure, type Outcome } from '../failure.js'
import { createKeyedMutex } from '../keyed-mutex.js'
import type { Ports } from '../ports.js'
import { derivedBlob, isDerived } from './blob-paths.js'
import { readOriginal } from './read-original.js'
import { createScalingQueue, type QueuedJob, type Requester } from './scaling-queue.js'
import { derivativeBlob, derivativeHeaderBytes, readDerivative } from './stored-derivative.js'
import { beginReading, verifiedChunks, type Digest, type ReadFailure } from './verified-data.js'

/** A scaled image: in the blob store, or in memory if it was just made. */
export type Derivative = {
  readonly bytes: number
  /** Unique among the derivatives of the original. */
  readonly name: string
  readonly read: (range?: ByteRange) => Outcome<AsyncIterable<Uint8Array>>
}

/** The data of one upload. */
export type Original = {
  readonly upload: string
  readonly bytes: number
  /** Reads all of it, and fails if it is damaged. */
  readonly verify: Outcome<void>
}

type Scaling = TE.TaskEither<Failure | ImageUnreadable, Uint8Array>
type Job = QueuedJob<Failure | ImageUnreadable, Uint8Array>

/** The number of derivatives whose last use is cached; for others the time of writing is used. */
const cachedUses = 20_000

async function* once(data: Uint8Array) {
  yield data
}

/**
 * The derivatives of files. Each is made once from a verified original and stored next to it. Their number is limited
 * for each file: the least recently used are removed. Several processes may make the same derivative. A damaged
 * derivative is made again.
 */
export const createDerivatives = (
  { blobs, imaging, clock, checksum, log }: Pick<Ports, 'blobs' | 'imaging' | 'clock' | 'checksum' | 'log'>,
  limits: ImageLimits,
) => {
  const queue = createScalingQueue(clock, imaging.parallel, limits)
  /** By key, until the derivative is stored, so that concurrent first requests share one job. */
  const inProgress = new Map<string, Job>()
  const used = new LRUCache<string, number>(entryLimit(cachedUses))
  const exclusively = createKeyedMutex()

  const warn = (event: string, key: string, reason: string): void => log.write('warn', event, { key, reason })

  const removeSurplus = async (upload: string, newest: string): Promise<void> => {
    const others: StoredDerivative[] = []
    let isOriginalThere = false
    for await (const { key, written } of blobs.list(upload)) {
      if (!isDerived(key)) isOriginalThere = true
      else if (key !== newest) others.push({ key, lastUsed: Math.max(written, used.get(key) ?? 0) })
    }
    // If the original was deleted or replaced in the meantime, its derivatives are removed.
    const surplus = isOriginalThere
      ? surplusDerivatives(others, limits.derivatives - 1).map(({ key }) => key)
      : [upload]
    for (const path of surplus) {
      const removed = await blobs.remove(path)()
      if (E.isLeft(removed)) throw removed.left
    }
  }

  /** Stores a derivative that has been sent. If that fails, the next request makes it again. */
  const save = async (upload: string, key: string, data: Uint8Array): Promise<void> => {
    const blob = derivativeBlob(data, checksum())
    const written = await blobs.write(key, blob, derivativeHeaderBytes + data.length)()
    if (E.isLeft(written)) {
      const reason = written.left._tag === 'PortFailure' ? written.left.reason : written.left._tag
      return warn('scaled image not stored', key, reason)
    }
    try {
      await removeSurplus(upload, key)
    } catch (error) {
      if (isPortFailure(error)) return warn('scaled images not removed', upload, error.reason)
      // No request waits for this any more.
      log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
    }
  }

  const scaled = ({ upload, bytes, verify }: Original, size: Size): Scaling =>
    pipe(
      verify,
      TE.chainW(() => imaging.scale({ bytes, open: readOriginal(blobs, upload) }, size)),
    )

  /** Returns the result of a job, and stores it afterwards. Until then the job stays in `inProgress`. */
  const finish = async (upload: string, key: string, result: Job['result']): Job['result'] => {
    const release = (): void => void inProgress.delete(key)
    try {
      const made = await result
      if (E.isLeft(made)) release()
      else
        void exclusively(upload, async () => E.right(await save(upload, key, made.right)))().finally(release)
      return made
    } catch (error) {
      release()
      throw error
    }
  }

  /** One job for all concurrent requests. A rejected job can be queued by another request. */
  const scaleOnce =
    (original: Original, size: Size, key: string, requester: Requester): Scaling =>
    async () => {
      const existing = inProgress.get(key)
      if (existing !== undefined) {
        existing.join(requester)
        return existing.result
      }
      const queued = queue.add(requester, scaled(original, size))
      if (E.isLeft(queued)) return queued
      const result = finish(original.upload, key, queued.right.result)
      inProgress.set(key, { ...queued.right, result })
      return result
    }

  const inMemory =
    (data: Uint8Array): Derivative['read'] =>
    (range) =>
      TE.right(once(range === undefined ? data : data.subarray(range.start, range.end + 1)))

  const damaged = (key: string): void => warn('scaled image damaged', key, 'it is made again')

  /** The running response fails; the next request makes the image again. */
  const failOnDamage =
    (key: string) =>
    (failure: ReadFailure): Failure => {
      if (failure._tag === 'PortFailure') return failure
      damaged(key)
      void blobs.remove(key)()
      return internalError
    }

  const scaleAgain =
    (
      original: Original,
      size: Size,
      key: string,
      { bytes }: Digest,
      requester: Requester,
    ): Derivative['read'] =>
    (range) =>
      pipe(
        scaleOnce(original, size, key, requester),
        TE.mapLeft((made): Failure => {
          if (made._tag !== 'ImageUnreadable') return made
          throw new Error(`what was scaled before is unreadable: ${made.reason}`)
        }),
        // The response has been announced with this size.
        TE.chain((data) => (data.length === bytes ? inMemory(data)(range) : TE.left(internalError))),
      )

  const fromStore =
    (original: Original, size: Size, key: string, digest: Digest, requester: Requester): Derivative['read'] =>
    (range) =>
    async () => {
      const { start, end } = range ?? { start: 0, end: digest.bytes - 1 }
      const inBlob = { start: start + derivativeHeaderBytes, end: end + derivativeHeaderBytes }
      const opened = await blobs.read(key, inBlob)()
      if (E.isLeft(opened)) {
        if (opened.left._tag === 'PortFailure') return E.left(opened.left)
        // Removed since it was read.
        return scaleAgain(original, size, key, digest, requester)(range)()
      }
      const { chunks } = opened.right
      const checked =
        range === undefined ? verifiedChunks(chunks, digest, checksum()) : chunksOf(end - start + 1, chunks)
      const begun = await beginReading(checked, failOnDamage(key))
      if (E.isRight(begun)) return begun
      if (begun.left._tag === 'PortFailure') return E.left(begun.left)
      damaged(key)
      return scaleAgain(original, size, key, digest, requester)(range)()
    }

  return (
    original: Original,
    size: Size,
    requester: Requester,
  ): TE.TaskEither<Failure | ImageUnreadable, Derivative> => {
    const name = derivativeName(size, imaging.version)
    const key = derivedBlob(original.upload, name)
    return pipe(
      readDerivative(blobs, key),
      TE.chainW((stored): TE.TaskEither<Failure | ImageUnreadable, Derivative> => {
        used.set(key, clock.now())
        const digest = stored?.digest ?? null
        if (digest !== null && stored?.isWhole !== true) damaged(key)
        else if (digest !== null)
          return TE.right({
            bytes: digest.bytes,
            name,
            read: fromStore(original, size, key, digest, requester),
          })
        return pipe(
          scaleOnce(original, size, key, requester),
          TE.map((data) => ({ bytes: data.length, name, read: inMemory(data) })),
        )
      }),
    )
  }
}

export type Derivatives = ReturnType<typeof createDerivatives>
