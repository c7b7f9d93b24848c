/**
 * Touches the objects whose pages show what was changed (docs/behaviour/changes.md#touched). A document of each instance has
 * the place in the records up to which that is done; it is written afterwards, so that a crash repeats the work and
 * loses none.
 */
import { nowIn, resourceOf, type Resource } from '@publishing-service/domain'
import { inSections, touching, type Touched } from '@publishing-service/domain/changes'
import { withTouched } from '@publishing-service/domain/engine'
import { E, t } from '@publishing-service/domain/fp'
import { unreadable, type Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import type { Instances } from '../access/instances.js'
import { instanceOf } from '../access/stored-instance.js'
import { ChangeRecords, markedChangeIn } from '../audit/change-records.js'
import { batchesOf } from '../batches-of.js'
import type { Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { forEachPage } from '../engine/for-each-page.js'
import { contended } from '../failure.js'
import { sectionsFrom } from '../sections/load-subtrees.js'
import { replaceValue } from '../engine/update-document.js'
import { documentsIn, type InstanceDocuments, type InstanceStores } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { liveInstances } from '../storage-copy/partitions.js'

const { schedules } = systemCollections
const id = 'touching'

/** The position of the first record that was not read. */
const StoredPlace = t.readonly(t.type({ from: t.number }), schedules.name)

/** Records that are read at a time. */
const recordsAtOnce = 100

const batchSize = 100
const sectionsAtOnce = 50
const attempts = 50

/** Milliseconds after which all instances are looked at again: other processes write objects too, and can crash. */
const forgotten = 60_000

/** Touches what is due, and returns how many objects. Reads nothing while nothing is written. Throws a PortFailure. */
export const createTouchObjects = (
  { lenient, recorded }: Pick<InstanceStores, 'lenient' | 'recorded'>,
  { clock, documents }: Pick<Ports, 'clock' | 'documents'>,
  instances: Pick<Instances, 'find'>,
): (() => Promise<number>) => {
  const system = documentsIn(lenient, systemInstance)
  let looked: number | null = null

  /** Touches an object, unless it was removed. */
  const touch = async (
    own: InstanceDocuments,
    { settings }: Instance,
    resource: Resource,
    object: string,
  ): Promise<boolean> => {
    const { collection } = resource
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await own.get(collection, object)
      if (found === null || found.value === unreadable) return false
      const value = withTouched(resource, found.value, nowIn(settings.timezone, clock.now()))
      if (E.isRight(await replaceValue(own, resource, found, value))) return true
    }
    fail(contended)
  }

  /** Touches what the changes of these records touch. */
  const touchAll = async (
    own: InstanceDocuments,
    instance: Instance,
    records: readonly Document[],
  ): Promise<number> => {
    const changes = records.flatMap((record) =>
      record.value === unreadable ? [] : (markedChangeIn(record) ?? []),
    )
    const { touched, objects, sections } = touching(changes, instance.settings)
    const due = new Map<Resource, Set<string>>()
    const dueOf = (resource: Resource): Set<string> => {
      const ids = due.get(resource) ?? new Set()
      due.set(resource, ids)
      return ids
    }
    for (const [collection, ids] of objects) {
      const resource = resourceOf(collection)
      if (resource !== undefined) for (const each of ids) dueOf(resource).add(each)
    }
    const find = async ({ resource, where }: Touched): Promise<void> => {
      const scan = { documents: own, collection: resource.collection, where: [where], limit: batchSize }
      await forEachPage(scan, (page) => page.forEach((found) => dueOf(resource).add(found.id)))
    }
    for (const each of touched) await find(each)
    for (const section of sections) {
      const below = await sectionsFrom({ documents: own }, [section])
      for (const batch of batchesOf(below, sectionsAtOnce))
        for (const each of inSections(batch)) await find(each)
    }
    let count = 0
    for (const [resource, ids] of due)
      for (const each of ids) {
        if (await touch(own, instance, resource, each)) count += 1
        await clock.turn()
      }
    return count
  }

  /** Writes the place; false if another process has written it. */
  const writePlace = async (
    own: InstanceDocuments,
    stored: Document | null,
    from: number,
  ): Promise<boolean> => {
    const document = { id, unique: null, value: { from } }
    return E.isRight(
      stored === null
        ? await own.insert(schedules.name, document)
        : await own.replace(schedules.name, { ...document, version: stored.version }),
    )
  }

  const visit = async (instance: Instance): Promise<number> => {
    const own = documentsIn(lenient, instance.number)
    const records = new ChangeRecords(system, own, instance.number)
    for (let count = 0; ;) {
      const stored = await own.get(schedules.name, id)
      if (stored === null) {
        await writePlace(own, stored, await records.firstSince(clock.now() - forgotten))
        continue
      }
      const { from } = decodeStored(StoredPlace, stored, instance.number)
      const { documents: read } = await records.after(from, recordsAtOnce)
      const last = read.at(-1)
      if (last === undefined) return count
      count += await touchAll(own, instance, read)
      await writePlace(own, stored, last.position + 1)
    }
  }

  const visitAll = async (): Promise<number> => {
    let count = 0
    for await (const stored of liveInstances(documents))
      count += await visit(instanceOf(stored.number, stored))
    return count
  }

  const visitRecorded = async (): Promise<number> => {
    let count = 0
    for (const number of recorded) {
      recorded.delete(number)
      const found = await instances.find(number)()
      if (E.isRight(found)) count += await visit(found.right)
      // The instance may have been deleted.
      else if (found.left._tag !== 'NotFound') fail(found.left)
    }
    return count
  }

  const touchDue = async (): Promise<number> => {
    const now = clock.monotonic()
    // What fails is done when all instances are looked at.
    if (looked !== null && now - looked < forgotten) return visitRecorded()
    const count = await visitAll()
    looked = now
    return count
  }

  // One run at a time: who waits for one knows that what is due is done.
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const run = last.then(touchDue, touchDue)
    last = run
    return run
  }
}
