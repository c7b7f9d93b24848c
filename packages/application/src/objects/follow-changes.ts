/**
 * Objects that are visible only with others, such as comments with their content, store what queries need of these others
 * (docs/decisions/0070-comments-are-visible-with-their-content.md). It is written after the others, and may be outdated
 * for a moment, or until housekeeping if the process crashes. Reads check the others themselves.
 */
import {
  E,
  findAmong,
  jsonEqual,
  resources,
  uniqueTextOf,
  withComputed,
  type JsonObject,
  type Problem,
  type Reference,
  type Resource,
  type TaskEither,
} from '@publishing-service/domain'
import { unreadable, type Document, type PortFailure, type WriteFailure } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import type { Session } from '../session.js'
import { batchesOf } from './batches-of.js'
import { forEachPage } from './for-each-page.js'

const batchSize = 100
const attempts = 50

type Follower = { readonly resource: Resource; readonly key: string; readonly target: string }

/** Each kind of object that follows others, by the reference to them. */
const followers: readonly Follower[] = resources.flatMap((resource) =>
  (resource.visibleWith ?? []).flatMap((key) => {
    const attribute = resource.attributes[key]
    const targets = attribute?.kind === 'stored' ? (attribute.type.targets ?? []) : []
    return targets.map((target) => ({ resource, key, target }))
  }),
)

const followersOf = (collection: string): readonly Follower[] =>
  followers.filter(({ target }) => target === collection)

/** The collections of objects that others follow. */
const followedCollections: ReadonlySet<string> = new Set(followers.map(({ target }) => target))

/** Whether what followers of an object take over from it may differ between two states. */
const concernsFollowers = (
  { collection, restrictedBy = [] }: Resource,
  before: JsonObject,
  after: JsonObject,
): boolean => {
  if (!followedCollections.has(collection)) return false
  for (const key of restrictedBy) if (!jsonEqual(before[key] ?? null, after[key] ?? null)) return true
  return false
}

/** Whether a write is one after which objects follow others. */
export const concernsFollowing = (
  resource: Resource,
  before: JsonObject | null,
  after: JsonObject,
): boolean =>
  before === null ? resource.visibleWith !== undefined : concernsFollowers(resource, before, after)

/** Whether an object has followers. */
const hasFollowers =
  (documents: InstanceDocuments, { collection }: Resource, id: string): TaskEither<PortFailure, boolean> =>
  async () => {
    for (const { resource, key } of followersOf(collection)) {
      const where = [{ key, equals: id }]
      const query = { where, order: [], skip: 0, limit: 1, detail: 'light' } as const
      const found = await documents.find(resource.collection, query)()
      if (E.isLeft(found)) return found
      if (found.right.documents.length > 0) return E.right(true)
    }
    return E.right(false)
  }

/** The states with what they take over from the objects that they are visible with, and with their computed attributes. */
export const followed =
  (
    documents: InstanceDocuments,
    resource: Resource,
    states: readonly JsonObject[],
  ): TaskEither<PortFailure, readonly JsonObject[]> =>
  async () => {
    const { attributes, visibleWith = [] } = resource
    const references = states.flatMap((state) =>
      visibleWith.flatMap((name): readonly Reference[] => {
        const attribute = attributes[name]
        return attribute?.kind === 'stored' ? (attribute.type.references?.(state[name] ?? null) ?? []) : []
      }),
    )
    const found = new Map<`${string}/${string}`, JsonObject>()
    for (const collection of new Set(references.map((each) => each.collection))) {
      const ids = new Set(references.flatMap((each) => (each.collection === collection ? each.id : [])))
      for (const batch of batchesOf([...ids], 1000)) {
        const loaded = await documents.getMany(collection, batch, 'light')()
        if (E.isLeft(loaded)) return loaded
        for (const { id, value } of loaded.right) found.set(`${collection}/${id}`, value)
      }
    }
    const find = findAmong(found)
    return E.right(states.map((state) => withComputed(resource, resource.follow?.(state, find) ?? state)))
  }

/** Lets one object follow, and returns whether it was written. */
const followOne =
  (documents: InstanceDocuments, resource: Resource, id: string): TaskEither<WriteFailure, boolean> =>
  async () => {
    const { collection } = resource
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const current = await documents.get(collection, id)()
      if (E.isLeft(current)) return current
      if (current.right === null) return E.right(false)
      const { version, value: before } = current.right
      const states = await followed(documents, resource, [before])()
      if (E.isLeft(states)) return states
      const [after = before] = states.right
      if (jsonEqual(after, before)) return E.right(false)
      const unique = uniqueTextOf(resource, after)
      const written = await documents.replace(collection, { id, version, unique, value: after })()
      if (E.isRight(written)) return E.right(true)
      if (written.left._tag !== 'VersionConflict') return written
    }
    return E.left({ _tag: 'VersionConflict' })
  }

