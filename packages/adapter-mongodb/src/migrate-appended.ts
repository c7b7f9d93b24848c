/**
 * Brings in what earlier versions have appended: they stored it in the changed document, or in what was left of a removed one,
 * until they moved it into its collection. Each becomes a committed intent.
 */
import type { Db } from 'mongodb'
import { readDocument } from '@publishing-service/ports'
import type { StoredIn } from './apply-intent.js'
import { type IntentPart, intentsIn } from './intents.js'
import { contentOf, nameOf } from './stored-document.js'

type FormerAppended = {
  readonly collection: string
  readonly instance: number
  readonly id: string
  readonly position: number | { readonly atLeast: number }
  /** Absent in what the first of them have appended, which was 1. */
  readonly version?: number
  /** JSON. */
  readonly value: string
}

/** A changed document with what is appended. `removed` is true if nothing else is left of it. */
type Former = {
  readonly _id: string
  readonly appended: readonly FormerAppended[]
  /** Different for each write. */
  readonly moving: string
  readonly removed?: true
}

export const migrateAppended = async (
  database: Db,
  collections: readonly string[],
  storedIn: StoredIn,
): Promise<void> => {
  for (const collection of collections) {
    const changed = database.collection<Former>(`documents_${collection}`)
    for await (const { _id, appended, moving, removed } of changed.find({ moving: { $exists: true } })) {
      const parts: IntentPart[] = []
      for (const { collection: to, instance, id, position, version = 1, value } of appended) {
        const { layout, vocabulary } = storedIn(to)
        const document = { id, unique: null, value: readDocument(value, null) }
        const { stored, words } = contentOf(layout, instance, document)
        await vocabulary.add(instance, words)
        const name = nameOf(instance, id)
        const inserted = { _id: name, instance, version, ...stored }
        parts.push({ collection: to, name, kind: 'append', document: inserted, position })
      }
      await intentsIn(database).add({ id: moving, state: 'committed', parts })
      if (removed === true) await changed.deleteOne({ _id, moving })
      else await changed.updateOne({ _id, moving }, { $unset: { appended: '', moving: '' } })
    }
  }
}
