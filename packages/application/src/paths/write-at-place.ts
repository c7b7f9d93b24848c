/** Writes that give an object a place among the public paths, or take it away (docs/decisions/0072-places-have-documents.md). */
import {
  E,
  kindsBelowPrefixes,
  parentKey,
  pathKinds,
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
  checkFree,
  heldAmong,
  inUse,
  isThere,
  isHeldBy,
  placeDocument,
  placesWithSamePath,
  statusOf,
  StoredPlace,
  taken,
  type Held,
  type Placed,
  type Surroundings,
} from './places.js'

const { name: collection } = systemCollections.places

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

/** Fails if a section is about to have a prefix as its path, and an object below it has the name of one of the kind. */
const checkNewPrefix = async (at: Surroundings, id: string, kind: PathKind): Result<void> => {
  const inSection = placeIn(id, '')
  const where = [{ key: 'parent', equals: parentKey(inSection) }]
  let outcome: Either<WriteFailure, void> = E.right(undefined)
  const compare = async (page: readonly Document[]): Promise<void> => {
    if (E.isLeft(outcome)) return
    for (const document of page) {
      const by = decodeStored(StoredPlace, document)
      const held = { place: { ...inSection, name: by.name }, document, by }
      const resource = pathKinds.find((each) => each.resource.collection === by.collection)?.resource
      if (resource === undefined) continue
      outcome = await checkFree(at, { resource, id: by.id }, [placeBelow(kind, by.name)])
      if (E.isRight(outcome)) continue
      const status = await statusOf(at, held)
      if (E.isRight(status) && status.right === 'gone') outcome = E.right(undefined)
      else return
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
      const free = await checkFree(at, object, [other])
      if (E.isLeft(free)) return free
    }
  if (isNew || object.resource.collection !== section.collection) return E.right(undefined)
  const kind = kindsBelowPrefixes.find((each) => placeKey(placeOfPrefix(each)) === placeKey(place))
  return kind === undefined ? E.right(undefined) : checkNewPrefix(at, object.id, kind)
}

/** The place that a write gives an object; null if it keeps the one that it has. */
export const newPlace = (
  resource: Pick<Resource, 'path'>,
  previous: JsonObject | null,
  state: JsonObject,
): PathPlace | null => {
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
    const place = placeOf(object.resource, state)
    if (place === null) return write()
    const others = await placesWithSamePath(at, place)
    if (E.isLeft(others)) return others
    // Read before the write: a document that another writer of the object renews after it stays.
    const held = await heldAmong(at, [place, ...others.right])
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
 * Writes an object with a state. If that gives it another place, UniqueConflict if an object has the place, and
 * VersionConflict if another writer is about to take it.
 */
export const writeAtPlace =
  <F extends { readonly _tag: string }, A>(
    at: Surroundings,
    object: Placed,
    previous: JsonObject | null,
    state: JsonObject,
    write: TaskEither<F, A>,
  ): TaskEither<F | WriteFailure, A> =>
  async () => {
    const place = newPlace(object.resource, previous, state)
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
