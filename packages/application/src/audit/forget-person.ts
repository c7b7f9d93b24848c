import { withoutForgotten } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import { isJsonObject, jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { fail } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import { contended } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'

const { audit, users } = systemCollections
const attempts = 20

const forgotten = (value: JsonObject): JsonObject => {
  const { changes = null, collection } = value
  return collection === users.name && isJsonObject(changes)
    ? { ...value, changes: withoutForgotten(changes) }
    : value
}

/** Removes from the audit log how a user who was deleted could be reached. Throws a Failure. */
export const forgetPerson = async (
  documents: Pick<InstanceDocuments, 'find' | 'get' | 'replace'>,
  user: string,
): Promise<void> => {
  const ids: string[] = []
  const where = [{ key: 'object', equals: user }]
  await forEachPage({ documents, collection: audit.name, where, limit: 200 }, (page) => {
    for (const { id, value } of page) if (!jsonEqual(forgotten(value), value)) ids.push(id)
  })
  const forget = async (id: string): Promise<void> => {
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const found = await documents.get(audit.name, id)
      if (found === null) return
      const document = { id, version: found.version, unique: null, value: forgotten(found.value) }
      if (E.isRight(await documents.replace(audit.name, document))) return
    }
    fail(contended)
  }
  for (const id of ids) await forget(id)
}
