/** Documents of an instance as a bundle has them, and back: there they say nothing of the deployment. */
import { resourceOf, resources } from '@publishing-service/domain'
import { draftShapeOf } from '@publishing-service/domain/engine'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Checksum } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import type { DocumentLine } from '../storage-copy/export-format.js'

const { audit, cascades, drafts, earlierStates } = systemCollections

/** The number that an instance has in its bundle. */
export const numberInBundle = 1

/** The attributes that name API users. */
export const userAttributes: readonly string[] = [
  ...new Set(
    resources.flatMap((resource) =>
      Object.entries(draftShapeOf(resource).attributes).flatMap(([name, attribute]) =>
        attribute.kind === 'stored' && attribute.type.namesUser === true ? [name] : [],
      ),
    ),
  ),
]

type Change = (state: JsonObject) => JsonObject

/** The value with a change of the objects under these names. */
const withParts = (value: JsonObject, names: readonly string[], change: Change): JsonObject => ({
  ...value,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const part = value[name]
      return isJsonObject(part) ? [[name, change(part)]] : []
    }),
  ),
})

/** The attributes that differ, `{before, after}` by name, with a change of their values. */
const withDifferences = (differences: JsonObject, change: Change): JsonObject =>
  Object.fromEntries(
    Object.entries(differences).map(([name, difference]) => {
      if (!isJsonObject(difference)) return [name, difference]
      const changed = Object.entries(difference).map(([side, value]): readonly [string, Json] => [
        side,
        change({ [name]: value })[name] ?? null,
      ])
      return [name, Object.fromEntries(changed)]
    }),
  )

/** The value of a document with a change of all states of objects in it, whole or in part. */
const withStates = ({ collection, value }: Pick<DocumentLine, 'collection' | 'value'>, change: Change) => {
  if (resourceOf(collection) !== undefined || collection === earlierStates.name) return change(value)
  if (collection === drafts.name) return withParts(value, ['changes', 'base', 'own'], change)
  if (collection !== audit.name) return value
  return withParts(withParts(value, ['before'], change), ['changes'], (differences) =>
    withDifferences(differences, change),
  )
}

/** The uploads that a document names. */
export const uploadsIn = (line: Pick<DocumentLine, 'collection' | 'value'>): readonly string[] => {
  const uploads: string[] = []
  withStates(line, (state) => {
    const { blob } = state
    if (typeof blob === 'string') uploads.push(blob)
    return state
  })
  return uploads
}

/** The key or the path of blobs of an instance, at another one. */
export const blobAt = (blob: string, from: number, to: number): string =>
  blob.startsWith(`${from}/`) ? `${to}/${blob.slice(String(from).length + 1)}` : blob

const withBlobsAt =
  (from: number, to: number): Change =>
  (state) => {
    const { blob } = state
    return typeof blob === 'string' ? { ...state, blob: blobAt(blob, from, to) } : state
  }

const withUsers =
  (userOf: (id: string) => string | null): Change =>
  (state) => {
    const named = userAttributes.flatMap((name) => {
      const user = state[name]
      return typeof user === 'string' ? [[name, userOf(user)] as const] : []
    })
    return named.length === 0 ? state : { ...state, ...Object.fromEntries(named) }
  }

/** The document with other users in place of those that it names; null removes one. */
const withOtherUsers = (line: DocumentLine, userOf: (id: string) => string | null): DocumentLine => {
  const value = withStates(line, withUsers(userOf))
  const { user } = value
  return {
    ...line,
    value:
      line.collection === audit.name && typeof user === 'string' ? { ...value, user: userOf(user) } : value,
  }
}

/** The users that a document names. */
export const usersIn = (line: DocumentLine): readonly string[] => {
  const users: string[] = []
  withOtherUsers(line, (user) => {
    users.push(user)
    return user
  })
  return users
}

/** The document of an instance at another one. */
const atInstance = (line: DocumentLine, from: number, to: number): DocumentLine => {
  const value = withStates(line, withBlobsAt(from, to))
  return line.instance === systemInstance
    ? { ...line, value: { ...value, instance: to } }
    : { ...line, instance: to, value }
}

/**
 * A document of an instance for a bundle: a record without keys and addresses of who made the change, and a draft without the
 * position of its object, which differs in each store.
 */
export const bundledLine = (line: DocumentLine, instance: number): DocumentLine => {
  const moved = atInstance(line, instance, numberInBundle)
  switch (line.collection) {
    case audit.name:
      return { ...moved, value: { ...moved.value, api_key: null, address: null } }
    case drafts.name:
      return { ...moved, value: { ...moved.value, position: 0 } }
    default:
      return moved
  }
}

/** The UUID that a text has as its digest. */
const uuidOf = (text: string, checksum: () => Checksum): string => {
  const sum = checksum()
  sum.add(text)
  const digits = sum.value()
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`]
  return [...groups, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** How documents of a bundle come to an instance. */
export type Destination = {
  readonly instance: number
  /** The user of the deployment in place of one of the bundle; null for nobody. */
  readonly userOf: (id: string) => string | null
  /** The objects that get other UUIDs. */
  readonly renamed: ReadonlySet<string>
  readonly checksum: () => Checksum
}

/** The text with the other UUIDs of objects, wherever it names them. */
const withOtherIds = (text: string, { instance, renamed, checksum }: Destination): string =>
  renamed.size === 0
    ? text
    : text.replaceAll(uuids, (id) =>
        renamed.has(id.toLowerCase()) ? uuidOf(`${instance}/${id.toLowerCase()}`, checksum) : id,
      )

const parsedObject = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('The value of a document became something else')
  return value
}

/** The id that the record of a change has at the instance: records of all instances are together. */
const recordAt = (id: string, { instance, checksum }: Destination): string =>
  uuidOf(`${instance}/record/${id}`, checksum)

/** The key of the data of a file at the instance. */
export const blobFor = (key: string, to: Destination): string =>
  blobAt(withOtherIds(key, to), numberInBundle, to.instance)

/** A document of a bundle as the instance has it. */
export const lineFor = (line: DocumentLine, to: Destination): DocumentLine => {
  const { collection } = line
  const named =
    to.renamed.size === 0
      ? line
      : {
          ...line,
          id: withOtherIds(line.id, to),
          value: parsedObject(withOtherIds(JSON.stringify(line.value), to)),
        }
  const moved = withOtherUsers(atInstance(named, numberInBundle, to.instance), to.userOf)
  if (collection === audit.name || collection === earlierStates.name)
    return { ...moved, id: recordAt(line.id, to) }
  const { removal } = moved.value
  const value =
    collection === cascades.name && typeof removal === 'string'
      ? { ...moved.value, removal: recordAt(removal, to) }
      : moved.value
  return { ...moved, value, unique: resourceOf(collection)?.uniqueText(value) ?? null }
}
