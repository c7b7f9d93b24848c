/** Records that a write will have consequences in other documents, so that housekeeping finishes them after a crash. */
import type { Resource } from '@publishing-service/domain'
import { t } from '@publishing-service/domain/fp'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { orContended } from '../failure.js'
import type { Ports } from '../ports.js'

const { removals } = systemCollections

/** The removal of an object, or its change: where it is, its id, and the millisecond of the record. */
export const Cascade = t.readonly(
  t.type({ instance: t.number, collection: t.string, id: t.string, at: t.number }),
  removals.name,
)
export type Cascade = t.TypeOf<typeof Cascade>

/** Called before the write, so that a crash leaves none without a record. */
export type RecordCascade = (resource: Resource, instance: number, id: string) => Promise<void>

export const createRecordCascade =
  ({ documents, clock, ids }: Pick<Ports, 'documents' | 'clock' | 'ids'>): RecordCascade =>
  async (resource, instance, id) => {
    const value: Cascade = { instance, collection: resource.collection, id, at: clock.now() }
    const document = { id: ids.uuid(), unique: null, value }
    await orThrow(orContended(documents.insert(removals.name, systemInstance, document)))
  }
