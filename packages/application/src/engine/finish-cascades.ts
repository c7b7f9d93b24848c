/**
 * Some writes have consequences in other documents: the removal of an object that others may refer to
 * (confirm-references.ts), and a change of an object that others follow (follow-changes.ts). They are recorded before, so
 * that housekeeping finishes what a crash interrupted.
 */
import { dependencesOf } from '@publishing-service/domain/engine'
import { resourceOf, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { clockTimeIn } from '@publishing-service/domain/time'
import { isPortFailure, type Document } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import { attempt, unwrap } from '../attempt.js'
import type { Audit, AuditSource } from '../audit/audit.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn, type InstanceStores, type Written } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { followChanges } from './follow-changes.js'
import { Cascade } from './record-cascade.js'
import { forEachPage } from './for-each-page.js'
import { resolveDanglingReference } from './confirm-references.js'

const { removals } = systemCollections

/**
 * Milliseconds until a record is removed: longer than any write takes. Uses the wall clock, because another process may
 * read it. If the clock is set by more than this, records end early, which matters only if a writer crashes at that
 * moment.
 */
const recordLifetime = 3_600_000
const batchSize = 100

/** The service makes these changes. */
const source: AuditSource = { user: null, name: 'service', apiKey: null, address: null, request: 'service' }
const operation = 'followRemoval'

/**
 * Clears references to removed objects, and lets others follow changed objects, which is necessary only after a crash.
 * Deletes records older than an hour, and returns the number of objects that were written. Throws a PortFailure if the
 * store fails.
 */
export const createFinishCascades = (
  { documents, clock, checksum }: Pick<Ports, 'documents' | 'clock' | 'checksum'>,
  stores: Pick<InstanceStores, 'of'>,
  instances: Pick<Instances, 'find'>,
  audit: Pick<Audit, 'recording'>,
) => {
  const system = documentsIn(documents, systemInstance)

  /** A conflict with a writer is resolved by the next run. An instance may have been deleted. */
  const unlessContended = async (steps: () => Promise<number>): Promise<number> => {
    const outcome = await attempt(steps)
    if (E.isRight(outcome)) return outcome.right
    if (isPortFailure(outcome.left)) throw outcome.left
    return 0
  }

  const finish = async (instance: number, target: Resource, id: string): Promise<number> => {
    const inInstance = stores.of(instance, 'strict')
    if ((await inInstance.get(target.collection, id)) !== null)
      return unlessContended(() => followChanges(inInstance, target, id))
    const { timezone } = unwrap(await instances.find(instance)()).settings
    inInstance.recording = audit.recording(source, (written: Written) => {
      const described = inInstance.describe(written, { now: clockTimeIn(timezone, clock.now()) }, false)
      return described === null ? [] : [{ ...described, instance, operation }]
    })
    let cleared = 0
    for (const dependence of dependencesOf(target)) {
      const { collection, key } = dependence
      const referring = resourceOf(collection)
      if (referring === undefined) continue
      const found: string[] = []
      const where = [{ key, equals: id }]
      await forEachPage({ documents: inInstance, collection, where, limit: batchSize }, (page) =>
        page.forEach((each) => found.push(each.id)),
      )
      const at = { documents: inInstance, clock, checksum }
      for (const each of found)
        cleared += await unlessContended(async () => {
          await resolveDanglingReference(at, referring, each, { target, dependence }, id)
          return 1
        })
    }
    return cleared
  }

  return async (): Promise<number> => {
    const records: Document[] = []
    await forEachPage({ documents: system, collection: removals.name, limit: batchSize }, (page) =>
      records.push(...page),
    )
    let written = 0
    for (const record of records) {
      const { instance, collection, id, at } = decodeStored(Cascade, record)
      const target = resourceOf(collection)
      if (target !== undefined) written += await unlessContended(() => finish(instance, target, id))
      if (Math.abs(clock.now() - at) > recordLifetime)
        await system.remove(removals.name, record.id, record.version)
    }
    return written
  }
}
