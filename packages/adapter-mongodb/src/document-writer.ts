/**
 * Writes documents. A single change without appended documents is one write of one document. Everything else is prepared as an
 * intent, marks all documents, and takes effect with the update that commits the intent.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  type Appended,
  type Change,
  countInMemory,
  type Document,
  portFailure,
  type WriteFailure,
} from '@publishing-service/ports'
import { applyChanges, release, type StoredIn } from './apply-intent.js'
import type { Concluder, Known } from './conclude-intents.js'
import type { DocumentReader } from './document-reader.js'
import { forAll, groupsOf } from './for-all.js'
import type { Intent, Intents } from './intents.js'
import { markTogether, marking } from './mark-together.js'
import { named } from './marks.js'
import { indeterminateFailure, mongodbFailure } from './mongodb-failure.js'
import { documentAfter, type Plan, planChanges, type Planned } from './plan-changes.js'
import type { StoredCollection } from './stored-collection.js'
import { replacing } from './stored-document.js'
import { type Filter, type Held, isLost, readHeld, type Taken, type Taker } from './take-document.js'

/** A collection that this process declares. */
export type Partition = { readonly stored: StoredCollection; readonly read: DocumentReader }

type Written = Either<WriteFailure, readonly (Document | null)[]>

/** Attempts at a single change of a document with marks. After these, it is made by an intent, which waits for the document. */
const attemptsAlone = 3

/** Takes a document by its change itself, or by a mark of an intent. `first` is the document as it was read before. */
const takeBy = (
  { insert, takeExisting }: Taker,
  planned: Planned,
  first: Held | null,
  own: string | null,
): Promise<Taken> => {
  const { stored, name, instance, kind } = planned
  if (kind === 'insert') return insert(stored, planned.document, planned.position, own)
  const { version } = planned
  const { documents } = stored
  const content = kind === 'replace' ? planned.content : null
  const isShared = kind === 'expect'
  const change = async (filter: Filter, update: Parameters<typeof documents.updateOne>[1]): Promise<number> =>
    (await documents.updateOne(filter, update)).matchedCount
  const take = async (filter: Filter): Promise<number> => {
    if (own !== null) {
      const claim = content?.claim === undefined ? {} : { claim: content.claim }
      return change(filter, marking(own, isShared, claim))
    }
    if (kind === 'replace')
      return change(filter, replacing({ ...planned.content, version: planned.version + 1 }))
    return (await documents.deleteOne(filter)).deletedCount
  }
  return takeExisting(stored, { name, instance, version, take, content, isShared }, first, own)
}

/** The failure of a change whose document can't be taken; null if it is taken, or marked by another intent. */
const failureOf = (taken: Taken | undefined, change: number): WriteFailure | null => {
  if (taken?.kind === 'version') return { _tag: 'VersionConflict', change }
  return taken?.kind === 'unique' ? { _tag: 'UniqueConflict', change } : null
}

/** The documents of changes, by their collections and names, as far as they exist. */
const readPlanned = async (planned: readonly Planned[]): Promise<(of: Planned) => Held | null> => {
  const groups = groupsOf(
    planned.filter(({ kind }) => kind !== 'insert'),
    ({ stored }) => stored.layout.name,
  )
  const read = await forAll(groups, async (group) => {
    const [{ stored }] = group
    const held = await readHeld(stored, named(group.map(({ name }) => name)))
    return [stored, new Map(held.map((each) => [each._id, each]))] as const
  })
  const found = new Map(read)
  return ({ stored, name }) => found.get(stored)?.get(name) ?? null
}

/** What a writer works with. */
type WriterParts = {
  readonly partitionOf: (collection: string) => Partition
  readonly storedIn: StoredIn
  readonly intents: Intents
  readonly concluder: Concluder
  readonly taker: Taker
  /** Milliseconds that a write waits for others. */
  readonly deadline: number
}

