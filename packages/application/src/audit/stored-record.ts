import { t } from '@publishing-service/domain/fp'
import { jsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { Change, Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'

const orNull = <A>(codec: t.Type<A, unknown>) => t.union([codec, t.null])

/** A record as it is stored. Those of earlier releases say nothing about versions. */
const StoredRecord = t.readonly(
  t.intersection([
    t.type({ created: t.string, operation: t.string, collection: t.string }),
    t.partial({
      user: orNull(t.string),
      name: t.string,
      changes: orNull(jsonObject),
      kind: orNull(t.union([t.literal('insert'), t.literal('replace'), t.literal('remove')])),
      version: orNull(t.number),
      before: orNull(jsonObject),
      is_apart: t.boolean,
    }),
  ]),
  systemCollections.audit.name,
)

/** The record of a change of an object. */
export type ChangeRecord = {
  readonly id: string
  /** When it was made, in UTC. */
  readonly created: string
  readonly operation: string
  readonly collection: string
  /** UUID of the API user, and its name at that time. */
  readonly user: string | null
  readonly name: string | null
  /** The attributes that differ, by name. */
  readonly changes: JsonObject
  readonly kind: Change['kind']
  /** The version that it made; for a removal, the one that it would have made. */
  readonly version: number
  /** The state before; null if there was none, if the document is light, or if it is stored apart. */
  readonly before: JsonObject | null
  readonly isApart: boolean
}

/** The record of a change; null if the document is of an operation that changed no object. */
export const changeRecordIn = (document: Pick<Document, 'id' | 'value'>): ChangeRecord | null => {
  const stored = decodeStored(StoredRecord, document)
  const { created, operation, collection, user = null, name = null, changes, kind, version } = stored
  if (typeof kind !== 'string' || typeof version !== 'number') return null
  return {
    id: document.id,
    created,
    operation,
    collection,
    user,
    name,
    changes: changes ?? {},
    kind,
    version,
    before: stored.before ?? null,
    isApart: stored.is_apart === true,
  }
}
