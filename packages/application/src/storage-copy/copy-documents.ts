/** Copies the documents of a shelf in batches, each of which is written down once it stands, and compares them in the end. */
import { pipe, TE, type TaskEither } from '@publishing-service/domain'
import type { Checksum, Document, DocumentStore, PortFailure } from '@publishing-service/ports'
import { untouched, type CopyMarks, type ShelfMark } from './copy-marks.js'
import type { CopyRefusal } from './copy-refusal.js'
import { allSettled, asOnlyWriter } from './settled.js'
import { documentsBehind, pagesOf, type Shelf } from './shelves.js'

export type DocumentCopy = {
  readonly from: DocumentStore
  readonly to: DocumentStore
  readonly marks: CopyMarks
  readonly checksum: () => Checksum
}

/** Told of documents as they are done. */
export type Done = (documents: number) => void

/** One value for a row of texts, which grows with each and can be written down in between. */
const chained = (checksum: () => Checksum, start: string, texts: readonly string[]): string =>
  texts.reduce((before, text) => {
    const sum = checksum()
    sum.add(before)
    sum.add(text)
    return sum.value()
  }, start)

/** Removes what a run that was cut short has written and not written down. */
const takeBack = async (to: DocumentStore, shelf: Shelf, count: number): Promise<void> => {
  const { instance, target } = shelf
  for (;;) {
    const extra = await documentsBehind(to, shelf, count)
    if (extra.length === 0) return
    await allSettled(
      extra.map(({ id, version }) => asOnlyWriter(to.remove(target.collection, instance, id, version))),
    )
  }
}

const insert = (
  to: DocumentStore,
  { instance, target: { collection, unique } }: Shelf,
  { id, value }: Document,
): TaskEither<PortFailure | CopyRefusal, Document> =>
  pipe(
    asOnlyWriter(to.insert(collection, instance, { id, unique: unique(value), value })),
    TE.mapLeft((failure) => {
      if (failure._tag !== 'DocumentTooLarge' && failure._tag !== 'UniqueConflict') return failure
      const limit = failure._tag === 'DocumentTooLarge' ? failure.limit : null
      return { _tag: 'DocumentNotTaken', instance, collection, id, limit }
    }),
  )

/** Whether the source says still what was marked: what was copied of it is good only then. */
const isAsMarked = async (
  { from, checksum }: DocumentCopy,
  shelf: Shelf,
  mark: ShelfMark,
): Promise<boolean> => {
  let sum = { count: 0, checksum: '' }
  for await (const { texts, next } of pagesOf(from, shelf)) {
    const marked = texts.slice(0, mark.count - sum.count)
    sum = { count: sum.count + marked.length, checksum: chained(checksum, sum.checksum, marked) }
    if (sum.count < mark.count) continue
    const isEnd = next === null && marked.length === texts.length
    return sum.checksum === mark.checksum && (isEnd || !mark.isWhole)
  }
  return false
}

/** Copies what is missing of a shelf, from where its mark stands; all of it where the source has changed since. */
export const copyShelf = async (copy: DocumentCopy, shelf: Shelf, done: Done): Promise<void> => {
  const { from, to, marks, checksum } = copy
  const marked = await marks.read(shelf)
  let mark = marked.count === 0 || (await isAsMarked(copy, shelf, marked)) ? marked : untouched
  done(mark.count)
  if (mark.isWhole) return
  await takeBack(to, shelf, mark.count)
  // The source may have nothing left to copy.
  if (mark !== marked) await marks.forget(shelf)
  for await (const { documents, texts, next } of pagesOf(from, shelf, mark.after)) {
    if (documents.length === 0) return
    await allSettled(documents.map((document) => insert(to, shelf, document)))
    mark = {
      after: next,
      isWhole: next === null,
      count: mark.count + documents.length,
      checksum: chained(checksum, mark.checksum, texts),
    }
    await marks.write(shelf, mark)
    done(documents.length)
  }
}

export type Comparison = {
  /** Changed: the source says something else than when it was copied. Broken: the target does. */
  readonly outcome: 'equal' | 'changed' | 'broken'
  /** Documents of the source. */
  readonly count: number
}

type Sum = { readonly count: number; readonly checksum: string }

/** Compares a whole shelf with the source and with what was written down of it. */
export const compareShelf = async (
  { from, to, marks, checksum }: DocumentCopy,
  shelf: Shelf,
  done: Done,
): Promise<Comparison> => {
  const sumOf = async (store: DocumentStore, tell: Done): Promise<Sum> => {
    let sum: Sum = { count: 0, checksum: '' }
    for await (const { texts } of pagesOf(store, shelf)) {
      sum = { count: sum.count + texts.length, checksum: chained(checksum, sum.checksum, texts) }
      tell(texts.length)
    }
    return sum
  }
  const equal = (one: Sum, other: Sum): boolean =>
    one.count === other.count && one.checksum === other.checksum
  const [source, target, mark] = await Promise.all([
    sumOf(from, done),
    sumOf(to, () => undefined),
    marks.read(shelf),
  ])
  const { count } = source
  if (!equal(source, mark)) return { outcome: 'changed', count }
  return { outcome: equal(source, target) ? 'equal' : 'broken', count }
}