export class DocumentWriter {
  readonly #parts: WriterParts

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  async write(instance: number, changes: readonly Change[], appended: readonly Appended[]): Promise<Written> {
    const plan = planChanges(instance, changes, appended, (name) => this.#parts.partitionOf(name).stored)
    if ('_tag' in plan) return E.left(plan)
    const known: Known = new Map()
    const end = performance.now() + this.#parts.deadline
    const [first] = plan.planned
    if (first !== undefined && first.kind !== 'expect' && changes.length === 1 && appended.length === 0) {
      const written = await this.#writeAlone(first, plan, known)
      if (written !== null) return written
    }
    for (;;) {
      const written = await this.#writeIntent(instance, changes, appended, plan, known, end)
      if (written !== null) return written
      // Another writer waited for longer than it should: both try again at different times.
      await pause(100 * Math.random())
    }
  }

  #settleAll(taken: readonly Taken[], known: Known): Promise<readonly void[]> {
    const marks = taken.flatMap((each) => (each.kind === 'marked' ? each.marks : []))
    // An exclusive mark is settled for all documents of its intent.
    const distinct = groupsOf(
      marks,
      ({ intent, kind, name }) => `${intent} ${kind === 'exclusive' ? '' : name}`,
    )
    return forAll(distinct, ([mark]) => this.#parts.concluder.settle(mark, known))
  }

  /** Takes documents as they were read. */
  async #takeAll(
    planned: readonly Planned[],
    readAs: (of: Planned) => Held | null,
    id: string,
  ): Promise<readonly Taken[]> {
    const isFree = ({ stored }: Planned, held: Held) =>
      this.#parts.taker.marksIn(stored, held, id).length === 0
    const together = await markTogether(planned, readAs, isFree, id)
    return forAll(
      planned,
      async (each) => together.get(each) ?? takeBy(this.#parts.taker, each, readAs(each), id),
    )
  }

  /** Marks the documents of all changes, and returns their positions. Documents after one that it waits for are not held. */
  async #markAll(
    { id, parts }: Intent,
    planned: readonly Planned[],
    firstOf: (of: Planned) => Held | null,
    known: Known,
    end: number,
  ): Promise<Either<WriteFailure, readonly number[]>> {
    const marksOf = (each: Planned) => this.#parts.taker.marksIn(each.stored, firstOf(each), null)
    const lost = planned.find((each) => each.kind !== 'insert' && isLost(firstOf(each), marksOf(each), each))
    if (lost !== undefined) return E.left({ _tag: 'VersionConflict', change: lost.number })
    const positions: number[] = []
    let readAs = firstOf
    while (positions.length < planned.length) {
      if (performance.now() > end) return E.left(portFailure('document store', 'others write its documents'))
      const rest = planned.slice(positions.length)
      const taken = await this.#takeAll(rest, readAs, id)
      for (const [index, { number }] of rest.entries()) {
        const failure = failureOf(taken[index], number)
        if (failure !== null) return E.left(failure)
      }
      const first = taken.findIndex(({ kind }) => kind !== 'taken')
      const held = first === -1 ? taken : taken.slice(0, first)
      positions.push(...held.flatMap((each) => (each.kind === 'taken' ? [each.position] : [])))
      if (positions.length === planned.length) break
      await release(id, parts.slice(positions.length + 1, planned.length), 'withdrawn', this.#parts.storedIn)
      await this.#settleAll(taken, known)
      readAs = await readPlanned(planned.slice(positions.length))
    }
    return E.right(positions)
  }

  /** The first expectation that does not hold after the changes; null if all hold. */
  async #firstSelected(
    instance: number,
    planned: readonly Planned[],
    changes: readonly Change[],
  ): Promise<number | null> {
    const failed = await forAll([...changes.entries()], async ([number, change]) => {
      if (change.kind !== 'expect none') return null
      const { collection, selection } = change
      const { stored, read } = this.#parts.partitionOf(collection)
      const changed = planned.filter((each) => each.stored === stored && each.kind !== 'expect')
      const after = changed.flatMap((each) => documentAfter(each, 0) ?? [])
      if (countInMemory(stored.layout, after, selection, 1) > 0) return number
      const notIds = [...(selection.notIds ?? []), ...changed.map(({ id }) => id)]
      return (await read.count(instance, { ...selection, notIds }, 1)) > 0 ? number : null
    })
    return failed.find((number) => number !== null) ?? null
  }

  /** Writes an intent, unless it is withdrawn before it is committed: null. */
  #writeIntent(
    instance: number,
    changes: readonly Change[],
    appended: readonly Appended[],
    { planned, parts, addWords }: Plan,
    known: Known,
    end: number,
  ): Promise<Written | null> {
    const intent: Intent = { id: randomUUID(), state: 'prepared', parts }
    const work = async (): Promise<readonly [Written | null, () => Promise<void>]> => {
      const discarding = () => this.#parts.concluder.discard(intent)
      const [firstOf] = await Promise.all([readPlanned(planned), this.#parts.intents.add(intent), addWords()])
      const marked = await this.#markAll(intent, planned, firstOf, known, end)
      if (E.isLeft(marked)) return [marked, discarding]
      const selected = await this.#firstSelected(instance, planned, changes)
      if (selected !== null) return [E.left({ _tag: 'VersionConflict', change: selected }), discarding]
      if (!(await this.#parts.intents.commit(intent.id))) return [null, discarding]
      try {
        const shown = await applyChanges(intent, this.#parts.storedIn)
        const written = changes.map((): Document | null => null)
        for (const [index, each] of planned.entries())
          written[each.number] = documentAfter(
            each,
            (each.kind === 'insert' ? shown[index] : marked.right[index]) ?? 0,
          )
        return [E.right(written), () => this.#parts.concluder.complete(intent)]
      } catch (error) {
        if (mongodbFailure(error) === null) throw error
        const rest = async (): Promise<void> => {
          await applyChanges(intent, this.#parts.storedIn)
          await this.#parts.concluder.complete(intent)
        }
        return [E.left(indeterminateFailure(error)), rest]
      }
    }
    return this.#parts.concluder.own<Written | null>(intent.id, work, appended)
  }

  /** Makes a single change; null if intents keep its document. */
  async #writeAlone(change: Planned, { addWords }: Plan, known: Known): Promise<Written | null> {
    const words = addWords()
    for (let attempt = 0; attempt < attemptsAlone; attempt++) {
      const [[held = null]] = await Promise.all([
        change.kind === 'insert' ? [] : readHeld(change.stored, { _id: change.name }),
        words,
      ])
      const taken = await takeBy(this.#parts.taker, change, held, null)
      if (taken.kind === 'taken') return E.right([documentAfter(change, taken.position)])
      const failure = failureOf(taken, 0)
      if (failure !== null) return E.left(failure)
      await this.#settleAll([taken], known)
    }
    return null
  }
}
