/**
 * The places among the public paths. Sections, content, locations and tags share paths, but a store promises a unique
 * text within one collection only. So each place has a document: its id is the place, and its value the object there. A
 * writer inserts it before the object gets the place, so that no two objects have one path, whatever crashes in between
 * (docs/decisions/0072-places-have-documents.md).
 */
import { resourceOf, section, type Resource } from '@publishing-service/domain'
import { t } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  kindBelowSection,
  kindsBelowPrefixes,
  parentKey,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  placeOfPrefix,
  type PathPlace,
} from '@publishing-service/domain/paths'
import type { Clock, Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Ports } from '../ports.js'

/** Documents of one instance, and what the documents of places are made with. */
export type Surroundings = {
  readonly documents: InstanceDocuments
  readonly clock: Pick<Clock, 'now'>
  readonly checksum: Ports['checksum']
}

/** An object that has a place, or is about to get one. */
export type Placed = { readonly resource: Resource; readonly id: string }

const { name: collection } = systemCollections.places

/** The key of the parent, the name, the object that has the place, and when it was claimed, in milliseconds. */
export const StoredPlace = t.readonly(
  t.type({ parent: t.string, name: t.string, collection: t.string, id: t.string, at: t.number }),
  collection,
)
export type StoredPlace = t.TypeOf<typeof StoredPlace>

/**
 * A crash can leave the document of an object that never got the place. After this number of milliseconds another writer
 * takes it over; a writer of the same object does at once. Uses the wall clock, because other processes read the
 * document. A time that is further in the future was recorded before the clock was set back.
 */
const claimLifetime = 60_000
/** The length of ids that every store accepts. */
const longestId = 200

const idOf = ({ checksum }: Pick<Surroundings, 'checksum'>, place: PathPlace): string => {
  const key = placeKey(place)
  if (key.length <= longestId) return key
  const sum = checksum()
  sum.add(key)
  return sum.value()
}

/** The document of a place that an object has had since a time. */
export const placeDocument = (
  at: Pick<Surroundings, 'checksum'>,
  { resource, id }: Placed,
  place: PathPlace,
  since: number,
) => {
  const value: StoredPlace = {
    parent: parentKey(place),
    name: place.name,
    collection: resource.collection,
    id,
    at: since,
  }
  return { id: idOf(at, place), unique: null, value }
}

export const isHeldBy = ({ resource, id }: Placed, held: StoredPlace): boolean =>
  held.collection === resource.collection && held.id === id

export type Held = { readonly place: PathPlace; readonly document: Document; readonly by: StoredPlace }

/** The documents of places, as far as there are any. */
export const heldAmong = async (
  at: Pick<Surroundings, 'documents' | 'checksum'>,
  places: readonly PathPlace[],
): Promise<readonly Held[]> => {
  if (places.length === 0) return []
  const byId = new Map(places.map((place) => [idOf(at, place), place]))
  const found = await at.documents.getMany(collection, [...byId.keys()], 'light')
  return found.flatMap((document) => {
    const place = byId.get(document.id)
    return place === undefined ? [] : [{ place, document, by: decodeStored(StoredPlace, document) }]
  })
}

/** Whether the object that the document of a place names is there, as it is stored. */
export const isThere = async ({ documents }: Surroundings, { place, by }: Held): Promise<boolean> => {
  const resource = resourceOf(by.collection)
  if (resource === undefined) return false
  const found = await documents.get(by.collection, by.id)
  const own = found === null ? null : placeOf(resource, found.value)
  if (own === null || own.name !== place.name) return false
  if (placeKey(own) === placeKey(place)) return true
  // It is in a section, whose path may be the prefix.
  if (!('prefix' in place.below) || !('section' in own.below) || own.below.section === null) return false
  const above = await documents.get(section.collection, own.below.section)
  return above !== null && kindBelowSection(above.value)?.rule.prefix === place.below.prefix
}

type Status = 'there' | 'writing' | 'gone'

/** Whether the object is there, may be about to get there, or is elsewhere. */
export const statusOf = async (at: Surroundings, held: Held): Promise<Status> => {
  if (await isThere(at, held)) return 'there'
  return Math.abs(at.clock.now() - held.by.at) < claimLifetime ? 'writing' : 'gone'
}

/** The other places that have the path of this one, because a section has the prefix of a kind as its path. */
export const placesWithSamePath = async (
  at: Surroundings,
  { name, below }: PathPlace,
): Promise<readonly PathPlace[]> => {
  if ('section' in below && below.section === null) return []
  const kinds = kindsBelowPrefixes.filter(({ rule }) => 'section' in below || rule.prefix === below.prefix)
  const held = await heldAmong(at, kinds.map(placeOfPrefix))
  return kinds.flatMap((kind) => {
    const key = placeKey(placeOfPrefix(kind))
    const by = held.find(({ place }) => placeKey(place) === key)?.by
    if (by?.collection !== section.collection) return []
    if ('prefix' in below) return placeIn(by.id, name)
    return by.id === below.section ? placeBelow(kind, name) : []
  })
}

/** All places that have the path of an object with this state: its own first; none if its kind has no public path. */
export const placesOf = async (
  at: Surroundings,
  { resource }: Placed,
  state: JsonObject,
): Promise<readonly PathPlace[]> => {
  const own = placeOf(resource, state)
  if (own === null) return []
  return [own, ...(await placesWithSamePath(at, own))]
}

type OtherHeld = Held & { readonly status: Exclude<Status, 'gone'> }

/** The places among these that another object has, or is about to get. */
export const heldByOthers = async (
  at: Surroundings,
  object: Placed,
  places: readonly PathPlace[],
): Promise<readonly OtherHeld[]> => {
  const held = await heldAmong(at, places)
  const others: OtherHeld[] = []
  for (const each of held) {
    if (isHeldBy(object, each.by)) continue
    const status = await statusOf(at, each)
    if (status !== 'gone') others.push({ ...each, status })
  }
  return others
}

/** Which of the names are taken at the place of a state by other objects. */
export const takenNames = async (
  at: Surroundings,
  object: Placed,
  state: JsonObject,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const parents = await placesOf(at, object, state)
  const places = parents.flatMap((parent) => names.map((name) => ({ ...parent, name })))
  const others = await heldByOthers(at, object, places)
  return new Set(others.map(({ place }) => place.name))
}

/** The object that has the path of another with this state; null if only that object has it. */
export const holderOfPath = async (
  at: Surroundings,
  object: Placed,
  state: JsonObject,
): Promise<Pick<StoredPlace, 'collection' | 'id'> | null> => {
  const places = await placesOf(at, object, state)
  const others = await heldByOthers(at, object, places)
  return others.find(({ status }) => status === 'there')?.by ?? null
}

/** Gives an object its place, unless another has it. For objects that an earlier release stored. */
export const recordPlace = async (at: Surroundings, object: Placed, state: JsonObject): Promise<void> => {
  const places = await placesOf(at, object, state)
  for (const [index, each] of places.entries()) {
    // An object below a prefix has no document in the section whose path the prefix is.
    if (index > 0 && 'section' in each.below) continue
    // A conflict: the place has a document.
    await at.documents.insert(collection, placeDocument(at, object, each, 0))
  }
}
