/**
 * The places among the public paths. Sections, content, locations and tags share paths, but a store promises a unique
 * text within one collection only. So each place has a document: its id is the place, and its value the object there. The
 * write that gives an object the place inserts it, so that no two objects have one path
 * (docs/decisions/0072-places-have-documents.md).
 */
import { badParameters, fault, resourceOf, section } from '@publishing-service/domain'
import { E, t, type Either } from '@publishing-service/domain/fp'
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
import { putDocument, type Change, type Clock, type Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { InstanceDocuments, WriteConflict } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { ObjectAddress } from '../session.js'

/** Documents of one instance, and what the documents of places are made with. */
export type PlaceContext = {
  readonly documents: InstanceDocuments
  readonly clock: Pick<Clock, 'position'>
  readonly checksum: Ports['checksum']
}

const { name: collection } = systemCollections.places

/** The key of the parent, the name, and the object that has the place; no object where a prefix is nobody's place. */
export const StoredPlace = t.readonly(
  t.type({ parent: t.string, name: t.string, collection: t.string, id: t.string }),
  collection,
)
export type StoredPlace = t.TypeOf<typeof StoredPlace>

/** The length of ids that every store accepts. */
const longestId = 200

const idOf = ({ checksum }: Pick<PlaceContext, 'checksum'>, place: PathPlace): string => {
  const key = placeKey(place)
  if (key.length <= longestId) return key
  const sum = checksum()
  sum.add(key)
  return sum.value()
}

/** The document of a place. */
const placeDocument = (
  at: Pick<PlaceContext, 'checksum'>,
  holder: Pick<StoredPlace, 'collection' | 'id'>,
  place: PathPlace,
) => {
  const value: StoredPlace = { parent: parentKey(place), name: place.name, ...holder }
  return { id: idOf(at, place), unique: null, value }
}

const isHeldBy = ({ resource, id }: ObjectAddress, held: StoredPlace): boolean =>
  held.collection === resource.collection && held.id === id

export type Held = { readonly place: PathPlace; readonly document: Document; readonly by: StoredPlace }

const heldBy = (place: PathPlace, document: Document): Held => ({
  place,
  document,
  by: decodeStored(StoredPlace, document),
})

/** The documents of places, as far as there are any. */
export const heldAmong = async (
  at: Pick<PlaceContext, 'documents' | 'checksum'>,
  places: readonly PathPlace[],
): Promise<readonly Held[]> => {
  const [first, ...others] = places
  if (first === undefined) return []
  if (others.length === 0) {
    const document = await at.documents.get(collection, idOf(at, first))
    return document === null ? [] : [heldBy(first, document)]
  }
  const byId = new Map(places.map((place) => [idOf(at, place), place]))
  const found = await at.documents.getMany(collection, [...byId.keys()], 'light')
  return found.flatMap((document) => {
    const place = byId.get(document.id)
    return place === undefined ? [] : heldBy(place, document)
  })
}

/** Whether the object that the document of a place names is there, as it is stored. */
export const isThere = async ({ documents }: PlaceContext, { place, by }: Held): Promise<boolean> => {
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

/**
 * What surrounds places below one parent: the documents of all places with their paths, and of the prefixes. `own` are the
 * places of which an object there has the documents: these, and those below a prefix.
 */
type Around = {
  readonly own: readonly PathPlace[]
  readonly held: readonly Held[]
  readonly prefixes: readonly Held[]
}

const heldAt = (held: readonly Held[], place: PathPlace): Held | undefined =>
  held.find((each) => placeKey(each.place) === placeKey(place))

/** Reads what surrounds places. Others have their paths where a section has the prefix of a kind as its path. */
const readAround = async (
  at: Pick<PlaceContext, 'documents' | 'checksum'>,
  places: readonly PathPlace[],
): Promise<Around> => {
  const [first] = places
  if (first === undefined) return { own: [], held: [], prefixes: [] }
  const { below } = first
  if ('section' in below && below.section === null)
    return { own: places, held: await heldAmong(at, places), prefixes: [] }
  const belowPrefix = (kind: PathKind) => places.map(({ name }) => placeBelow(kind, name))
  const kinds = kindsBelowPrefixes.filter(({ rule }) => 'section' in below || rule.prefix === below.prefix)
  const read = await heldAmong(at, [...places, ...kinds.map(placeOfPrefix), ...kinds.flatMap(belowPrefix)])
  const others = kinds.flatMap((kind) => {
    const by = heldAt(read, placeOfPrefix(kind))?.by
    if (by?.collection !== section.collection) return []
    if ('prefix' in below) return places.map(({ name }) => placeIn(by.id, name))
    return by.id === below.section ? belowPrefix(kind) : []
  })
  const inSections = 'prefix' in below ? await heldAmong(at, others) : []
  const keys = new Set([...places, ...others].map(placeKey))
  return {
    own: 'prefix' in below ? places : [...places, ...others],
    held: [...read, ...inSections].filter(({ place }) => keys.has(placeKey(place))),
    prefixes: kinds.flatMap((kind) => heldAt(read, placeOfPrefix(kind)) ?? []),
  }
}

/** The documents of places that another object has. */
const ofOthers = async (
  at: PlaceContext,
  object: ObjectAddress,
  held: readonly Held[],
): Promise<readonly Held[]> => {
  const others: Held[] = []
  for (const each of held) if (!isHeldBy(object, each.by) && (await isThere(at, each))) others.push(each)
  return others
}

/** The documents of all places that have the path of an object with this state, with other names if they are given. */
const heldWithPath = async (
  at: PlaceContext,
  { resource }: ObjectAddress,
  state: JsonObject,
  names?: readonly string[],
): Promise<readonly Held[]> => {
  const own = placeOf(resource, state)
  if (own === null) return []
  const around = await readAround(at, names?.map((name) => ({ ...own, name })) ?? [own])
  return around.held
}

/** Which of the names are taken at the place of a state by other objects. */
export const takenNames = async (
  at: PlaceContext,
  object: ObjectAddress,
  state: JsonObject,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const others = await ofOthers(at, object, await heldWithPath(at, object, state, names))
  return new Set(others.map(({ place }) => place.name))
}

/** The object that has the path of another with this state; null if only that object has it. */
export const holderOfPath = async (
  at: PlaceContext,
  object: ObjectAddress,
  state: JsonObject,
): Promise<Pick<StoredPlace, 'collection' | 'id'> | null> => {
  const others = await ofOthers(at, object, await heldWithPath(at, object, state))
  return others[0]?.by ?? null
}

/** Gives an object its place, unless another has it. For objects that an earlier release stored. */
export const recordPlace = async (
  at: PlaceContext,
  { resource, id }: ObjectAddress,
  state: JsonObject,
): Promise<void> => {
  const own = placeOf(resource, state)
  if (own === null) return
  const around = await readAround(at, [own])
  for (const each of around.own)
    // A conflict: the place has a document.
    await at.documents.insert(collection, placeDocument(at, { collection: resource.collection, id }, each))
}

const nobody = { collection: '', id: '' }

/** The most objects of a section that gets the prefix of a kind as its path: their names are compared with those of the kind. */
const mostCompared = 1000

/** The changes of a write; UniqueConflict if another object has the path, VersionConflict if others write at the same time. */
type PlaceChanges = Either<WriteConflict, readonly Change[]>

const taken: PlaceChanges = E.left({ _tag: 'UniqueConflict', change: 0 })

const expectSection = async (at: PlaceContext, id: string): Promise<PlaceChanges> => {
  const above = await at.documents.get(section.collection, id)
  // The section was deleted at this moment.
  if (above === null) return E.left({ _tag: 'VersionConflict', change: 0 })
  return E.right([{ collection: section.collection, kind: 'expect', id, version: above.version }])
}

/** What a write keeps as it is so that no section gets the prefix of the kind as its path. */
const expectPrefix = (at: PlaceContext, kind: PathKind, { prefixes }: Pick<Around, 'prefixes'>): Change => {
  const place = placeOfPrefix(kind)
  const held = heldAt(prefixes, place)
  if (held !== undefined)
    return { collection, kind: 'expect', id: held.document.id, version: held.document.version }
  // The document that such a section would change.
  return putDocument(collection, placeDocument(at, nobody, place), null, at.clock)
}

/** The changes of a section that gets the prefix of a kind as its path: no object of the kind has the name of one in it. */
const comparedWithKind = async (at: PlaceContext, id: string, kind: PathKind): Promise<PlaceChanges> => {
  const parent = parentKey(placeIn(id, ''))
  const members: { readonly id: string; readonly by: StoredPlace }[] = []
  const where = [{ key: 'parent', equals: parent }]
  await forEachPage({ documents: at.documents, collection, where, limit: 200 }, (page) =>
    members.push(...page.map((document) => ({ id: document.id, by: decodeStored(StoredPlace, document) }))),
  )
  if (members.length > mostCompared)
    fail(
      badParameters([
        fault(
          'urlname',
          'limit',
          `must not be that of other addresses for a section with more than ${mostCompared} objects`,
        ),
      ]),
    )
  const names = members.map(({ by }) => by.name)
  const below = names.map((name) => placeBelow(kind, name))
  const known = await heldAmong(at, below)
  for (const each of known) {
    const member = members.find(({ by }) => by.name === each.place.name)
    // An object of the section can have both.
    if (member?.by.collection === each.by.collection && member.by.id === each.by.id) continue
    if (await isThere(at, each)) return taken
  }
  const [first] = below
  const none = (selection: Extract<Change, { kind: 'expect none' }>['selection']): Change => ({
    collection,
    kind: 'expect none',
    selection,
  })
  const added = none({ where, notIds: members.map((member) => member.id) })
  if (first === undefined) return E.right([added])
  const named = [
    { key: 'parent', equals: parentKey(first) },
    { key: 'name', oneOf: names },
  ]
  return E.right([added, none({ where: named, notIds: known.map(({ document }) => document.id) })])
}

/** What a write does with the documents of places if the object has this state after it, in place of the one before. */
export const placeChanges = async (
  at: PlaceContext,
  object: ObjectAddress,
  previous: JsonObject | null,
  state: JsonObject,
): Promise<PlaceChanges> => {
  const { resource, id } = object
  const former = previous === null ? [] : await leavingChanges(at, object, previous)
  const own = placeOf(resource, state)
  if (own === null) return E.right(former)
  const { below } = own
  // Read before the documents around it, so that a change of its path between these reads is a conflict.
  const above =
    'section' in below && below.section !== null ? await expectSection(at, below.section) : E.right([])
  if (E.isLeft(above)) return above
  const around = await readAround(at, [own])
  if ((await ofOthers(at, object, around.held)).length > 0) return taken
  const prefixes =
    'prefix' in below
      ? kindsBelowPrefixes.flatMap((kind) =>
          kind.rule.prefix === below.prefix ? [expectPrefix(at, kind, around)] : [],
        )
      : []
  const changes = around.own.map((place): Change => {
    const document = placeDocument(at, { collection: resource.collection, id }, place)
    const found = heldAt(around.held, place)
    return found !== undefined && isHeldBy(object, found.by)
      ? { collection, kind: 'expect', id: document.id, version: found.document.version }
      : putDocument(collection, document, found?.document ?? null, at.clock)
  })
  const left = former.filter(
    (change) => change.kind !== 'remove' || around.own.every((place) => idOf(at, place) !== change.id),
  )
  const kind =
    previous === null || resource.collection !== section.collection
      ? undefined
      : kindsBelowPrefixes.find((each) => placeKey(placeOfPrefix(each)) === placeKey(own))
  const compared = kind === undefined ? E.right([]) : await comparedWithKind(at, id, kind)
  if (E.isLeft(compared)) return compared
  return E.right([...changes, ...left, ...above.right, ...prefixes, ...compared.right])
}

/** What a write does with the documents of places that an object with this state leaves. */
export const leavingChanges = async (
  at: PlaceContext,
  object: ObjectAddress,
  state: JsonObject,
): Promise<readonly Change[]> => {
  const held = await heldWithPath(at, object, state)
  return held.flatMap(({ by, document: { id, version } }): readonly Change[] =>
    isHeldBy(object, by) ? [{ collection, kind: 'remove', id, version }] : [],
  )
}
