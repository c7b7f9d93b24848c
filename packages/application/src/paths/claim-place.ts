/**
 * Writes of objects whose place among the public paths changes. A store promises a unique text within one collection,
 * but sections, content, locations and tags share paths. So a writer first claims the place in a document whose id is
 * the place, then checks that no object of any kind has it, writes the object, and removes the claim
 * (docs/decisions/0072-places-are-claimed.md).
 */
import {
  E,
  kindBelowSection,
  kindsBelowPrefixes,
  placeBelow,
  placeKey,
  placeOf,
  section,
  t,
  type Either,
  type JsonObject,
  type PathKind,
  type PathPlace,
  type Resource,
  type TaskEither,
} from '@publishing-service/domain'
import { isPortFailure, type Clock, type Document, type WriteFailure } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import { forEachPage } from '../objects/for-each-page.js'
import {
  hasNameOf,
  kindBelow,
  namesOfOthers,
  occupantsAt,
  placeOfPrefix,
  type Placed,
} from './taken-names.js'

/** Documents of one instance, and the time. */
export type Surroundings = { readonly documents: InstanceDocuments; readonly clock: Pick<Clock, 'now'> }

/** The object that claims a place, the whole place, and the time in milliseconds. */
const Claim = t.readonly(t.type({ collection: t.string, id: t.string, place: t.string, at: t.number }))
type Claim = t.TypeOf<typeof Claim>

const { name: collection } = systemCollections.pathClaims

/**
 * A crash can leave a claim. After this number of milliseconds another writer takes it over; a writer of the same object
 * does at once. Uses the wall clock, because other processes read claims. A claim that is further in the future was made
 * before the clock was set back.
 */
const claimLifetime = 60_000
/** How often a writer looks again for the end of another's claim, before the write starts over. */
const attempts = 50
/** Ids have at most 200 characters. Writers of longer names that begin alike wait for each other. */
const maxIdLength = 200

const inUse: WriteFailure = { _tag: 'VersionConflict' }
const taken: WriteFailure = { _tag: 'UniqueConflict' }

const claimIn = ({ value }: Document): Claim | null => (Claim.is(value) ? value : null)

const isRunning = ({ clock }: Surroundings, claim: Claim | null): claim is Claim =>
  claim !== null && Math.abs(clock.now() - claim.at) < claimLifetime

const isBy = ({ resource, id }: Placed, claim: Claim): boolean =>
  claim.collection === resource.collection && claim.id === id

const idOf = (place: PathPlace): string => placeKey(place).slice(0, maxIdLength)

type Result<A> = Promise<Either<WriteFailure, A>>

/** Claims a place. VersionConflict while another writer has it. */
const claimPlace = async (at: Surroundings, object: Placed, place: PathPlace): Result<Document> => {
  const { documents, clock } = at
  const id = idOf(place)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value: Claim = {
      collection: object.resource.collection,
      id: object.id,
      place: placeKey(place),
      at: clock.now(),
    }
    const made = await documents.insert(collection, { id, unique: null, value })()
    if (E.isRight(made) || made.left._tag !== 'VersionConflict') return made
    const found = await documents.get(collection, id)()
    if (E.isLeft(found)) return found
    if (found.right === null) continue
    const { version } = found.right
    const other = claimIn(found.right)
    if (isRunning(at, other) && !isBy(object, other)) continue
    const replaced = await documents.replace(collection, { id, unique: null, value, version })()
    if (E.isRight(replaced) || replaced.left._tag !== 'VersionConflict') return replaced
  }
  return E.left(inUse)
}

/** The sections that are about to have the prefixes of these kinds as their path. */
const becomingPrefixes = async (
  at: Surroundings,
  kinds: readonly PathKind[],
): Result<readonly { readonly kind: PathKind; readonly section: string }[]> => {
  const found = await at.documents.getMany(
    collection,
    kinds.map((kind) => idOf(placeOfPrefix(kind))),
    'light',
  )()
  if (E.isLeft(found)) return found
  return E.right(
    kinds.flatMap((kind) => {
      const document = found.right.find(({ id }) => id === idOf(placeOfPrefix(kind)))
      const claim = document === undefined ? null : claimIn(document)
      return isRunning(at, claim) && claim.collection === section.collection
        ? [{ kind, section: claim.id }]
        : []
    }),
  )
}

