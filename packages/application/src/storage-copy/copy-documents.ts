/**
 * Copies the documents of a partition in batches, records the progress after each batch, and compares them at the end.
 */
import { pipe, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { Checksum, Document, DocumentStore, PortFailure } from '@publishing-service/ports'
import { initialMark, type CopyMarks, type PartitionMark } from './copy-marks.js'
import { rejectConflict, type CopyRejection } from './copy-failure.js'
import { allOrThrow } from '../attempt.js'
import { documentsAfter, pagesOf, type Partition } from './partitions.js'

export type DocumentCopy = {
  readonly from: DocumentStore
  readonly to: DocumentStore
  readonly marks: CopyMarks
  readonly checksum: () => Checksum
}

/** Receives the numbers of documents that are done. */
export type Done = (documents: number) => void

/** A checksum of texts that continues from an earlier one, so that it can be stored in between. */
const chainChecksums = (checksum: () => Checksum, start: string, texts: readonly string[]): string =>
  texts.reduce((before, text) => {
    const sum = checksum()
    sum.add(before)
    sum.add(text)
    return sum.value()
  }, start)

/** Removes documents that an interrupted run has written and not recorded. */
const removeUnmarked = async (to: DocumentStore, partition: Partition, count: number): Promise<void> => {
  const { instance, target } = partition
  for (;;) {
    const extra = await documentsAfter(to, partition, count)
    if (extra.length === 0) return
    await allOrThrow(
      extra.map(({ id, version }) =>
        rejectConflict(to.write(target.collection, instance, { kind: 'remove', id, version }, [])),
      ),
    )
  }
}

const insert = (
  to: DocumentStore,
  { instance, target: { collection, unique } }: Partition,
  { id, position, value }: Document,
): TaskEither<PortFailure | CopyRejection, unknown> => {
  const document = { id, position, unique: unique(value), value }
  return pipe(
    rejectConflict(to.write(collection, instance, { kind: 'insert', document }, [])),
    TE.mapLeft((failure) => {
      if (failure._tag !== 'DocumentTooLarge' && failure._tag !== 'UniqueConflict') return failure
      const limit = failure._tag === 'DocumentTooLarge' ? failure.limit : null
      return { _tag: 'DocumentRejected', instance, collection, id, limit }
    }),
  )
}

/** Whether the copied documents are unchanged in the source. */
const sourceMatchesMark = async (
  { from, checksum }: DocumentCopy,
  partition: Partition,
  mark: PartitionMark,
): Promise<boolean> => {
  let sum = { count: 0, checksum: '' }
  for await (const { texts, next } of pagesOf(from, partition)) {
    const marked = texts.slice(0, mark.count - sum.count)
    sum = { count: sum.count + marked.length, checksum: chainChecksums(checksum, sum.checksum, marked) }
    if (sum.count < mark.count) continue
    const isEnd = next === null && marked.length === texts.length
    return sum.checksum === mark.checksum && (isEnd || !mark.isWhole)
  }
  return false
}

/** Copies the rest of a partition, or all of it if copied documents have changed in the source. */
export const copyPartition = async (copy: DocumentCopy, partition: Partition, done: Done): Promise<void> => {
  const { from, to, marks, checksum } = copy
  const marked = await marks.read(partition)
  let mark = marked.count === 0 || (await sourceMatchesMark(copy, partition, marked)) ? marked : initialMark
  done(mark.count)
  if (mark.isWhole) return
  await removeUnmarked(to, partition, mark.count)
  // The source may have nothing left to copy.
  if (mark !== marked) await marks.forget(partition)
  for await (const { documents, texts, next } of pagesOf(from, partition, mark.after)) {
    if (documents.length === 0) return
    await allOrThrow(documents.map((document) => insert(to, partition, document)))
    mark = {
      after: next,
      isWhole: next === null,
      count: mark.count + documents.length,
      checksum: chainChecksums(checksum, mark.checksum, texts),
    }
    await marks.write(partition, mark)
    done(documents.length)
  }
}

export type Comparison = {
  /** Changed: the source differs from what was copied. Broken: the target does. */
  readonly outcome: 'equal' | 'changed' | 'damaged'
  /** Documents of the source. */
  readonly count: number
}

type Sum = { readonly count: number; readonly checksum: string }

/** Compares a whole partition with the source and with its mark. */
export const comparePartition = async (
  { from, to, marks, checksum }: DocumentCopy,
  partition: Partition,
  done: Done,
): Promise<Comparison> => {
  const sumOf = async (store: DocumentStore, tell: Done): Promise<Sum> => {
    let sum: Sum = { count: 0, checksum: '' }
    for await (const { texts } of pagesOf(store, partition)) {
      sum = { count: sum.count + texts.length, checksum: chainChecksums(checksum, sum.checksum, texts) }
      tell(texts.length)
    }
    return sum
  }
  const equal = (one: Sum, other: Sum): boolean =>
    one.count === other.count && one.checksum === other.checksum
  const [source, target, mark] = await Promise.all([
    sumOf(from, done),
    sumOf(to, () => undefined),
    marks.read(partition),
  ])
  const { count } = source
  if (!equal(source, mark)) return { outcome: 'changed', count }
  return { outcome: equal(source, target) ? 'equal' : 'damaged', count }
}
