/**
 * Removals of objects that others may refer to are recorded, so that a reference can be found and cleared whose writer
 * crashed between writing it and looking at its target (see held-references.ts).
 */
import { E, resourceOf, t, type Resource, type TaskEither } from '@publishing-service/domain'
import type { Document, WriteFailure } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-documents.js'
import type { Ports } from '../ports.js'
import { forEachPage } from './for-each-page.js'
import { dependencesOf, resolveDanglingReference } from './confirm-references.js'

const { removals } = systemCollections

/** The removal of an object: where it was, its id, and the millisecond of the record. */
const Removal = t.readonly(
  t.type({ instance: t.number, collection: t.string, id: t.string, at: t.number }),
  removals.name,
)
type Removal = t.TypeOf<typeof Removal>

/**
 * Milliseconds until a record is removed: longer than any write takes. It is the wall clock's, since another process
 * may read it; a step of the clock by more than this, in either direction, ends a record early, which matters only
 * where a writer crashes in that same moment.
 */
const recordLifetime = 3_600_000
const batchSize = 100

/** Before the removal, so that no crash can leave a removal without its record. */
export const createRecordRemoval =
  ({ documents, clock, ids }: Pick<Ports, 'documents' | 'clock' | 'ids'>) =>
  (resource: Resource, instance: number, id: string): TaskEither<WriteFailure, unknown> => {
    const value: Removal = { instance, collection: resource.collection, id, at: clock.now() }
    return documents.insert(removals.name, systemInstance, {
      id: ids.uuid(),
      unique: null,
      value,
      urgent: true,
    })
  }

export type RecordRemoval = ReturnType<typeof createRecordRemoval>

/**
 * Clears references to removed objects, which only a crash leaves, forgets removals that are an hour old, and returns
 * how many references it has cleared. Throws a PortFailure when the store fails.
 */
export const createFinishRemovals = ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) => {
  const orThrow = async <A>(task: TaskEither<WriteFailure, A>): Promise<A | null> => {
    const outcome = await task()
    if (E.isRight(outcome)) return outcome.right
    if (outcome.left._tag === 'PortFailure') throw outcome.left
    return null
  }

  const clearReferences = async (instance: number, target: Resource, id: string): Promise<number> => {
    const inInstance = documentsIn(documents, instance)
    if ((await orThrow(inInstance.get(target.collection, id))) !== null) return 0
    let cleared = 0
    for (const dependence of dependencesOf(target)) {
      const { collection, key } = dependence
      const referring = resourceOf(collection)
      if (referring === undefined) continue
      const found: string[] = []
      const where = [{ key, equals: id }]
      await orThrow(
        forEachPage({ documents: inInstance, collection, where, limit: batchSize }, (page) =>
          page.forEach((each) => found.push(each.id)),
        ),
      )
      for (const each of found)
        await orThrow(() => resolveDanglingReference(inInstance, referring, each, { target, dependence }, id))
      cleared += found.length
    }
    return cleared
  }

  return async (): Promise<number> => {
    const records: Document[] = []
    await orThrow(
      forEachPage(
        { documents: documentsIn(documents, systemInstance), collection: removals.name, limit: batchSize },
        (page) => records.push(...page),
      ),
    )
    let cleared = 0
    for (const record of records) {
      const { instance, collection, id, at } = decodeStored(Removal, record)
      const target = resourceOf(collection)
      if (target !== undefined) cleared += await clearReferences(instance, target, id)
      if (Math.abs(clock.now() - at) > recordLifetime)
        await orThrow(documents.remove(removals.name, systemInstance, record.id, record.version))
    }
    return cleared
  }
}
