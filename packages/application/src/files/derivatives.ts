import { LRUCache } from 'lru-cache'
import type { Problem } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { PixelSummary } from '@publishing-service/domain/files'
import {
  derivativeName,
  surplusDerivatives,
  type ImageLimits,
  type Rendering,
  type StoredDerivative,
} from '@publishing-service/domain/images'
import {
  chunksOf,
  isPortFailure,
  type BlobStore,
  type ByteRange,
  type ImageUnreadable,
} from '@publishing-service/ports'
import { attempt, fail } from '../attempt.js'
import { entryLimit } from '../entry-limit.js'
import { internalError, type Failure } from '../failure.js'
import { createKeyedMutex } from '../keyed-mutex.js'
import type { Ports } from '../ports.js'
import {
  type Digest,
  beginReading,
  derivativeBlob,
  derivativeHeaderBytes,
  derivedBlob,
  originalBlob,
  readDerivative,
  verifiedChunks,
} from './file-blobs.js'
import { createScalingQueue, type QueuedJob, type Requester } from './scaling-queue.js'

/** A scaled image: in the blob store, or in memory if it was just made. */
export type Derivative = {
  readonly bytes: number
  /** Unique among the derivatives of the original. */
  readonly name: string
  /** Throws a Failure, and so do the chunks. */
  readonly read: (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>
}

/** The data of one upload. */
export type Original = {
  readonly upload: string
  readonly bytes: number
  /** Throws a Failure, and so do the chunks: the last one only follows if all of it is as it was written. */
  readonly read: () => Promise<AsyncIterable<Uint8Array>>
}

type Scaled<A> = Promise<Either<Failure | ImageUnreadable, A>>
type Job = QueuedJob<Failure | ImageUnreadable, Uint8Array>

export const outdated: Problem = {
  _tag: 'NotFound',
  hint: 'This download address is outdated: request the metadata of the file again for the current one.',
}

/** The chunks of an upload's data, without a check of their size or checksum. */
export const openOriginal = async (
  blobs: Pick<BlobStore, 'read'>,
  upload: string,
): Promise<Either<Failure, AsyncIterable<Uint8Array>>> => {
  const opened = await blobs.read(originalBlob(upload))()
  if (E.isRight(opened)) return E.right(opened.right.chunks)
  return E.left(opened.left._tag === 'BlobNotFound' ? outdated : opened.left)
}

/** The number of derivatives whose last use is cached; for others the time of writing is used. */
const cachedUses = 20_000

async function* inMemory(data: Uint8Array, range: ByteRange | undefined) {
  yield range === undefined ? data : data.subarray(range.start, range.end + 1)
}

/**
 * The derivatives of files. Each is made once from a verified original and stored next to it. Their number is limited
 * for each file: the least recently used are removed. Several processes may make the same derivative. A damaged
 * derivative is made again.
 */
export class Derivatives {
  private readonly queue = createScalingQueue(
    this.ports.clock,
    this.ports.metrics,
    this.ports.imaging.parallel,
    this.limits,
  )
  /** By key, until the derivative is stored, so that concurrent first requests share one job. */
  readonly #inProgress = new Map<string, Job>()
  readonly #used = new LRUCache<string, number>(entryLimit(cachedUses))
  readonly #exclusively = createKeyedMutex()

  constructor(
    private readonly ports: Pick<Ports, 'blobs' | 'imaging' | 'clock' | 'checksum' | 'log' | 'metrics'>,
    private readonly limits: ImageLimits,
  ) {}

  #warn(event: string, key: string, reason: string): void {
    return this.ports.log.write('warn', event, { key, reason })
  }

  /** Reports what no request waits for. */
  #reportDefect(error: unknown): void {
    return this.ports.log.write('error', 'defect', {
      reason: error instanceof Error ? error.stack : String(error),
    })
  }

  /**
   * Stores a derivative that has been sent, and removes those that were used least recently. If that fails, the next
   * request makes it again.
   */
  async #store(upload: string, key: string, data: Uint8Array): Promise<void> {
    try {
      const blob = derivativeBlob(data, this.ports.checksum())
      const stored = await this.ports.blobs.write(key, blob, derivativeHeaderBytes + data.length)()
      if (E.isLeft(stored)) {
        const reason = stored.left._tag === 'PortFailure' ? stored.left.reason : stored.left._tag
        return this.#warn('scaled image not stored', key, reason)
      }
      const others: StoredDerivative[] = []
      const original = originalBlob(upload)
      let isOriginalThere = false
      for await (const { key: found, written } of this.ports.blobs.list(upload)) {
        if (found === original) isOriginalThere = true
        else if (found !== key)
          others.push({ key: found, lastUsed: Math.max(written, this.#used.get(found) ?? 0) })
      }
      // If the original was deleted or replaced in the meantime, its derivatives are removed.
      const surplus = isOriginalThere
        ? surplusDerivatives(others, this.limits.derivatives - 1)
        : [{ key: upload }]
      for (const { key: path } of surplus) {
        const removed = await this.ports.blobs.remove(path)()
        if (E.isLeft(removed)) fail(removed.left)
      }
    } catch (error) {
      if (isPortFailure(error)) return this.#warn('scaled images not removed', upload, error.reason)
      this.#reportDefect(error)
    }
  }

  /** Stores the result of a job, while it is sent. Until then the job stays in `inProgress`. */
  async #finish(upload: string, key: string, result: Job['result']): Promise<void> {
    try {
      const made = await result
      if (E.isRight(made)) await this.#exclusively(upload, () => this.#store(upload, key, made.right))
    } catch {
      // The requests that wait for the result report it.
    } finally {
      this.#inProgress.delete(key)
    }
  }

  /** Makes an image. Its original is verified while it is read, before the adapter has all of it. */
  async #make({ bytes, read }: Original, rendering: Rendering): Scaled<Uint8Array> {
    const made = await attempt(
      this.ports.imaging.scale<Failure>({ bytes, open: () => attempt(() => read()) }, rendering),
    )
    return E.isLeft(made) ? made : made.right
  }

  /** One job for all concurrent requests. A rejected job can be queued by another request. */
  async #scale(
    original: Original,
    rendering: Rendering,
    key: string,
    requester: Requester,
  ): Scaled<Uint8Array> {
    const existing = this.#inProgress.get(key)
    if (existing !== undefined) {
      existing.join(requester)
      return existing.result
    }
    const queued = this.queue.add(requester, () => this.#make(original, rendering))
    if (E.isLeft(queued)) return queued
    this.#inProgress.set(key, queued.right)
    void this.#finish(original.upload, key, queued.right.result)
    return queued.right.result
  }

  /** Makes an image unless it is stored, or is being made. */
  async #makeInBackground(original: Original, rendering: Rendering): Promise<void> {
    const key = derivedBlob(original.upload, derivativeName(rendering, this.ports.imaging.version))
    const stored = await attempt(() => readDerivative(this.ports.blobs, key))
    if (E.isLeft(stored) || stored.right !== null || this.#inProgress.has(key)) return
    const result = this.#make(original, rendering)
    this.#inProgress.set(key, { result, join: () => undefined })
    await this.#finish(original.upload, key, result)
  }

  #warnOfDamage(key: string): void {
    return this.#warn('scaled image damaged', key, 'it is made again')
  }

  /** Reads a stored image. Makes it again if it is gone, or found damaged before any of it is sent. Throws a Failure. */
  async #readStored(
    key: string,
    digest: Digest,
    makeAgain: () => Scaled<Uint8Array>,
    range: ByteRange | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { start, end } = range ?? { start: 0, end: digest.bytes - 1 }
    const inBlob = { start: start + derivativeHeaderBytes, end: end + derivativeHeaderBytes }
    const opened = await this.ports.blobs.read(key, inBlob)()
    if (E.isRight(opened)) {
      const { chunks } = opened.right
      if (range !== undefined) return beginReading(chunksOf(end - start + 1, chunks))
      const damaged = async (): Promise<Failure> => {
        this.#warnOfDamage(key)
        await this.ports.blobs.remove(key)()
        return internalError
      }
      try {
        return await beginReading(verifiedChunks(chunks, digest, this.ports.checksum(), damaged))
      } catch (error) {
        if (error !== internalError) throw error
      }
    } else if (opened.left._tag === 'PortFailure') fail(opened.left)
    const made = await makeAgain()
    if (E.isLeft(made)) {
      if (made.left._tag !== 'ImageUnreadable') fail(made.left)
      throw new Error(`what was scaled before is unreadable: ${made.left.reason}`)
    }
    // The response has been announced with this size.
    if (made.right.length !== digest.bytes) fail(internalError)
    return inMemory(made.right, range)
  }

  /** Returns a rendered image: the stored one, or a new one, which is then stored. */
  async derivative(original: Original, rendering: Rendering, requester: Requester): Scaled<Derivative> {
    const name = derivativeName(rendering, this.ports.imaging.version)
    const key = derivedBlob(original.upload, name)
    const stored = await readDerivative(this.ports.blobs, key)
    this.#used.set(key, this.ports.clock.now())
    const digest = stored?.digest ?? null
    if (digest !== null) {
      if (stored?.isWhole === true)
        return E.right({
          bytes: digest.bytes,
          name,
          read: (range) =>
            this.#readStored(key, digest, () => this.#scale(original, rendering, key, requester), range),
        })
      this.#warnOfDamage(key)
    }
    const made = await this.#scale(original, rendering, key, requester)
    if (E.isLeft(made)) return made
    const data = made.right
    return E.right({ bytes: data.length, name, read: async (range) => inMemory(data, range) })
  }

  /** Makes and stores images that will be requested, when no client waits for one. They are lost if the process ends. */
  prepare(original: Original, renderings: readonly Rendering[]): void {
    for (const rendering of renderings)
      this.queue.addInBackground(() =>
        this.#makeInBackground(original, rendering).catch((error) => this.#reportDefect(error)),
      )
  }

  /** Returns what is found in the pixels of an image, of which nothing is stored here. */
  async summary(
    { upload, bytes }: Pick<Original, 'upload' | 'bytes'>,
    requester: Requester,
  ): Scaled<PixelSummary> {
    const queued = this.queue.add(
      requester,
      this.ports.imaging.summarise<Failure>({ bytes, open: () => openOriginal(this.ports.blobs, upload) }),
    )
    return E.isLeft(queued) ? queued : queued.right.result
  }
}
