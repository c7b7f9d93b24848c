/** Removes what records say of versions beyond those that are retained (docs/behaviour/history.md#versions). */
import { utcTime } from '@publishing-service/domain/time'
import { ChangeRecords, changeRecordIn } from '../audit/change-records.js'
import { systemCollections, systemInstance } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { InstanceStores } from '../instance-store.js'
import type { Deployment, Ports } from '../ports.js'

const { audit } = systemCollections

/** Records that one read returns. */
const batchSize = 200

/** Milliseconds before the start of a process for whose changes it looks: longer than a service is stopped. */
const lookBack = 2 * 86_400_000

/** Milliseconds that the clocks of processes may differ, and that a write may take. */
const overlap = 60_000

type Changed = { readonly instance: number; readonly collection: string; readonly object: string }

/**
 * Looks at the objects that have changed since it ran last, and returns the number of states that it has removed. Its cost
 * grows with the changes, not with the objects. Throws a PortFailure if the store fails.
 */
export const createPruneVersions = (
  stores: Pick<InstanceStores, 'of'>,
  { clock }: Pick<Ports, 'clock'>,
  { retainedVersions }: Pick<Deployment, 'retainedVersions'>,
): (() => Promise<number>) => {
  const system = stores.of(systemInstance, 'strict')
  let since = clock.now() - lookBack

  const changedObjects = async (from: number): Promise<readonly Changed[]> => {
    const changed = new Map<string, Changed>()
    const where = [{ key: 'created', atLeast: utcTime(from) }]
    await forEachPage({ documents: system, collection: audit.name, where, limit: batchSize }, (page) => {
      for (const document of page) {
        const [record, instance] = [changeRecordIn(document), document.value['instance']]
        // An object of a lower version has no more versions than are retained.
        if (record === null || record.version <= retainedVersions || typeof instance !== 'number') continue
        const { collection, object } = record
        changed.set(`${instance}/${collection}/${object}`, { instance, collection, object })
      }
    })
    return [...changed.values()]
  }

  const prune = async ({ instance, collection, object }: Changed): Promise<number> => {
    const records = new ChangeRecords(system, stores.of(instance, 'strict'), instance)
    let [versions, removed] = [0, 0]
    for await (const record of records.ofObject(collection, object)) {
      if (record.kind !== 'remove') versions += 1
      // The state before the oldest version that is retained, and all before.
      if (
        versions < retainedVersions ||
        record.kind === 'insert' ||
        record.isErased ||
        record.expires !== null
      )
        continue
      await records.eraseFormer(record)
      removed += 1
    }
    return removed
  }

  return async () => {
    const now = clock.now()
    let removed = 0
    for (const each of await changedObjects(since)) removed += await prune(each)
    since = now - overlap
    return removed
  }
}
