/**
 * Removals of objects that others may refer to are recorded, so that a reference can be found and cleared whose writer
 * crashed between writing it and looking at its target (see held-references.ts).
 */
import { E, resourceOf, type Resource, type TaskEither } from '@publishing-service/domain'
import type { WriteFailure } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-documents.js'
import type { Ports } from '../ports.js'
import { everyPage } from './every-page.js'
import { dependencesOf, detach } from './held-references.js'

const { removals } = systemCollections

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
  (resource: Resource, instance: number, id: string): TaskEither<WriteFailure, unknown> =>
    documents.insert(removals.name, systemInstance, {
      id: ids.uuid(),
      unique: null,
      value: { instance, collection: resource.collection, id, at: clock.now() },
      urgent: true,
    })

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
        everyPage(inInstance, collection, where, batchSize, (page) =>
          page.forEach((each) => found.push(each.id)),
        ),
      )
      for (const each of found)
        await orThrow(() => detach(inInstance, referring, each, { target, dependence }, id))
      cleared += found.length
    }
    return cleared
  }

  return async (): Promise<number> => {
    const records: {
      readonly id: string
      readonly version: number
      readonly value: Record<string, unknown>
    }[] = []
    await orThrow(
      everyPage(documentsIn(documents, systemInstance), removals.name, [], batchSize, (page) =>
        records.push(...page),
      ),
    )
    let cleared = 0
    for (const { id, version, value } of records) {
      const target = resourceOf(String(value['collection']))
      if (target !== undefined)
        cleared += await clearReferences(Number(value['instance']), target, String(value['id']))
      if (Math.abs(clock.now() - Number(value['at'])) > recordLifetime)
        await orThrow(documents.remove(removals.name, systemInstance, id, version))
    }
    return cleared
  }
}
