/** Writes one object of another system, with all that belongs to it, in one write (docs/import.md). */
import type { Fault, Resource } from '@publishing-service/domain'
import { firstHomepage, relatedLinksOf, storyLists } from '@publishing-service/domain/content'
import { E } from '@publishing-service/domain/fp'
import {
  attributesWithout,
  itemsWithout,
  namedAttributes,
  partLeftOut,
  type ImportedObject,
  type ImportNote,
} from '@publishing-service/domain/imports'
import { isJsonList, type JsonObject } from '@publishing-service/domain/json'
import { listingImages } from '@publishing-service/domain/locations'
import { operations } from '@publishing-service/domain/roles'
import { categoryTags, firstCategory, taggableCollections } from '@publishing-service/domain/tags'
import { attempt, fail } from '../attempt.js'
import { replaceRelatedLinks } from '../content/related-links.js'
import { replaceMedia } from '../content/slot-media.js'
import { replaceSlot } from '../content/slots.js'
import { writeObject } from '../engine/write.js'
import type { Failure } from '../failure.js'
import { replaceStories } from '../homepage/stories.js'
import type { WriteOperation } from '../operation.js'
import { replacePathHistory } from '../paths/path-history.js'
import type { Session } from '../session.js'
import { taggingsOn } from '../tags/attach-tag.js'
import { replaceMembers } from '../tags/member-lists.js'

/**
 * What becomes of an object that exists already. `replace` replaces its attributes, and the parts that the source has; `replace
 * whole` also removes the parts that the source does not have.
 */
export type WhereExists = 'skip' | 'replace' | 'replace whole'

/** How the import of an object ended. */
export type ImportedResult = {
  readonly outcome: 'created' | 'replaced' | 'present' | 'refused'
  readonly notes: readonly ImportNote[]
  /** Why it is refused. */
  readonly faults: readonly Fault[]
}

/** A part of an object: the operation that writes it. A list can be written without some of its items. */
type Part =
  | { readonly what: string; readonly write: (session: Session) => Promise<void> }
  | {
      readonly what: string
      readonly items: readonly JsonObject[]
      readonly writeItems: (session: Session, items: readonly JsonObject[]) => Promise<void>
    }

/** What every instance starts with. */
const firstObjects: ReadonlySet<string> = new Set([firstHomepage.id, firstCategory.id])

/** The lists of members of objects. */
export const memberLists = [categoryTags, listingImages]

const unknownPart = (what: string): Part => ({
  what,
  write: async () => fail({ _tag: 'NotFound', hint: 'cannot belong to such an object' }),
})

/** The parts of an object. `state` returns its state at the moment. */
const partsOf = (resource: Resource, object: ImportedObject, state: () => JsonObject): readonly Part[] => {
  const { id, slots, tags, members, stories, earlier_paths: paths } = object
  const list = memberLists.find((each) => each.resource.collection === resource.collection)
  const collection = taggableCollections.find((each) => each === resource.collection)
  const taggings =
    collection === undefined
      ? null
      : taggingsOn(async () => ({
          collection,
          resource,
          document: { id, version: 0, position: 0, value: state() },
        }))
  return [
    ...slots.flatMap(({ id: slotId, attributes, media }): readonly Part[] => [
      {
        what: `the settings of slot ${slotId}`,
        write: (session) => replaceSlot.run(session, { contentId: id, slotId, body: attributes }, fail),
      },
      {
        what: `the media of slot ${slotId}`,
        items: media,
        writeItems: (session, items) =>
          replaceMedia.run(session, { contentId: id, slotId, body: { items } }, fail),
      },
    ]),
    ...tags.map(({ tag: tagId, predicate, attributes: body }): Part => {
      const what = `the tag ${tagId}`
      return taggings === null
        ? unknownPart(what)
        : { what, write: (session) => taggings.attach(session, { tagId, predicate, objectId: id, body }) }
    }),
    ...(members.length === 0
      ? []
      : [
          list === undefined
            ? unknownPart('the list of members')
            : {
                what: 'the list of members',
                items: members.map((member) => ({ [list.item]: member })),
                writeItems: (session: Session, items: readonly JsonObject[]) =>
                  replaceMembers(list).run(session, { id, body: { items } }, fail),
              },
        ]),
    ...Object.entries(stories).map(([name, body]): Part => {
      const known = storyLists.find((each) => each === name)
      return known === undefined
        ? unknownPart(name)
        : { what: name, write: (session) => replaceStories(known).run(session, { id, body }, fail) }
    }),
    ...(paths.length === 0
      ? []
      : [
          {
            what: 'the list of earlier paths',
            items: paths.map((path) => ({ path })),
            writeItems: (session: Session, items: readonly JsonObject[]) =>
              replacePathHistory(resource).run(session, { id, body: { items } }, fail),
          },
        ]),
  ]
}

/** The faults of a failure for which a part, or an object, is left out; throws any other failure. */
const faultsOf = (failure: Failure): readonly Fault[] => {
  switch (failure._tag) {
    case 'BadParameters':
      return failure.faults
    case 'NotFound':
      return [{ path: '', code: 'reference', message: failure.hint ?? 'refers to nothing that exists' }]
    case 'TooLarge':
      return [{ path: '', code: 'limit', message: `is longer than ${failure.limit} bytes` }]
    default:
      return fail(failure)
  }
}

