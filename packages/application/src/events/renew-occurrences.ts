import { content, nowIn } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual } from '@publishing-service/domain/json'
import type { Filter } from '@publishing-service/domain/filters'
import { occurrencesOf } from '@publishing-service/domain/recurrence'
import { partOf, withComputed } from '@publishing-service/domain/engine'
import { isPortFailure, unreadable, type Document } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import { instanceOf, isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import type { Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import { replaceValue } from '../engine/update-document.js'
import { attempt, fail, orThrow } from '../attempt.js'
import type { Documents, Ports } from '../ports.js'

const batchSize = 200
const { instances: instanceCollection } = systemCollections

/**
 * Renews the lists of occurrences that are due, and all lists of an instance whose time zone has changed
 * (docs/behaviour/content.md#occurrences). Returns the number of lists that were written. Throws a PortFailure if the store
 * fails; the first defect of an event is thrown after the other events are renewed. `lenient` is a store that returns damaged documents, which are skipped.
 */
export const createRenewOccurrences = (
  { documents, clock }: Pick<Ports, 'documents' | 'clock'>,
  lenient: Documents,
  instances: Pick<Instances, 'endZoneChange'>,
) => {
  const idsOf = async (
    instance: number,
    collection: string,
    where: readonly Filter[],
  ): Promise<readonly string[]> => {
    const ids: string[] = []
    const scan = { documents: documentsIn(lenient, instance), collection, where, limit: batchSize }
    await forEachPage(scan, (page) =>
      ids.push(...page.flatMap(({ id, value }) => (value === unreadable ? [] : id))),
    )
    return ids
  }

  /** False if the list is the same, or the event was written or removed concurrently. */
  const renew = async ({ number, settings }: Instance, document: Document): Promise<boolean> => {
    const { value } = document
    const now = nowIn(settings.timezone, clock.now())
    // Without a previous state the list is computed also where it is not due.
    const steps = occurrencesOf(partOf(content.attributes, value), { previous: null, now, settings })
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await clock.turn()
    const renewed = withComputed(content, { ...value, ...step.value }, value)
    if (jsonEqual(renewed, value)) return false
    return E.isRight(await replaceValue(documentsIn(documents, number), content, document, renewed))
  }

  /** Null if the instance does not exist or was deleted. */
  const storedInstance = async (id: string): Promise<StoredInstance | null> => {
    const document = await orThrow(documents.get(instanceCollection.name, systemInstance, id))
    const stored = document === null ? null : decodeStored(StoredInstance, document)
    return stored === null || !isLiveInstance(stored) ? null : stored
  }

  return async (): Promise<number> => {
    let renewed = 0
    const defects: unknown[] = []
    for (const number of await idsOf(systemInstance, instanceCollection.name, [])) {
      const stored = await storedInstance(number)
      if (stored === null) continue
      const instance = instanceOf(Number(number), stored)
      const { zone_changed: changed } = stored
      const now = nowIn(instance.settings.timezone, clock.now())
      const listed = await idsOf(instance.number, content.collection, [
        { key: 'content_type', equals: 'event' },
        ...(changed === undefined ? [{ key: 'occurrences_due', atMost: now }] : []),
      ])
      for (const id of listed) {
        const event = await orThrow(lenient.get(content.collection, instance.number, id))
        try {
          if (event !== null && (await renew(instance, event))) renewed += 1
        } catch (error) {
          if (isPortFailure(error)) throw error
          defects.push(error)
        }
      }
      if (changed === undefined) continue
      const ended = await attempt(() => instances.endZoneChange(number, changed))
      // After any other failure, the next run lists them again.
      if (E.isLeft(ended) && ended.left._tag === 'PortFailure') fail(ended.left)
    }
    if (defects.length > 0) throw defects[0]
    return renewed
  }
}
