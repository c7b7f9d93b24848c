/** Verifies all file data against the documents, and that no two objects have one path. Only reads, with bounded memory. */
import { stateIn, file } from '@publishing-service/domain'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { isPortFailure, type BlobKey, type PortFailure } from '@publishing-service/ports'
import { internalError } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { forEachConcurrently } from '../storage-copy/for-each-concurrently.js'
import { fail, orThrow } from '../attempt.js'
import { pathOwners } from '../upgrades/complete-places.js'
import { holderOfPath } from '../paths/places.js'
import { documentsOf, liveInstances, partitionOf } from '../storage-copy/partitions.js'
import type { Ports } from '../ports.js'
import {
  type Digest,
  cancelRead,
  derivativeHeaderBytes,
  isDerived,
  originalBlob,
  readDerivative,
  verifiedChunks,
} from './file-blobs.js'
import type { GarbageCollection } from './garbage-collection.js'

export type VerifyStep = 'verify file data' | 'verify scaled images'

/** The progress of a step, in bytes. */
export type VerifyProgress = { readonly step: VerifyStep; readonly done: number; readonly total: number }

/** Findings of one kind: all are counted, the first are listed. */
export type Findings = { readonly count: number; readonly first: readonly string[] }

const findingKinds = [
  'missing',
  'wrongSize',
  'wrongChecksum',
  'damagedScaled',
  'orphaned',
  'samePath',
] as const
type FindingKind = (typeof findingKinds)[number]

export type Verification = Readonly<Record<FindingKind, Findings>> & {
  /** Files that have data. */
  readonly files: number
  /** The size of their data according to the documents. */
  readonly bytes: number
  readonly scaledImages: number
}

/** Blobs of the service itself aren’t in the folder of an instance. */
const isOfUpload = (key: BlobKey): boolean => /^\d+\//.test(key)

const maxListed = 1000
const concurrency = 4

const createFindings = () => {
  const lists = new Map<FindingKind, { count: number; readonly first: string[] }>(
    findingKinds.map((kind) => [kind, { count: 0, first: [] }]),
  )
  const of = (kind: FindingKind) => lists.get(kind) ?? { count: 0, first: [] }
  return {
    add: (kind: FindingKind, place: string): void => {
      const list = of(kind)
      list.count += 1
      if (list.first.length < maxListed) list.first.push(place)
    },
    all: (): Readonly<Record<FindingKind, Findings>> => ({
      missing: of('missing'),
      wrongSize: of('wrongSize'),
      wrongChecksum: of('wrongChecksum'),
      damagedScaled: of('damagedScaled'),
      orphaned: of('orphaned'),
      samePath: of('samePath'),
    }),
  }
}

export const verifyStorage = (
  { documents, blobs, checksum, clock }: Pick<Ports, 'documents' | 'blobs' | 'checksum' | 'clock'>,
  collection: Pick<GarbageCollection, 'eachOrphan'>,
) => {
  /** The fault of a blob after its first `skipped` bytes; null if it has none. Throws a PortFailure. */
  const faultOf = async (
    key: BlobKey,
    expected: Digest,
    skipped = 0,
  ): Promise<'missing' | 'wrongSize' | 'wrongChecksum' | null> => {
    const whole = skipped + expected.bytes
    const opened = await blobs.read(key, skipped === 0 ? undefined : { start: skipped, end: whole - 1 })()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'BlobNotFound') return 'missing'
      fail(opened.left)
    }
    if (opened.right.bytes !== whole) {
      await cancelRead(opened.right.chunks)
      return 'wrongSize'
    }
    try {
      const verified = verifiedChunks(opened.right.chunks, expected, checksum(), () => internalError)
      for await (const _chunk of verified) continue
      return null
    } catch (error) {
      if (error === internalError) return 'wrongChecksum'
      throw error
    }
  }

  async function* filesWithData() {
    for await (const { number: instance } of liveInstances(documents))
      for await (const { id, value } of documentsOf(documents, partitionOf(instance, file.collection))) {
        const { blob, byte_size, sha256 } = stateIn(file, value)
        const expected: Digest = { bytes: byte_size ?? 0, sha256: sha256 ?? '' }
        if (blob !== null) yield { instance, id, path: blob, expected }
      }
  }

  async function* allPathOwners() {
    for await (const { number: instance } of liveInstances(documents)) yield* pathOwners(documents, instance)
  }

  /** A running service may have replaced or deleted it. */
  const isStillReferenced = async (instance: number, id: string, path: string): Promise<boolean> => {
    const found = await orThrow(documents.get(file.collection, instance, id))
    return found !== null && stateIn(file, found.value).blob === path
  }

  const verify = async (onProgress: (progress: VerifyProgress) => void): Promise<Verification> => {
    const findings = createFindings()
    let [originalBytes, scaledBytes] = [0, 0]
    await collection.eachOrphan(
      ({ key, bytes }) => {
        if (!isDerived(key)) originalBytes += bytes
        else if (isOfUpload(key)) scaledBytes += bytes
      },
      (path) => findings.add('orphaned', path),
    )

    const progressOf = (step: VerifyStep, total: number): ((bytes: number) => void) => {
      let done = 0
      const more = (bytes: number): void => onProgress({ step, done: (done += bytes), total })
      more(0)
      return more
    }

    let [files, bytes, scaledImages] = [0, 0, 0]
    const verified = progressOf('verify file data', originalBytes)
    await forEachConcurrently(filesWithData(), concurrency, async ({ instance, id, path, expected }) => {
      const fault = await faultOf(originalBlob(path), expected)
      verified(expected.bytes)
      if (fault !== null && !(await isStillReferenced(instance, id, path))) return
      files += 1
      bytes += expected.bytes
      if (fault !== null) findings.add(fault, path)
    })

    const scaled = progressOf('verify scaled images', scaledBytes)
    await forEachConcurrently(blobs.list(''), concurrency, async (entry) => {
      if (!isDerived(entry.key) || !isOfUpload(entry.key)) return
      const stored = await readDerivative(blobs, entry.key)
      scaled(entry.bytes)
      if (stored === null) return
      scaledImages += 1
      // Blobs without a line were written by an earlier version, and are made again.
      if (stored.digest === null) return
      const fault = stored.isWhole
        ? await faultOf(entry.key, stored.digest, derivativeHeaderBytes)
        : 'wrongSize'
      if (fault !== null && fault !== 'missing') findings.add('damagedScaled', entry.key)
    })

    await forEachConcurrently(allPathOwners(), concurrency, async ({ instance, value, ...owner }) => {
      const at = { documents: documentsIn(documents, instance), clock, checksum }
      const holder = await holderOfPath(at, owner, value)
      if (holder !== null)
        findings.add(
          'samePath',
          `${instance}/${owner.resource.collection}/${owner.id} has the path of ${instance}/${holder.collection}/${holder.id}`,
        )
    })

    return { files, bytes, scaledImages, ...findings.all() }
  }

  return (report: (progress: VerifyProgress) => void): TaskEither<PortFailure, Verification> =>
    async () => {
      try {
        return E.right(await verify(report))
      } catch (error) {
        if (isPortFailure(error)) return E.left(error)
        throw error
      }
    }
}
