/** Takes one object back to a moment, by the records since (docs/decisions/0132-a-rewind-is-history.md). */
import { fault, file, stateIn, type Fault, type ProblemTag, type Resource } from '@publishing-service/domain'
import {
  hasEarlierState,
  initialState,
  isSameObject,
  objectName,
  takenFault,
} from '@publishing-service/domain/engine'
import { withDataOf } from '@publishing-service/domain/files'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import type { Document } from '@publishing-service/ports'
import { attempt, fail, orThrow } from '../attempt.js'
import type { ChangeRecord } from '../audit/change-records.js'
import { removeObject } from '../engine/remove.js'
import { writeObject } from '../engine/write.js'
import type { AnyFailure, Fail } from '../failure.js'
import { originalBlob } from '../files/file-blobs.js'
import { blobIn, isDataRetained } from '../files/replaced-data.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { restoreRemoved } from './trash.js'
import { stateBefore } from './versions.js'

/** `changed` by the rewind; `not_retained` if the records do not have the state any more. */
export type RewindOutcome = 'removed' | 'changed' | 'restored' | 'unchanged' | 'refused' | 'not_retained'

/** What became of an object. */
export type RewoundObject = {
  readonly outcome: RewindOutcome
  /** What people call the object. */
  readonly title: string | null
  /** Why it is refused, or what of it is not taken back. */
  readonly faults: readonly Fault[]
}

export type RewindInput = {
  readonly id: string
  /** The position from which on changes are taken back. */
  readonly from: number
  /** Whether nothing was removed with it since. */
  readonly isAlone: boolean
  /**
   * `rename` gives it the earlier state with a name of its own, while several objects exchange their names; `try` writes
   * nothing.
   */
  readonly mode: 'rewind' | 'rename' | 'try'
}

/** The records of the changes of an object since a position, the oldest first. */
const recordsSince = async (
  { records }: Pick<Session, 'records'>,
  { collection }: Resource,
  { id, from }: Pick<RewindInput, 'id' | 'from'>,
): Promise<readonly ChangeRecord[]> => {
  const found: ChangeRecord[] = []
  for await (const record of records.ofObject(collection, id)) {
    if (record.position < from) break
    found.push(record)
  }
  return found.toReversed()
}

/** The removal that ended the life of the first of these records; null if the object has been restored, or not removed. */
const endOfLife = (since: readonly ChangeRecord[]): ChangeRecord | null => {
  for (const [index, record] of since.entries()) {
    if (record.kind !== 'remove') continue
    const next = since[index + 1]
    if (next?.kind !== 'insert' || next.version !== record.version + 1) return record
  }
  return null
}

/** The state of an object before the first of some records, and when the data that it had then was replaced, in UTC. */
const stateBeforeFirst = async (
  session: Pick<Session, 'records'>,
  current: Document | null,
  since: readonly ChangeRecord[],
): Promise<{ readonly state: JsonObject; readonly replaced: string | null } | null> => {
  const removed = since.findIndex(({ kind }) => kind === 'remove')
  let state: JsonObject | null = removed === -1 ? (current?.value ?? null) : {}
  let replaced: string | null = null
  for (const record of since.slice(0, removed === -1 ? since.length : removed + 1).toReversed()) {
    const later: JsonObject | null = state
    state = later === null ? null : await stateBefore(session, record, later)
    if (state === null) return null
    if (record.kind !== 'remove' && blobIn(state) !== blobIn(later)) replaced = record.created
  }
  return state === null ? null : { state, replaced }
}

/** Why a write or a removal is refused; throws the failure of a store. */
const faultsOf = (failure: AnyFailure): readonly Fault[] => {
  switch (failure._tag) {
    case 'BadParameters':
      return failure.faults
    case 'PortFailure':
      return fail(failure)
    case 'InUse':
      return [fault('', 'rule', `cannot be deleted while it has ${failure.by}`)]
    case 'TooLarge':
      return [fault('', 'limit', `is longer than ${failure.limit} bytes`)]
    case 'Unavailable':
      return [fault('', 'rule', 'is changed by others at the same time')]
    default:
      return [fault('', 'rule', `is refused: ${failure._tag}`)]
  }
}

const dataFault = fault('data', 'reference', 'is not retained any more')

/** A state with a name that no other object has. */
const withOwnName = (resource: Resource, id: string, state: JsonObject): JsonObject => {
  const { path } = takenFault(resource, state)
  return { ...state, [path]: path === 'urlname' ? id : `/${id}` }
}

type Ending = Pick<RewoundObject, 'outcome' | 'faults'>

const ends = (outcome: RewindOutcome, ...faults: readonly Fault[]): Ending => ({ outcome, faults })

