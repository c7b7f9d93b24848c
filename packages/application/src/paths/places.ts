/**
 * The places among the public paths. Sections, content, locations and tags share paths, but a store promises a unique
 * text within one collection only. So each place has a document: its id is the place, and its value the object there. A
 * writer inserts it before the object gets the place, so that no two objects have one path, whatever crashes in between
 * (docs/decisions/0072-places-have-documents.md).
 */
import { resourceOf, section, type Resource } from '@publishing-service/domain'
import { t, E, type Either } from '@publishing-service/domain/fp'
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
  type PathKind,
} from '@publishing-service/domain/paths'
import { type Clock, type Document, isPortFailure } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { InstanceDocuments, WriteConflict } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { attempt } from '../attempt.js'
import { forEachPage } from '../engine/for-each-page.js'
import { writeUnchanged } from '../engine/update-document.js'

/** Documents of one instance, and what the documents of places are made with. */
export type Surroundings = {
  readonly documents: InstanceDocuments
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly checksum: Ports['checksum']
}

/** An object that has a place, or is about to get one. */
export type Placed = { readonly resource: Resource; readonly id: string }

const { name: collection } = systemCollections.places

/**
 * The key of the parent, the name, the object that has the place, when it was claimed, in milliseconds, and whether the object
 * existed then. A document of an earlier release does not say that.
 */
export const StoredPlace = t.readonly(
  t.intersection([
    t.type({ parent: t.string, name: t.string, collection: t.string, id: t.string, at: t.number }),
    t.partial({ existed: t.boolean }),
  ]),
  collection,
)
export type StoredPlace = t.TypeOf<typeof StoredPlace>

/**
 * A crash can leave the document of an object that never got the place. After this number of milliseconds another
 * writer takes it over; a writer of the same object does at once, and any other if the object exists or was deleted
 * (`preventWrite`). Uses the wall clock, because other processes read the document. A time that is further in the
 * future was recorded before the clock was set back.
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

/** The document of a place that an object has had since a time, at which it existed or not. */
const placeDocument = (
  at: Pick<Surroundings, 'checksum'>,
  { resource, id }: Placed,
  place: PathPlace,
  since: number,
  existed: boolean,
) => {
  const value: StoredPlace = {
    parent: parentKey(place),
    name: place.name,
    collection: resource.collection,
    id,
    at: since,
    existed,
  }
  return { id: idOf(at, place), unique: null, value }
}

const isHeldBy = ({ resource, id }: Placed, held: StoredPlace): boolean =>
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
const placesWithSamePath = async (
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
const heldByOthers = async (
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
    await at.documents.insert(collection, placeDocument(at, object, each, 0, true))
  }
}

// Writes that give an object a place, or take it away.

const inUse: WriteConflict = { _tag: 'VersionConflict' }
const taken: WriteConflict = { _tag: 'UniqueConflict' }

/** How often a writer looks at a place that another is about to get, before it prevents the other write. */
const attempts = 50

/** A claimed place, and whether the object had its document before. */
type Claim = Held & { readonly isRenewed: boolean }

/**
 * Prevents the write of an object that claims a place and has not got it: writes the object unchanged, so that a write which
 * is based on its former version fails. One that runs starts over, and one of a process that crashed, or whose store failed,
 * is never applied. If the object was deleted, nothing is written. Returns false if the object was changed, or if it has
 * never existed, because its creation cannot be prevented.
 */
const preventWrite = async ({ documents }: Surroundings, { by }: Held): Promise<boolean> => {
  const resource = resourceOf(by.collection)
  if (resource === undefined) return false
  const found = await documents.get(by.collection, by.id)
  if (found === null) return by.existed === true
  return E.isRight(await writeUnchanged(documents, resource, found))
}

/** Claims a place: UniqueConflict if another object has it, VersionConflict while another writer is about to get it. */
const claimPlace = async (
  at: Surroundings,
  object: Placed,
  place: PathPlace,
  isNew: boolean,
): Promise<Either<WriteConflict, Claim>> => {
  const { documents, clock } = at
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const claim = placeDocument(at, object, place, clock.now(), !isNew)
    const inserted = await documents.insert(collection, claim)
    if (E.isRight(inserted))
      return E.right({ place, document: inserted.right, by: claim.value, isRenewed: false })
    if (inserted.left._tag !== 'VersionConflict') return inserted
    const found = await documents.get(collection, claim.id)
    if (found === null) continue
    const held = { place, document: found, by: decodeStored(StoredPlace, found) }
    const isRenewed = isHeldBy(object, held.by)
    if (!isRenewed) {
      const isPrevented = attempted === attempts - 1 && (await preventWrite(at, held))
      // The document was read before: a write of the object that begins from now on renews it first.
      const status = await statusOf(at, held)
      if (status === 'there') return E.left(taken)
      if (status === 'writing' && !isPrevented) continue
    }
    const replaced = await documents.replace(collection, { ...claim, version: found.version })
    if (E.isRight(replaced)) return E.right({ place, document: replaced.right, by: claim.value, isRenewed })
    if (replaced.left._tag !== 'VersionConflict') return replaced
  }
  return E.left(inUse)
}

/** Why an object cannot have a place that another has, or is about to get. */
const refusal = (status: 'there' | 'writing'): WriteConflict => (status === 'there' ? taken : inUse)