/** Writes a part; leaves out what is refused, and returns notes about that. */
const writePart = async (session: Session, part: Part): Promise<readonly ImportNote[]> => {
  if (!('items' in part)) {
    const written = await attempt(() => part.write(session))
    return E.isLeft(written) ? [partLeftOut(part.what, faultsOf(written.left))] : []
  }
  const written = await attempt(() => part.writeItems(session, part.items))
  if (E.isRight(written)) return []
  const faults = faultsOf(written.left)
  const reduced = itemsWithout(part.what, part.items, faults)
  if (reduced === null) return [partLeftOut(part.what, faults)]
  const again = await attempt(() => part.writeItems(session, reduced.rest))
  return E.isLeft(again) ? [partLeftOut(part.what, faultsOf(again.left))] : reduced.notes
}

/** The most attempts with fewer attributes, or with other urlnames. */
const attempts = 120

/** The state of an object without its parts. */
const withoutParts = ({ attributes }: Resource, state: JsonObject): JsonObject => ({
  ...state,
  ...Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.part === true ? [[name, attribute.initial ?? null]] : [],
    ),
  ),
})

type Write = {
  readonly mode: 'put' | 'patch'
  /** Whether parts that it has are removed first. */
  readonly clears: boolean
  readonly id: string
  readonly attributes: JsonObject
  readonly partsIn: (state: () => JsonObject) => readonly Part[]
}

/** Writes attributes and parts of an object in one write; leaves out what is refused. */
const writeReduced = async (
  session: Session,
  resource: Resource,
  { mode, clears, id, attributes: given, partsIn }: Write,
): Promise<Omit<ImportedResult, 'outcome'>> => {
  const notes: ImportNote[] = []
  let sent = namedAttributes(given)
  let ofParts: ImportNote[] = []
  const parts = async (decided: JsonObject): Promise<JsonObject> => {
    let state = clears ? withoutParts(resource, decided) : decided
    ofParts = []
    const inState = session.onDraft(resource, async (_resource, _id, change) => {
      state = await change(state)
      return state
    })
    for (const part of partsIn(() => state)) ofParts.push(...(await writePart(inState, part)))
    return state
  }
  for (let attempted = 1; ; attempted += 1) {
    const request = { mode, id, input: sent.attributes, parts }
    const written = await attempt(() => writeObject(session, resource, request))
    if (E.isRight(written)) return { notes: [...notes, ...ofParts], faults: [] }
    const faults = faultsOf(written.left)
    const reduced = attempted < attempts ? attributesWithout(resource, sent, faults) : null
    if (reduced === null) return { notes, faults }
    sent = reduced.rest
    notes.push(...reduced.notes)
  }
}

/**
 * Creates an object of another system, with its parts, in one write. An attribute or a part that is refused is left out with
 * a note; an object that cannot be without it is refused. Repeated, it changes nothing, or replaces the object.
 */
export const importObject = (
  resource: Resource,
): WriteOperation<
  { readonly object: ImportedObject; readonly whereExists: WhereExists },
  ImportedResult
> => ({
  ...operations.replaceObject(resource.collection),
  changed: (_input, id) => (id === null ? null : { object: id }),
  run: async (session, { object, whereExists }) => {
    const { id, attributes } = object
    const found = await session.documents.get(resource.collection, id)
    // The homepage and the category that every instance starts with do not count until somebody changes them.
    const stored = found?.version === 1 && firstObjects.has(id) ? null : found
    if (stored !== null && whereExists === 'skip') return { outcome: 'present', notes: [], faults: [] }
    const { notes, faults } = await writeReduced(session, resource, {
      mode: 'put',
      clears: whereExists === 'replace whole',
      id,
      attributes,
      partsIn: (state) => partsOf(resource, object, state),
    })
    const written = stored === null ? 'created' : 'replaced'
    return { outcome: faults.length > 0 ? 'refused' : written, notes, faults }
  },
})

/** Whether an object refers to some that come after it. */
export const isCompletedLater = ({ later, related_links: links }: ImportedObject): boolean =>
  links.length > 0 || Object.keys(later).length > 0

/**
 * Writes what refers to objects that came later, when all exist. What the object has by then remains. Returns notes about
 * what is left out.
 */
export const completeImported = (
  resource: Resource,
): WriteOperation<{ readonly object: ImportedObject }, readonly ImportNote[]> => ({
  ...operations.changeObject(resource.collection),
  changed: (_input, id) => (id === null ? null : { object: id }),
  run: async (session, { object: { id, later, related_links: links } }) => {
    const stored = await session.documents.get(resource.collection, id)
    if (stored === null) return []
    const isUnset = ([name]: readonly [string, unknown]): boolean => {
      const value = stored.value[name] ?? null
      return value === null || (isJsonList(value) && value.length === 0)
    }
    const { notes, faults } = await writeReduced(session, resource, {
      mode: 'patch',
      clears: false,
      id,
      attributes: Object.fromEntries(Object.entries(later).filter(isUnset)),
      partsIn: (state) =>
        links.length === 0 || relatedLinksOf(state()).items.length > 0
          ? []
          : [
              {
                what: 'the list of related links',
                items: links,
                writeItems: (inState, items) =>
                  replaceRelatedLinks.run(inState, { id, body: { items } }, fail),
              },
            ],
    })
    return faults.length === 0 ? notes : [...notes, partLeftOut('what refers to later objects', faults)]
  },
})
