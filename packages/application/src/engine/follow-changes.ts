/**
 * Objects that are visible only with others, such as comments with their content, store what queries need of these others
 * (docs/decisions/0070-comments-are-visible-with-their-content.md). It is written after the others, and may be outdated
 * for a moment, or until housekeeping if the process crashes. Reads check the others themselves.
 */
import type { Effects, Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type { Reference } from '@publishing-service/domain/declare'
import { findAmong, followersOf, withComputed, type Follower } from '@publishing-service/domain/engine'
import { unreadable, type Document } from '@publishing-service/ports'
import { contended } from '../failure.js'
import type { InstanceDocuments, WriteConflict } from '../instance-store.js'
import type { Session } from '../session.js'
import { batchesOf } from '../batches-of.js'
import { forEachPage } from './for-each-page.js'
import { replaceValue } from './update-document.js'

const batchSize = 100
const attempts = 50

/** Whether an object has followers. */
const hasFollowers = async (
  documents: InstanceDocuments,
  { collection }: Resource,
  id: string,
): Promise<boolean> => {
  for (const { resource, key } of followersOf(collection)) {
    const where = [{ key, equals: id }]
    const query = { where, order: [], skip: 0, limit: 1, detail: 'light' } as const
    const found = await documents.find(resource.collection, query)
    if (found.documents.length > 0) return true
  }
  return false
}

/** The states with what they take over from the objects that they are visible with, and with their computed attributes. */
export const followed = async (
  documents: InstanceDocuments,
  resource: Resource,
  states: readonly JsonObject[],
): Promise<readonly JsonObject[]> => {
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
      const loaded = await documents.getMany(collection, batch, 'light')
      for (const { id, value } of loaded) found.set(`${collection}/${id}`, value)
    }
  }
  const find = findAmong(found)
  return states.map((state) => withComputed(resource, resource.follow?.(state, find) ?? state))
}

/** Lets one object follow, and returns whether it was written. */
const followOne = async (documents: InstanceDocuments, resource: Resource, id: string): Promise<boolean> => {
  const { collection } = resource
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const current = await documents.get(collection, id)
    if (current === null) return false
    const { value: before } = current
    const states = await followed(documents, resource, [before])
    const [after = before] = states
    if (jsonEqual(after, before)) return false
    if (E.isRight(await replaceValue(documents, resource, current, after))) return true
  }
  throw contended
}

type Level = { readonly collection: string; readonly ids: readonly string[] }

/** Lets the followers of objects follow. Returns all of them, and how many were written. */
const followLevel = async (
  documents: InstanceDocuments,
  { resource, key }: Follower,
  ids: readonly string[],
): Promise<{ readonly found: readonly string[]; readonly written: number }> => {
  const found: string[] = []
  let written = 0
  const followPage = async (page: readonly Document[]): Promise<void> => {
    const readable = page.filter(({ value }) => value !== unreadable)
    found.push(...readable.map(({ id }) => id))
    const values = readable.map(({ value }) => value)
    const states = await followed(documents, resource, values)
    const outdated = readable.filter(({ value }, index) => !jsonEqual(value, states[index] ?? null))
    for (const isWritten of await Promise.all(outdated.map(({ id }) => followOne(documents, resource, id))))
      if (isWritten) written += 1
  }
  for (const batch of batchesOf(ids, batchSize)) {
    const scan = { documents, collection: resource.collection, where: [{ key, oneOf: batch }] }
    await forEachPage({ ...scan, limit: batchSize }, followPage)
  }
  return { found, written }
}

/** Lets everything follow that follows an object, directly or not, and returns how many objects were written. */
const followOnce = async (documents: InstanceDocuments, target: Resource, id: string): Promise<number> => {
  const seen = new Set<string>()
  let written = 0
  let level: readonly Level[] = [{ collection: target.collection, ids: [id] }]
  while (level.length > 0) {
    const next: Level[] = []
    for (const { collection, ids } of level)
      for (const follower of followersOf(collection)) {
        const done = await followLevel(documents, follower, ids)
        written += done.written
        const fresh = done.found.filter((each) => !seen.has(each))
        fresh.forEach((each) => seen.add(each))
        if (fresh.length > 0) next.push({ collection: follower.resource.collection, ids: fresh })
      }
    level = next
  }
  return written
}

/**
 * Lets everything follow that follows an object, directly or not, and returns how many objects were written. Repeats
 * until nothing is outdated, because others write meanwhile.
 */
export const followChanges = async (
  documents: InstanceDocuments,
  target: Resource,
  id: string,
): Promise<number> => {
  let written = 0
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const done = await followOnce(documents, target, id)
    if (done === 0) break
    written += done
  }
  return written
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
    kind: Effects['kind'],
    write: () => Promise<E.Either<WriteConflict, void>>,
  ) =>
  async (): Promise<E.Either<WriteConflict, void>> => {
    if (kind === 'changed' && (await hasFollowers(documents, resource, id)))
      await recordCascade(resource, instance.number, id)
    const written = await write()
    if (E.isLeft(written)) return written
    if (kind === 'created') await followOne(documents, resource, id)
    else await followChanges(documents, resource, id)
    return written
  }
