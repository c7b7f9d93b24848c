/** Finishes what follows from writes whose processes have ended (engine/cascade.ts). */
import { resourceOf, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { clockTimeIn } from '@publishing-service/domain/time'
import { isPortFailure, type Document } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import { attempt, fail, unwrap } from '../attempt.js'
import type { Audit, AuditSource } from '../audit/audit.js'
import { ChangeRecords } from '../audit/change-records.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { Cascade } from '../engine/cascade.js'
import { followChanges } from '../engine/follow-changes.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeDependents } from '../engine/remove.js'
import type { InstanceStores, Written } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { liveInstances } from '../storage-copy/partitions.js'
import { finishRestoration } from './trash.js'

const { name: collection } = systemCollections.cascades

/** The service makes these changes. */
const source: AuditSource = { user: null, name: 'service', apiKey: null, address: null, request: 'service' }
const operation = 'followRemoval'

/**
 * Finishes the cascades of all instances, and returns the number of objects that were written. What others change at the same
 * time is finished by the next run. Throws a PortFailure if the store fails.
 */
export const createFinishCascades = (
  { documents: all, clock }: Pick<Ports, 'documents' | 'clock'>,
  stores: Pick<InstanceStores, 'of'>,
  instances: Pick<Instances, 'find'>,
  audit: Pick<Audit, 'recording'>,
) => {
  const system = stores.of(systemInstance, 'strict')

  /** What is removed or followed depends on whether the object exists now, not on what the write was. */
  const finish = async (
    instance: number,
    resource: Resource,
    id: string,
    removal: string | null,
  ): Promise<number> => {
    const documents = stores.of(instance, 'strict')
    const { timezone } = unwrap(await instances.find(instance)()).settings
    documents.recording = audit.recording(source, (written: readonly Written[]) =>
      written.flatMap((each) => {
        const described = documents.describe(
          each,
          documents.stateBefore(each),
          { now: clockTimeIn(timezone, clock.now()) },
          false,
        )
        return described === null ? [] : [{ ...described, instance, operation }]
      }),
    )
    if ((await documents.get(resource.collection, id)) === null)
      return removeDependents({ documents }, resource, id)
    const records = new ChangeRecords(system, documents, instance)
    const undone = removal === null ? null : await records.inTrash(removal)
    const restored = undone === null ? 0 : await finishRestoration({ clock, documents, records }, undone)
    return restored + (await followChanges(documents, resource, id))
  }

  /** Finishes the cascades that are stored in an instance. */
  const finishIn = async (stored: number): Promise<number> => {
    const own = stores.of(stored, 'strict')
    const found: Document[] = []
    await forEachPage({ documents: own, collection, limit: 100 }, (page) => found.push(...page))
    let written = 0
    for (const document of found) {
      const cascade = decodeStored(Cascade, document, stored)
      const resource = resourceOf(cascade.collection)
      const finished = await attempt(async () =>
        resource === undefined
          ? 0
          : finish(cascade.instance ?? stored, resource, cascade.id, cascade.removal ?? null),
      )
      if (E.isRight(finished)) written += finished.right
      else if (isPortFailure(finished.left)) fail(finished.left)
      // The instance may have been deleted.
      if (E.isRight(finished) || finished.left._tag === 'NotFound')
        await own.remove(collection, document.id, document.version)
    }
    return written
  }

  return async (): Promise<number> => {
    let written = await finishIn(systemInstance)
    for await (const { number } of liveInstances(all)) written += await finishIn(number)
    return written
  }
}