/** The conflict if a section is about to have a prefix as its path, and an object below it has the name of one of the kind. */
const conflictBelow = async (at: Surroundings, id: string, kind: PathKind): Promise<WriteConflict | null> => {
  const inSection = placeIn(id, '')
  const where = [{ key: 'parent', equals: parentKey(inSection) }]
  let conflict: WriteConflict | null = null
  const compare = async (page: readonly Document[]): Promise<void> => {
    if (conflict !== null) return
    const byName = new Map(
      page.map((document): [string, Held] => {
        const by = decodeStored(StoredPlace, document)
        return [by.name, { place: { ...inSection, name: by.name }, document, by }]
      }),
    )
    const below = await heldAmong(
      at,
      Array.from(byName.keys(), (name) => placeBelow(kind, name)),
    )
    for (const each of below) {
      const above = byName.get(each.place.name)
      // An object of the section can have both.
      if (above === undefined || (above.by.collection === each.by.collection && above.by.id === each.by.id))
        continue
      const [one, other] = [await statusOf(at, each), await statusOf(at, above)]
      if (one !== 'gone' && other !== 'gone') {
        conflict = refusal(one)
        return
      }
    }
  }
  await forEachPage({ documents: at.documents, collection, where, limit: 200 }, compare)
  return conflict
}

/** Claims a place, and checks the others that have its path. What is claimed is added to `claims`. */
const claimPath = async (
  at: Surroundings,
  object: Placed,
  place: PathPlace,
  isNew: boolean,
  claims: Claim[],
): Promise<WriteConflict | null> => {
  const own = await claimPlace(at, object, place, isNew)
  if (E.isLeft(own)) return own.left
  claims.push(own.right)
  for (const other of await placesWithSamePath(at, place))
    if ('prefix' in other.below) {
      const claim = await claimPlace(at, object, other, isNew)
      if (E.isLeft(claim)) return claim.left
      claims.push(claim.right)
    } else {
      const [first] = await heldByOthers(at, object, [other])
      if (first !== undefined) return refusal(first.status)
    }
  if (isNew || object.resource.collection !== section.collection) return null
  const kind = kindsBelowPrefixes.find((each) => placeKey(placeOfPrefix(each)) === placeKey(place))
  return kind === undefined ? null : conflictBelow(at, object.id, kind)
}

/** A write after which an object with this state is no longer at its place: it moves, or is removed. */
export const leavePlace = async <F, A>(
  at: Surroundings,
  object: Placed,
  state: JsonObject,
  write: () => Promise<Either<F, A>>,
): Promise<Either<F, A>> => {
  const places = await placesOf(at, object, state)
  // Read before the write: a document that another writer of the object renews after it stays.
  const held = await heldAmong(at, places)
  const written = await write()
  // If a removal fails, the next writer finds that the object is not there.
  if (E.isRight(written))
    await Promise.all(
      held
        .filter(({ by }) => isHeldBy(object, by))
        .map(({ document: { id, version } }) => attempt(() => at.documents.remove(collection, id, version))),
    )
  return written
}

/** Milliseconds between the attempts to remove a claim that remains after a failure of the store. */
const withdrawalPause = 1000

/** Removes a claim unless the object has the place, because its write could not be undone. */
const withdrawClaim = (at: Surroundings, claim: Claim) =>
  attempt(async () => {
    const { id, version } = claim.document
    if (!(await isThere(at, claim))) await at.documents.remove(collection, id, version)
  })

/** Removes a claim when the store is available again, if that is before the claim expires. */
const withdrawLater = async (at: Surroundings, claim: Claim): Promise<void> => {
  for (let waited = 0; waited < claimLifetime; waited += withdrawalPause) {
    await at.clock.wait(withdrawalPause)
    if (E.isRight(await withdrawClaim(at, claim))) return
  }
}

/** Removes the claims of a write that has failed, but not where another writer of the object may have renewed them. */
const withdraw = async (at: Surroundings, claims: readonly Claim[]): Promise<void> => {
  for (const claim of claims) {
    if (claim.isRenewed || E.isRight(await withdrawClaim(at, claim))) continue
    // What it fails with is a defect, which the next writer of the place reports.
    withdrawLater(at, claim).catch(() => undefined)
  }
}

/**
 * Writes an object with a state that gives it a new place; null if it keeps the one that it has. UniqueConflict if another
 * object has the place, and VersionConflict if another writer is about to take it.
 */
export const writeAtPlace = async <A>(
  at: Surroundings,
  object: Placed,
  previous: JsonObject | null,
  place: PathPlace | null,
  write: () => Promise<Either<WriteConflict, A>>,
): Promise<Either<WriteConflict, A>> => {
  if (place === null) return write()
  const claims: Claim[] = []
  try {
    const conflict = await claimPath(at, object, place, previous === null, claims)
    const written =
      conflict !== null
        ? E.left(conflict)
        : await (previous === null ? write() : leavePlace(at, object, previous, write))
    if (E.isLeft(written)) await withdraw(at, claims)
    return written
  } catch (error) {
    // A write that may yet be applied keeps its place.
    if (!isPortFailure(error) || error.mayYetApply !== true) await withdraw(at, claims)
    throw error
  }
}
