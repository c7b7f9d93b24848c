/** Which names are taken at a place among the public paths, by objects of any kind. */
import {
  E,
  kindBelowSection,
  kindsBelowPrefixes,
  kindsInSections,
  nameOfPrefix,
  placeIn,
  placeOf,
  section,
  sectionKind,
  type Either,
  type Filter,
  type JsonObject,
  type PathKind,
  type PathPlace,
  type Resource,
} from '@publishing-service/domain'
import type { Cursor, Page, PortFailure } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import { forEachPage } from '../objects/for-each-page.js'

type Read<A> = Promise<Either<PortFailure, A>>

/** An object that is written. */
export type Placed = { readonly resource: Resource; readonly id: string }

/** An object at a place. */
export type Occupant = { readonly kind: PathKind; readonly id: string; readonly name: string }

/** The number of objects in one query. */
const batchSize = 200

/** The objects of a kind that have one of the names, in the order of their insertion. */
const namedAmong = async (
  documents: InstanceDocuments,
  kind: PathKind,
  where: readonly Filter[],
  names: readonly string[],
): Read<readonly Occupant[]> => {
  const found: Occupant[] = []
  const read = await forEachPage(
    {
      documents,
      collection: kind.resource.collection,
      where: [...where, { key: 'path_name', oneOf: names }],
      limit: batchSize,
    },
    (page) =>
      found.push(
        ...page.map(({ id, value }) => ({ kind, id, name: placeOf(kind.resource, value)?.name ?? '' })),
      ),
  )()
  return E.isLeft(read) ? read : E.right(found)
}

const all = async (reads: readonly Read<readonly Occupant[]>[]): Read<readonly Occupant[]> => {
  const found: Occupant[] = []
  for (const each of await Promise.all(reads)) {
    if (E.isLeft(each)) return each
    found.push(...each.right)
  }
  return E.right(found)
}

/** The objects in a section, or at the top, that have one of the names: sections first. */
const namedInSection = (
  documents: InstanceDocuments,
  parent: string | null,
  names: readonly string[],
): Read<readonly Occupant[]> =>
  all(
    kindsInSections.map((kind) =>
      namedAmong(documents, kind, [{ key: kind.rule.section, equals: parent }], names),
    ),
  )

/** The kind whose prefix is the path of a section, as far as it is stored. */
export const kindBelow = async (
  documents: InstanceDocuments,
  { below }: PathPlace,
): Read<PathKind | undefined> => {
  if ('prefix' in below) return E.right(kindsBelowPrefixes.find(({ rule }) => rule.prefix === below.prefix))
  if (below.section === null) return E.right(undefined)
  const found = await documents.get(section.collection, below.section)()
  return E.isLeft(found)
    ? found
    : E.right(found.right === null ? undefined : kindBelowSection(found.right.value))
}

/** The sections whose path is the prefix of a kind: at most one, unless an earlier release stored several. */
const sectionsAtPrefix = async (documents: InstanceDocuments, kind: PathKind): Read<readonly string[]> => {
  const top = [{ key: sectionKind.rule.section, equals: null }]
  const found = await namedAmong(documents, sectionKind, top, [nameOfPrefix(kind)])
  return E.isLeft(found) ? found : E.right(found.right.map(({ id }) => id))
}

/**
 * The objects that have one of the names at the place of `place`, those that keep the path first: of a kind below a
 * prefix, then sections, then the older. `shared` is the kind below whose prefix the place is, if any, and `becoming`
 * are sections that are about to have the prefix as their path.
 */
export const occupantsAt = async (
  documents: InstanceDocuments,
  { below }: PathPlace,
  names: readonly string[],
  shared: PathKind | undefined,
  becoming: readonly string[] = [],
): Read<readonly Occupant[]> => {
  const atPrefix = shared === undefined ? [] : [namedAmong(documents, shared, [], names)]
  if ('section' in below) return all([...atPrefix, namedInSection(documents, below.section, names)])
  if (shared === undefined) return E.right([])
  const sections = await sectionsAtPrefix(documents, shared)
  if (E.isLeft(sections)) return sections
  const parents = [...new Set([...sections.right, ...becoming])]
  return all([...atPrefix, ...parents.map((parent) => namedInSection(documents, parent, names))])
}

/** Which of the names are taken at the place of a state by other objects. */
export const takenNames = async (
  documents: InstanceDocuments,
  { resource, id }: Placed,
  state: JsonObject,
  names: readonly string[],
): Read<ReadonlySet<string>> => {
  const place = placeOf(resource, state)
  if (place === null) return E.right(new Set())
  const shared = await kindBelow(documents, place)
  if (E.isLeft(shared)) return shared
  const found = await occupantsAt(documents, place, names, shared.right)
  return E.isLeft(found) ? found : E.right(namesOfOthers({ resource, id }, found.right))
}

export const namesOfOthers = (
  { resource, id }: Placed,
  occupants: readonly Occupant[],
): ReadonlySet<string> =>
  new Set(
    occupants
      .filter((each) => each.id !== id || each.kind.resource.collection !== resource.collection)
      .map(({ name }) => name),
  )

/** Whether an object below this section has the name of an object of the kind. Reads all objects below it. */
export const hasNameOf = async (
  documents: InstanceDocuments,
  parent: string,
  kind: PathKind,
): Read<boolean> => {
  for (const { resource, rule } of kindsInSections)
    for (let after: Cursor | null = null; ;) {
      const page: Either<PortFailure, Page> = await documents.find(resource.collection, {
        where: [{ key: rule.section, equals: parent }],
        order: [],
        skip: 0,
        limit: batchSize,
        detail: 'light',
        ...(after === null ? {} : { after }),
      })()
      if (E.isLeft(page)) return page
      const names = page.right.documents.map(({ value }) => placeOf(resource, value)?.name ?? '')
      const named = await namedAmong(documents, kind, [], names)
      if (E.isLeft(named)) return named
      if (named.right.length > 0) return E.right(true)
      after = page.right.next
      if (after === null) break
    }
  return E.right(false)
}

/** The place at the top that a section has whose path is the prefix of a kind. */
export const placeOfPrefix = (kind: PathKind): PathPlace => placeIn(null, nameOfPrefix(kind))