/** Whether writers claim places below the section, or below the prefix of the kind. */
const isClaimedBelow = async (at: Surroundings, parent: string, { rule }: PathKind): Result<boolean> => {
  let isClaimed = false
  const read = await forEachPage({ documents: at.documents, collection, limit: 200 }, (page) => {
    for (const claim of page.map(claimIn))
      if (isRunning(at, claim) && [`${parent}/`, rule.prefix].some((start) => claim.place.startsWith(start)))
        isClaimed = true
  })()
  return E.isLeft(read) ? read : E.right(isClaimed)
}

type NewPlace = { readonly place: PathPlace; readonly state: JsonObject; readonly isNew: boolean }

/** The kind below whose prefix a place is, and the sections that are about to have the prefix as their path. */
const sharedPrefix = async (
  at: Surroundings,
  place: PathPlace,
): Result<{ readonly kind: PathKind | undefined; readonly sections: readonly string[] }> => {
  const { below } = place
  if ('section' in below && below.section === null) return E.right({ kind: undefined, sections: [] })
  // Claims first: a section whose claim has been removed by then is stored with its new path.
  const becoming = await becomingPrefixes(at, kindsBelowPrefixes)
  if (E.isLeft(becoming)) return becoming
  const stored = await kindBelow(at.documents, place)
  if (E.isLeft(stored)) return stored
  const kind = stored.right
  return E.right(
    'section' in below
      ? { kind: kind ?? becoming.right.find(({ section: id }) => id === below.section)?.kind, sections: [] }
      : {
          kind,
          sections: becoming.right.flatMap((each) => (each.kind === kind ? [each.section] : [])),
        },
  )
}

/** Fails if a section is about to have a prefix as its path, and an object below it has the name of one of the kind. */
const checkNewPrefix = async (at: Surroundings, id: string, kind: PathKind): Result<void> => {
  const claimed = await isClaimedBelow(at, id, kind)
  if (E.isLeft(claimed)) return claimed
  if (claimed.right) return E.left(inUse)
  const isShared = await hasNameOf(at.documents, id, kind)
  if (E.isLeft(isShared)) return isShared
  return isShared.right ? E.left(taken) : E.right(undefined)
}

/** Fails if another object has the place. Adds further claims that this needs to `claims`. */
const checkFree = async (
  at: Surroundings,
  object: Placed,
  { place, state, isNew }: NewPlace,
  claims: Document[],
): Result<void> => {
  const shared = await sharedPrefix(at, place)
  if (E.isLeft(shared)) return shared
  const { kind, sections } = shared.right
  if ('section' in place.below && kind !== undefined) {
    const claim = await claimPlace(at, object, placeBelow(kind, place.name))
    if (E.isLeft(claim)) return claim
    claims.push(claim.right)
  }
  const found = await occupantsAt(at.documents, place, [place.name], kind, sections)
  if (E.isLeft(found)) return found
  if (namesOfOthers(object, found.right).size > 0) return E.left(taken)
  const isSection = object.resource.collection === section.collection
  const ownPrefix = isSection && !isNew ? kindBelowSection(state) : undefined
  return ownPrefix === undefined ? E.right(undefined) : checkNewPrefix(at, object.id, ownPrefix)
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
    const claim = await claimPlace(at, object, place)
    if (E.isLeft(claim)) return claim
    const claims = [claim.right]
    const free = await checkFree(at, object, { state, place, isNew: previous === null }, claims)
    const written: Either<F | WriteFailure, A> = E.isLeft(free) ? free : await write()
    // A write that may yet be applied keeps its claims until they expire.
    if (E.isLeft(written) && isPortFailure(written.left) && written.left.mayYetApply === true) return written
    // If this fails, the claim expires.
    await Promise.all(claims.map(({ id, version }) => at.documents.remove(collection, id, version)()))
    return written
  }