type Level = { readonly collection: string; readonly ids: readonly string[] }

/** Lets the followers of objects follow. Returns all of them, and how many were written. */
const followLevel =
  (
    documents: InstanceDocuments,
    { resource, key }: Follower,
    ids: readonly string[],
  ): TaskEither<WriteFailure, { readonly found: readonly string[]; readonly written: number }> =>
  async () => {
    const found: string[] = []
    let written = 0
    let failure: WriteFailure | null = null
    const followPage = async (page: readonly Document[]): Promise<void> => {
      const readable = page.filter(({ value }) => value !== unreadable)
      found.push(...readable.map(({ id }) => id))
      const values = readable.map(({ value }) => value)
      const states = await followed(documents, resource, values)()
      if (E.isLeft(states)) {
        failure = states.left
        return
      }
      const outdated = readable.filter(({ value }, index) => !jsonEqual(value, states.right[index] ?? null))
      for (const outcome of await Promise.all(outdated.map(({ id }) => followOne(documents, resource, id)())))
        if (E.isLeft(outcome)) failure = outcome.left
        else if (outcome.right) written += 1
    }
    for (const batch of batchesOf(ids, batchSize)) {
      const scan = { documents, collection: resource.collection, where: [{ key, oneOf: batch }] }
      const read = await forEachPage({ ...scan, limit: batchSize }, followPage)()
      if (E.isLeft(read)) return read
      if (failure !== null) return E.left(failure)
    }
    return E.right({ found, written })
  }

/** Lets everything follow that follows an object, directly or not, and returns how many objects were written. */
const followOnce =
  (documents: InstanceDocuments, target: Resource, id: string): TaskEither<WriteFailure, number> =>
  async () => {
    const seen = new Set<string>()
    let written = 0
    let level: readonly Level[] = [{ collection: target.collection, ids: [id] }]
    while (level.length > 0) {
      const next: Level[] = []
      for (const { collection, ids } of level)
        for (const follower of followersOf(collection)) {
          const done = await followLevel(documents, follower, ids)()
          if (E.isLeft(done)) return done
          written += done.right.written
          const fresh = done.right.found.filter((each) => !seen.has(each))
          fresh.forEach((each) => seen.add(each))
          if (fresh.length > 0) next.push({ collection: follower.resource.collection, ids: fresh })
        }
      level = next
    }
    return E.right(written)
  }

/**
 * Lets everything follow that follows an object, directly or not, and returns how many objects were written. Repeats
 * until nothing is outdated, because others write meanwhile.
 */
export const followChanges =
  (documents: InstanceDocuments, target: Resource, id: string): TaskEither<WriteFailure, number> =>
  async () => {
    let written = 0
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const done = await followOnce(documents, target, id)()
      if (E.isLeft(done)) return done
      if (done.right === 0) break
      written += done.right
    }
    return E.right(written)
  }

/**
 * Lets the objects that follow the written one follow. The write is recorded before, so that housekeeping finishes this
 * after a crash. A new object may itself have been written while what it follows changed.
 */
export const lettingFollow =
  (
    { documents, instance, recordCascade }: Session,
    resource: Resource,
    id: string,
    previous: JsonObject | null,
    state: JsonObject,
    write: TaskEither<WriteFailure | Problem, void>,
  ): TaskEither<WriteFailure | Problem, void> =>
  async () => {
    const concerns = previous !== null && concernsFollowers(resource, previous, state)
    if (concerns) {
      const has = await hasFollowers(documents, resource, id)()
      if (E.isLeft(has)) return has
      const recorded = has.right ? await recordCascade(resource, instance.number, id)() : has
      if (E.isLeft(recorded)) return recorded
    }
    const written = await write()
    if (E.isLeft(written)) return written
    const isFollower = previous === null && resource.visibleWith !== undefined
    const own = isFollower ? await followOne(documents, resource, id)() : written
    if (E.isLeft(own)) return own
    const others = concerns ? await followChanges(documents, resource, id)() : written
    return E.isLeft(others) ? others : written
  }
