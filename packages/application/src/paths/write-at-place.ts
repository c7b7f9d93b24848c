/** Writes that give an object a place among the public paths, or take it away (docs/decisions/0072-places-have-documents.md). */
import { section } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  kindsBelowPrefixes,
  parentKey,
  placeBelow,
  placeIn,
  placeKey,
  placeOfPrefix,
  type PathKind,
  type PathPlace,
} from '@publishing-service/domain/paths'
import { isPortFailure, type Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { WriteConflict } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import {
  heldAmong,
  heldByOthers,
  isThere,
  isHeldBy,
  placeDocument,
  placesOf,
  placesWithSamePath,
  statusOf,
  StoredPlace,
  type Held,
  type Placed,
  type Surroundings,
} from './places.js'

const { name: collection } = systemCollections.places

const inUse: WriteConflict = { _tag: 'VersionConflict' }
const taken: WriteConflict = { _tag: 'UniqueConflict' }

/** How often a writer looks again at a place that another is about to get, before the write starts over. */
const attempts = 50

/** A claimed place, and whether the object had its document before. */
type Claim = Held & { readonly isRenewed: boolean }

/** Claims a place: UniqueConflict if another object has it, VersionConflict while another writer is about to get it. */
const claimPlace = async (
  at: Surroundings,
  object: Placed,
  place: PathPlace,
): Promise<Either<WriteConflict, Claim>> => {
  const { documents, clock } = at
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const claim = placeDocument(at, object, place, clock.now())
    const inserted = await documents.insert(collection, claim)
    if (E.isRight(inserted))
      return E.right({ place, document: inserted.right, by: claim.value, isRenewed: false })
    if (inserted.left._tag !== 'VersionConflict') return inserted
    const found = await documents.get(collection, claim.id)
    if (found === null) continue
    const held = { place, document: found, by: decodeStored(StoredPlace, found) }
    const isRenewed = isHeldBy(object, held.by)
    if (!isRenewed) {
      const status = await statusOf(at, held)
      if (status === 'there') return E.left(taken)
      if (status === 'writing') continue
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
  const own = await claimPlace(at, object, place)
  if (E.isLeft(own)) return own.left
  claims.push(own.right)
  for (const other of await placesWithSamePath(at, place))
    if ('prefix' in other.below) {
      const claim = await claimPlace(at, object, other)
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

/**
 * Removes the documents of places after a write has failed, but not where another writer of the object may have renewed
 * them, or where the object is nevertheless, because its write could not be undone.
 */
const withdraw = async (at: Surroundings, claims: readonly Claim[]): Promise<void> => {
  for (const claim of claims) {
    const { id, version } = claim.document
    await attempt(async () => {
      if (!claim.isRenewed && !(await isThere(at, claim))) await at.documents.remove(collection, id, version)
    })
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
