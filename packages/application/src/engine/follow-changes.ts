/**
 * Objects that are visible only with others, such as comments with their content, store what queries need of these others
 * (docs/decisions/0070-comments-are-visible-with-their-content.md). It is written after the others, and may be outdated
 * for a moment, or until housekeeping if the process crashes. Reads check the others themselves.
 */
import type { Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type { Reference } from '@publishing-service/domain/declare'
import { findAmong, followersOf, withComputed, type Follower } from '@publishing-service/domain/engine'
import { unreadable, type Change, type Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { contended } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'
import { batchesOf } from '../batches-of.js'
import { forEachPage } from './for-each-page.js'
import { replaceValue } from './update-document.js'

const batchSize = 100
const attempts = 50

/** Whether an object has followers. */
export const hasFollowers = async (
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

/** The objects that a state is visible with. */
const referencesOf = ({ attributes, visibleWith }: Resource, state: JsonObject): readonly Reference[] =>
  (visibleWith?.references ?? []).flatMap((name): readonly Reference[] => {
    const attribute = attributes[name]
    return attribute?.kind === 'stored' ? (attribute.type.references?.(state[name] ?? null) ?? []) : []
  })

/** The objects of references, as far as they exist, with their collections. */
const loadAll = async (
  documents: InstanceDocuments,
  references: readonly Reference[],
): Promise<readonly (Document & { readonly collection: string })[]> => {
  const found: (Document & { readonly collection: string })[] = []
  for (const collection of new Set(references.map((each) => each.collection))) {
    const ids = new Set(references.flatMap((each) => (each.collection === collection ? each.id : [])))
    for (const batch of batchesOf([...ids], 1000)) {
      const loaded = await documents.getMany(collection, batch, 'light')
      found.push(...loaded.map((document) => ({ ...document, collection })))
    }
  }
  return found
}

const following = (
  resource: Resource,
  state: JsonObject,
  targets: readonly (Document & { readonly collection: string })[],
): JsonObject => {
  const find = findAmong(new Map(targets.map(({ collection, id, value }) => [`${collection}/${id}`, value])))
  return withComputed(resource, resource.visibleWith?.follow(state, find) ?? state)
}

/** The states with what they take over from the objects that they are visible with, and with their computed attributes. */
export const followed = async (
  documents: InstanceDocuments,
  resource: Resource,
  states: readonly JsonObject[],
): Promise<readonly JsonObject[]> => {
  const targets = await loadAll(
    documents,
    states.flatMap((state) => referencesOf(resource, state)),
  )
  return states.map((state) => following(resource, state, targets))
}

/** The state of a new object with what it takes over, and the expectation that those are unchanged when it is written. */
export const followedAtCreation = async (
  documents: InstanceDocuments,
  resource: Resource,
  state: JsonObject,
): Promise<{ readonly state: JsonObject; readonly expected: readonly Change[] }> => {
  const targets = await loadAll(documents, referencesOf(resource, state))
  const expected = targets.map(({ collection, id, version }): Change => ({
    collection,
    kind: 'expect',
    id,
    version,
  }))
  return { state: following(resource, state, targets), expected }
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
  fail(contended)
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
