/** Copies blobs concurrently, and compares the checksum of each at the end. */
import type { BlobKey, BlobStore, Checksum } from '@publishing-service/ports'
import { E } from '@publishing-service/domain/fp'
import { orThrow } from '../attempt.js'
import type { BlobSource, ListedBlob } from './content.js'
import { throwRejection } from './copy-failure.js'
import type { BlobLine } from './export-format.js'
import { forEachConcurrently } from './for-each-concurrently.js'

/** Both ends of a copy of blobs. */
export type BlobCopy = {
  readonly from: BlobSource
  readonly to: BlobStore
  readonly checksum: () => Checksum
}

/** Receives the numbers of bytes that are done. */
export type Done = (bytes: number) => void

export const concurrency = 8

/** A body, and the errors that it throws, because the receiving store only reports an interruption. */
export const withErrors = (body: AsyncIterable<Uint8Array>) => {
  const thrown: unknown[] = []
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      thrown.push(error)
      throw error
    }
  }
  return { chunks: chunks(), thrown }
}

/** Blobs that were removed or changed in the meantime are left to the comparison. */
const copyBlob = async ({ from, to }: BlobCopy, { key, bytes }: ListedBlob): Promise<void> => {
  if ((await orThrow(to.size(key))) === bytes) return
  const body = await from.store.read(key)()
  if (E.isLeft(body)) {
    if (body.left._tag === 'BlobNotFound') return
    throw body.left
  }
  const { chunks, thrown } = withErrors(body.right.chunks)
  const written = await to.write(key, chunks, bytes)()
  if (E.isRight(written) || written.left._tag === 'BlobTooLarge') return
  throw written.left._tag === 'BodyInterrupted' ? thrown[0] : written.left
}

/** Removes blobs of the target that the source does not have, and returns their number. */
export const removeExtraBlobs = async ({ from, to }: BlobCopy): Promise<number> => {
  let removed = 0
  await forEachConcurrently(to.list(''), concurrency, async ({ key }) => {
    if ((await orThrow(from.store.size(key))) !== null) return
    await orThrow(to.remove(key))
    removed += 1
  })
  return removed
}

/** Copies missing blobs. Blobs of the same size in the target count as copied. */
export const copyBlobs = (copy: BlobCopy, done: Done): Promise<void> =>
  forEachConcurrently(copy.from.list(), concurrency, async (entry) => {
    await copyBlob(copy, entry)
    done(entry.bytes)
  })

/** Null if there is no such blob. */
export const checksumOf = async (
  store: Pick<BlobStore, 'read'>,
  key: BlobKey,
  checksum: BlobCopy['checksum'],
): Promise<string | null> => {
  const body = await store.read(key)()
  if (E.isLeft(body)) {
    if (body.left._tag === 'BlobNotFound') return null
    throw body.left
  }
  const sum = checksum()
  for await (const chunk of body.right.chunks) sum.add(chunk)
  return sum.value()
}

/**
 * Compares blobs of a store with the checksums that they are listed with. Throws ExportDamaged for one that is missing or differs,
 * once `onDamaged` has ended.
 */
export const requireIntact = (
  store: Pick<BlobStore, 'read'>,
  blobs: AsyncIterable<ListedBlob>,
  { checksum, done }: { readonly checksum: BlobCopy['checksum']; readonly done: Done },
  onDamaged: (key: BlobKey) => Promise<void> = async () => undefined,
): Promise<void> =>
  forEachConcurrently(blobs, concurrency, async ({ key, bytes, sha256 }) => {
    const found = await checksumOf(store, key, checksum)
    if (found !== sha256) {
      await onDamaged(key)
      throwRejection({
        _tag: 'ExportDamaged',
        problem: `blob ${key} is ${found === null ? 'missing' : 'damaged'}`,
      })
    }
    done(bytes)
  })

export type BlobComparison = {
  /** Equal blobs. */
  readonly equal: number
  /** Blobs that were added to or removed from the source in the meantime. */
  readonly changed: number
  /** Blobs that differ in the target. */
  readonly damaged: number
}

/**
 * Compares all blobs that the source lists, and passes the equal ones to `onEqual`. Removes different blobs from the target, so
 * that the next run copies them. `mayBeGone`: blobs that the source no longer has are as they were copied.
 */
export const compareBlobs = async (
  copy: BlobCopy,
  done: Done,
  {
    onEqual = async () => undefined,
    mayBeGone = false,
  }: { readonly onEqual?: (blob: BlobLine) => Promise<void>; readonly mayBeGone?: boolean } = {},
): Promise<BlobComparison> => {
  const { from, to, checksum } = copy
  const counts = { equal: 0, changed: 0, damaged: 0 }
  await forEachConcurrently(from.list(), concurrency, async ({ key, bytes, sha256 }) => {
    const [source, target] = await Promise.all([
      sha256 ?? checksumOf(from.store, key, checksum),
      checksumOf(to, key, checksum),
    ])
    if (target !== null && (source === target || (source === null && mayBeGone))) {
      counts.equal += 1
      await onEqual({ blob: key, bytes, sha256: target })
    } else {
      counts[source === null || target === null ? 'changed' : 'damaged'] += 1
      await orThrow(to.remove(key))
    }
    done(bytes)
  })
  let targetCount = 0
  for await (const _entry of to.list('')) targetCount += 1
  if (targetCount > counts.equal) counts.changed += await removeExtraBlobs(copy)
  return counts
}
