/** Writes that give an object a place among the public paths, or take it away (docs/decisions/0072-places-have-documents.md). */
import {
  E,
  hasOtherPath,
  kindsBelowPrefixes,
  parentKey,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  placeOfPrefix,
  section,
  type Either,
  type JsonObject,
  type PathKind,
  type PathPlace,
  type Resource,
  type TaskEither,
} from '@publishing-service/domain'
import { isPortFailure, type Document, type WriteFailure } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { forEachPage } from '../objects/for-each-page.js'
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

const inUse: WriteFailure = { _tag: 'VersionConflict' }
const taken: WriteFailure = { _tag: 'UniqueConflict' }

type Result<A> = Promise<Either<WriteFailure, A>>

/** How often a writer looks again at a place that another is about to get, before the write starts over. */
const attempts = 50

/** A claimed place, and whether the object had its document before. */
type Claim = Held & { readonly isRenewed: boolean }

/** Claims a place: UniqueConflict if another object has it, VersionConflict while another writer is about to get it. */
const claimPlace = async (at: Surroundings, object: Placed, place: PathPlace): Result<Claim> => {
  const { documents, clock } = at
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const claim = placeDocument(at, object, place, clock.now())
    const inserted = await documents.insert(collection, claim)()
    if (E.isRight(inserted))
      return E.right({ place, document: inserted.right, by: claim.value, isRenewed: false })
    if (inserted.left._tag !== 'VersionConflict') return inserted
    const found = await documents.get(collection, claim.id)()
    if (E.isLeft(found)) return found
    if (found.right === null) continue
    const held = { place, document: found.right, by: decodeStored(StoredPlace, found.right) }
    const isRenewed = isHeldBy(object, held.by)
    if (!isRenewed) {
      const status = await statusOf(at, held)
      if (E.isLeft(status)) return status
      if (status.right === 'there') return E.left(taken)
      if (status.right === 'writing') continue
    }
    const replaced = await documents.replace(collection, { ...claim, version: found.right.version })()
    if (E.isRight(replaced)) return E.right({ place, document: replaced.right, by: claim.value, isRenewed })
    if (replaced.left._tag !== 'VersionConflict') return replaced
  }
  return E.left(inUse)
}

/** Why an object cannot have a place that another has, or is about to get. */
const refusal = (status: 'there' | 'writing'): WriteFailure => (status === 'there' ? taken : inUse)

/** Fails if a section is about to have a prefix as its path, and an object below it has the name of one of the kind. */
const checkNewPrefix = async (at: Surroundings, id: string, kind: PathKind): Result<void> => {
  const inSection = placeIn(id, '')
  const where = [{ key: 'parent', equals: parentKey(inSection) }]
  let outcome: Either<WriteFailure, void> = E.right(undefined)
  const compare = async (page: readonly Document[]): Promise<void> => {
    if (E.isLeft(outcome)) return
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
    if (E.isLeft(below)) {
      outcome = below
      return
    }
    for (const each of below.right) {
      const above = byName.get(each.place.name)
      // An object of the section can have both.
      if (above === undefined || (above.by.collection === each.by.collection && above.by.id === each.by.id))
        continue
      const one = await statusOf(at, each)
      const other = E.isLeft(one) ? one : await statusOf(at, above)
      if (E.isLeft(one)) outcome = one
      else if (E.isLeft(other)) outcome = other
      else if (one.right !== 'gone' && other.right !== 'gone') outcome = E.left(refusal(one.right))
      if (E.isLeft(outcome)) return
    }
  }
  const read = await forEachPage({ documents: at.documents, collection, where, limit: 200 }, compare)()
  return E.isLeft(read) ? read : outcome
}

/** Claims a place, and checks the others that have its path. What is claimed is added to `claims`. */
const claimPath = async (
  at: Surroundings,
  object: Placed,
  place: PathPlace,
  isNew: boolean,
  claims: Claim[],
): Result<void> => {
  const own = await claimPlace(at, object, place)
  if (E.isLeft(own)) return own
  claims.push(own.right)
  const others = await placesWithSamePath(at, place)
  if (E.isLeft(others)) return others
  for (const other of others.right)
    if ('prefix' in other.below) {
      const claim = await claimPlace(at, object, other)
      if (E.isLeft(claim)) return claim
      claims.push(claim.right)
    } else {
      const held = await heldByOthers(at, object, [other])
      if (E.isLeft(held)) return held
      const [first] = held.right
      if (first !== undefined) return E.left(refusal(first.status))
    }
  if (isNew || object.resource.collection !== section.collection) return E.right(undefined)
  const kind = kindsBelowPrefixes.find((each) => placeKey(placeOfPrefix(each)) === placeKey(place))
  return kind === undefined ? E.right(undefined) : checkNewPrefix(at, object.id, kind)
}

/** The place that a write gives an object; null if it keeps the one that it has. */
export const newPlace = (
  resource: Resource,
  previous: JsonObject | null,
  state: JsonObject,
): PathPlace | null => {
  if (previous !== null && !hasOtherPath(resource, previous, state)) return null
  const place = placeOf(resource, state)
  const before = previous === null ? null : placeOf(resource, previous)
  return place !== null && before !== null && placeKey(before) === placeKey(place) ? null : place
}

/** A write after which an object with this state is no longer at its place: it moves, or is removed. */
export const leavePlace =
  <F, A>(
    at: Surroundings,
    object: Placed,
    state: JsonObject,
    write: TaskEither<F, A>,
  ): TaskEither<F | WriteFailure, A> =>
  async () => {
    const places = await placesOf(at, object, state)
    if (E.isLeft(places)) return places
    // Read before the write: a document that another writer of the object renews after it stays.
    const held = await heldAmong(at, places.right)
    if (E.isLeft(held)) return held
    const written = await write()
    // If a removal fails, the next writer finds that the object is not there.
    if (E.isRight(written))
      await Promise.all(
        held.right
          .filter(({ by }) => isHeldBy(object, by))
          .map(({ document: { id, version } }) => at.documents.remove(collection, id, version)()),
      )
    return written
  }

/**
 * Removes the documents of places after a write has failed, but not where another writer of the object may have renewed
 * them, or where the object is nevertheless, because its write could not be undone.
 */
const withdraw = async (at: Surroundings, claims: readonly Claim[]): Promise<void> => {
  for (const claim of claims) {
    const there = claim.isRenewed ? E.right(true) : await isThere(at, claim)
    const { id, version } = claim.document
    if (E.isRight(there) && !there.right) await at.documents.remove(collection, id, version)()
  }
}

/**
 * Writes an object with a state that gives it a new place; null if it keeps the one that it has. UniqueConflict if another
 * object has the place, and VersionConflict if another writer is about to take it.
 */
export const writeAtPlace =
  <F extends { readonly _tag: string }, A>(
    at: Surroundings,
    object: Placed,
    previous: JsonObject | null,
    place: PathPlace | null,
    write: TaskEither<F, A>,
  ): TaskEither<F | WriteFailure, A> =>
  async () => {
    if (place === null) return write()
    const claims: Claim[] = []
    const claimed = await claimPath(at, object, place, previous === null, claims)
    const move = previous === null ? write : leavePlace(at, object, previous, write)
    const written: Either<F | WriteFailure, A> = E.isLeft(claimed) ? claimed : await move()
    // A write that may yet be applied keeps its place.
    if (E.isLeft(written) && (!isPortFailure(written.left) || written.left.mayYetApply !== true))
      await withdraw(at, claims)
    return written
  }