/** Takes one object back. */
class Rewind {
  readonly #session: Session
  readonly #resource: Resource
  readonly #input: RewindInput

  constructor(session: Session, resource: Resource, input: RewindInput) {
    this.#session = session
    this.#resource = resource
    this.#input = input
  }

  /** Carries steps out, unless it is only tried. */
  async #carryOut(ending: Ending, steps: (failWith: Fail<ProblemTag>) => Promise<unknown>): Promise<Ending> {
    if (this.#input.mode === 'try') return ending
    const done = await attempt<unknown, ProblemTag>(steps)
    return E.isLeft(done) ? ends('refused', ...faultsOf(done.left)) : ending
  }

  #named(state: JsonObject): JsonObject {
    return this.#input.mode === 'rename' ? withOwnName(this.#resource, this.#input.id, state) : state
  }

  #remove(): Promise<Ending> {
    return this.#carryOut(ends('removed'), (failWith) =>
      removeObject(this.#resource).run(this.#session, { id: this.#input.id }, failWith),
    )
  }

  /** Gives an object that exists its earlier state. */
  async #change(current: Document, earlier: JsonObject, replaced: string | null): Promise<Ending> {
    const [session, resource, { id }] = [this.#session, this.#resource, this.#input]
    const hasData = await isDataRetained(session, resource, current.value, earlier, replaced)
    const blob = blobIn(earlier)
    const faults = hasData || blob === null || blob === blobIn(current.value) ? [] : [dataFault]
    if (!hasData && hasEarlierState(resource, current.value, earlier)) return ends('unchanged', ...faults)
    const withData = hasData ? withDataOf(earlier, session.clock.now()) : null
    return this.#carryOut(ends('changed', ...faults), () =>
      writeObject(session, resource, {
        mode: 'restore',
        id,
        earlier: this.#named(earlier),
        last: null,
        withData,
      }),
    )
  }

  /** What is created since is removed, or has the state again that it is given. */
  async #undoCreation(current: Document | null): Promise<Ending> {
    const given = initialState(this.#resource, this.#input.id)
    if (current === null) return ends('unchanged')
    return given === null ? this.#remove() : this.#change(current, given, null)
  }

  /** Writes a state of a removed object again, in place of another object that has its UUID. A file without its data is none. */
  async #restore(
    removal: ChangeRecord,
    earlier: JsonObject,
    newest: ChangeRecord,
    current: Document | null,
  ): Promise<Ending> {
    const [session, resource] = [this.#session, this.#resource]
    if (resource.collection === file.collection) {
      const { blob, byte_size: bytes } = stateIn(file, earlier)
      if (blob !== null && (await orThrow(session.blobs.size(originalBlob(blob)))) !== bytes)
        return ends('not_retained', dataFault)
    }
    if (current !== null) {
      const removed = await this.#remove()
      if (removed.outcome === 'refused') return removed
    }
    // A version that does not continue those of another object.
    const isLast = current === null && newest === removal
    const last = isLast ? removal.version : (current ?? newest).version + 2
    const { isAlone } = this.#input
    return this.#carryOut(ends('restored'), () =>
      restoreRemoved(session, resource, { removal, earlier: this.#named(earlier), last, isAlone }),
    )
  }

  async run(): Promise<RewoundObject> {
    const [session, resource, { id }] = [this.#session, this.#resource, this.#input]
    const current = await session.documents.get(resource.collection, id)
    const since = await recordsSince(session, resource, this.#input)
    const ended = (ending: Ending, state: JsonObject | undefined): RewoundObject => ({
      ...ending,
      title: state === undefined ? null : objectName(resource, state),
    })
    const [first] = since
    const newest = since.at(-1)
    if (first === undefined || newest === undefined) return ended(ends('unchanged'), current?.value)
    if (first.kind === 'insert') return ended(await this.#undoCreation(current), current?.value)
    const earlier = await stateBeforeFirst(session, current, since)
    if (earlier === null) return ended(ends('not_retained'), current?.value)
    const { state, replaced } = earlier
    const end = endOfLife(since)
    if (current !== null && (end === null || isSameObject(current.value, state)))
      return ended(await this.#change(current, state, replaced ?? first.created), state)
    return ended(
      end === null ? ends('not_retained') : await this.#restore(end, state, newest, current),
      state,
    )
  }
}

/** Takes an object back to what it was before its first record since a position. Repeated, it changes nothing. */
export const rewindObject = (resource: Resource): WriteOperation<RewindInput, RewoundObject> => ({
  ...operations.rewindObject(resource.collection),
  changed: (_input, id) => (id === null ? null : { object: id }),
  run: (session, input) => new Rewind(session, resource, input).run(),
})
