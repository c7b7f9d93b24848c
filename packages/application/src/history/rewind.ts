/** Takes the objects of an instance back to a moment (docs/decisions/0132-a-rewind-is-history.md). */
import { badParameters, fault, resourceOf, section, type Resource } from '@publishing-service/domain'
import { settingsSubject } from '@publishing-service/domain/changes'
import { operations, subjectsWithVersions } from '@publishing-service/domain/roles'
import { utcTime } from '@publishing-service/domain/time'
import type { Cursor } from '@publishing-service/ports'
import { fail, orThrow } from '../attempt.js'
import { changeRecordIn, longestClockStep } from '../audit/change-records.js'
import { batchesOf } from '../batches-of.js'
import type { RunOperation } from '../imports/run-import.js'
import { UnreadableDocument } from '../instance-store.js'
import type { ReadOperation } from '../operation.js'
import { rewindObject, type RewindInput, type RewindOutcome, type RewoundObject } from './rewind-object.js'

type RewindAddress = { readonly collection: string; readonly id: string }

/** An object that has changed since; `isAlone` if nothing was removed with it. */
type ChangedObject = RewindAddress & Pick<RewindInput, 'isAlone'>

/** What was changed since a moment. */
export type ChangedSince = {
  /** The position of the first record. */
  readonly from: number
  /** In the order in which they are taken back: those that were created since, then sections, then all others. */
  readonly objects: readonly ChangedObject[]
  /** The number of changes that stay, by the collection of what has no versions. */
  readonly kept: Readonly<Record<string, number>>
}

/** Records that one read returns. */
const batchSize = 1000

const rankOf = ({ collection, isNew }: RewindAddress & { readonly isNew: boolean }): number => {
  if (isNew) return 0
  return collection === section.collection ? 1 : 2
}

/** Whether changes in a collection of what has no versions are counted. */
const isCounted = (collection: string): boolean =>
  collection === settingsSubject.collection || resourceOf(collection) !== undefined

/** The objects that have changed since a time in milliseconds. */
export const listRewound: ReadOperation<{ readonly to: number }, ChangedSince> = {
  ...operations.listRewound,
  run: async ({ records, clock, deployment: { auditTime } }, { to }) => {
    const now = clock.now()
    if (to > now)
      fail(badParameters([fault('to', 'range', `must not be in the future: it is ${utcTime(now)}`)]))
    if (to < now - auditTime)
      fail(
        badParameters([
          fault('to', 'range', `must be after ${utcTime(now - auditTime)}: changes before are not retained`),
        ]),
      )
    const from = await records.firstSince(to)
    const objects = new Map<string, RewindAddress & { readonly isNew: boolean; readonly position: number }>()
    const kept = new Map<string, number>()
    const withOthers = new Set<string>()
    // In an order, because on PostgreSQL a query without one lacks the last records while an older transaction is active.
    const query = {
      where: [{ key: 'created', atLeast: utcTime(to - longestClockStep) }],
      order: [{ key: 'created', direction: 'asc' }],
      skip: 0,
      limit: batchSize,
      detail: 'light',
    } as const
    for (let after: Cursor | null = null; ;) {
      const page = await records.find({ ...query, ...(after === null ? {} : { after }) })
      for (const document of page.documents) {
        if (document.position < from) continue
        const { collection = null, within = null } = document.value
        if (typeof within === 'string') withOthers.add(within)
        if (typeof collection !== 'string' || within !== null) continue
        const record = changeRecordIn(document)
        if (!subjectsWithVersions.has(collection)) {
          if (isCounted(collection)) kept.set(collection, (kept.get(collection) ?? 0) + 1)
        } else if (record !== null) {
          const { object: id, kind, position } = record
          const key = `${collection}/${id}`
          if (position < (objects.get(key)?.position ?? Infinity))
            objects.set(key, { collection, id, isNew: kind === 'insert', position })
        }
      }
      if (page.next === null) break
      after = page.next
    }
    const ordered = [...objects.values()].toSorted((a, b) => rankOf(a) - rankOf(b) || a.position - b.position)
    return {
      from,
      objects: ordered.map(({ collection, id }) => ({ collection, id, isAlone: !withOthers.has(id) })),
      kept: Object.fromEntries(kept),
    }
  },
}

/** What became of an object of the instance. */
export type RewoundRecord = RewindAddress & RewoundObject

type Waiting = ChangedObject & { readonly resource: Resource }
type Ended = readonly [object: Waiting, result: RewoundObject]

/** Objects that are taken back at the same time. */
const concurrency = 8

/** After so many rounds, objects that wait for the names of others get names of their own meanwhile. */
const roundsWithNames = 2

const rewindOne = async (
  run: RunOperation,
  object: Waiting,
  input: Omit<RewindInput, 'id' | 'isAlone'>,
): Promise<Ended> => {
  const { resource, id, isAlone } = object
  try {
    return [object, await orThrow(run(rewindObject(resource), { id, isAlone, ...input }))]
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    return [object, { outcome: 'refused', title: null, faults: [fault('', 'rule', error.message)] }]
  }
}

const recordOf = ({ collection, id }: Waiting, result: RewoundObject): RewoundRecord => ({
  collection,
  id,
  ...result,
})

/**
 * Takes objects back, and yields what became of each. What is refused is tried again while others succeed: objects depend on
 * each other. Repeated, it goes on with what is missing. Throws a failure that is not about an object.
 */
export async function* rewindObjects(
  run: RunOperation,
  { from, objects }: Pick<ChangedSince, 'from' | 'objects'>,
  isTrial: boolean,
): AsyncGenerator<RewoundRecord> {
  /** What became of those that got names of their own. */
  const renamed = new Map<Waiting, RewindOutcome>()
  let waiting = objects.flatMap((each): readonly Waiting[] => {
    const resource = resourceOf(each.collection)
    return resource === undefined ? [] : [{ ...each, resource }]
  })
  for (let round = 1; ; round += 1) {
    const refused: Ended[] = []
    for (const batch of batchesOf(waiting, concurrency)) {
      const mode = isTrial ? 'try' : 'rewind'
      for (const [object, result] of await Promise.all(
        batch.map((each) => rewindOne(run, each, { from, mode })),
      ))
        if (result.outcome === 'refused') refused.push([object, result])
        else
          yield recordOf(object, {
            ...result,
            outcome: renamed.get(object) === 'restored' ? 'restored' : result.outcome,
          })
    }
    let isOver = isTrial || refused.length === waiting.length
    if (round >= roundsWithNames || isOver)
      for (const [object, { faults }] of refused) {
        const isWaiting = faults.some(({ code }) => code === 'taken')
        if (isTrial || !isWaiting || renamed.has(object)) continue
        const [, { outcome }] = await rewindOne(run, object, { from, mode: 'rename' })
        renamed.set(object, outcome)
        if (outcome !== 'refused') isOver = false
      }
    if (isOver) {
      for (const [object, result] of refused) yield recordOf(object, result)
      return
    }
    waiting = refused.map(([object]) => object)
  }
}
