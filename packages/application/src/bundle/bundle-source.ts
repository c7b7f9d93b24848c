/**
 * The objects of a bundle in the form of an import, with which they come into an instance that has objects already
 * (docs/bundle.md#into-an-instance-that-exists). Drafts and history are left out.
 */
import {
  content,
  fault,
  file,
  homepage,
  resourceOf,
  resources,
  section,
  stateIn,
  type Resource,
} from '@publishing-service/domain'
import {
  placedSlots,
  relatedLinksOf,
  slotOf,
  storiesOf,
  storyLists,
} from '@publishing-service/domain/content'
import type { StoredAttribute } from '@publishing-service/domain/declare'
import { objectName } from '@publishing-service/domain/engine'
import { E } from '@publishing-service/domain/fp'
import {
  fileNote,
  importedObject,
  importRecord,
  type ImportedObject,
  type ImportNote,
  type ImportRecord,
  type ImportSource,
  type OpenMedia,
} from '@publishing-service/domain/imports'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { taggingsOf } from '@publishing-service/domain/tags'
import { originalBlob } from '../files/file-blobs.js'
import { memberLists } from '../imports/import-object.js'
import type { DocumentLine } from '../storage-copy/export-format.js'
import type { CheckedBundle } from './check-bundle.js'
import { lineFor, type Destination } from './bundle-lines.js'

const firstPasses: readonly (readonly string[])[] = [
  ['tags'],
  ['files', 'tag_categories', 'sections'],
  ['locations', 'blogs'],
  ['content'],
]

/** The collections in passes over the bundle: references lead to earlier ones, or are written when all objects exist. */
const passes: readonly (readonly string[])[] = [
  ...firstPasses,
  resources.map(({ collection }) => collection).filter((each) => !firstPasses.flat().includes(each)),
]

const ranks: ReadonlyMap<string, number> = new Map(
  passes.flat().map((collection, rank) => [collection, rank]),
)

const rankOf = (collection: string): number => ranks.get(collection) ?? Infinity

/** Whether an attribute refers to objects that can come later. */
const isLater = (
  { collection, tree }: Resource,
  name: string,
  { type: { targets = [] }, required }: StoredAttribute,
): boolean =>
  required !== true && name !== tree?.parent && targets.some((target) => rankOf(target) >= rankOf(collection))

const hasVariant = ({ variant }: Resource, { only }: StoredAttribute, value: JsonObject): boolean =>
  only === undefined || variant === undefined || only.some((each) => each === value[variant])

/** The values that clients send of an object, those that refer to later objects apart. */
const sentOf = (resource: Resource, value: JsonObject) => {
  const [attributes, later]: [Record<string, Json>, Record<string, Json>] = [{}, {}]
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    if (attribute.kind !== 'stored') continue
    const { internal, readOnly, part, type } = attribute
    const isOfService = internal === true || readOnly === true || part === true || type.namesUser === true
    const stored = value[name] ?? null
    if (isOfService || stored === null || !hasVariant(resource, attribute, value)) continue
    if (isLater(resource, name, attribute)) later[name] = stored
    else attributes[name] = stored
  }
  return { attributes, later }
}

const withoutNulls = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))

const textsIn = (list: Json | undefined): readonly string[] =>
  isJsonList(list) ? list.filter((each) => typeof each === 'string') : []

const slotsOf = (value: JsonObject): ImportedObject['slots'] =>
  placedSlots(value).map((id) => {
    const { media, ...settings } = slotOf(value, id)
    return { id, attributes: withoutNulls(settings), media: media.map(withoutNulls) }
  })

const uploadOf = (value: JsonObject): ImportedObject['upload'] => {
  const { blob, mimetype, charset } = stateIn(file, value)
  if (blob === null) return null
  const type = mimetype === null || charset === null ? mimetype : `${mimetype}; charset=${charset}`
  return { address: originalBlob(blob), type }
}

const storiesIn = (value: JsonObject): ImportedObject['stories'] =>
  Object.fromEntries(
    storyLists.map((name) => {
      const { items, ...list } = storiesOf(value, name)
      return [name, { ...list, items: items.filter(isJsonObject).map(withoutNulls) }]
    }),
  )

const membersOf = ({ collection }: Resource, value: JsonObject): readonly string[] => {
  const list = memberLists.find(({ resource }) => resource.collection === collection)
  return list === undefined ? [] : textsIn(value[list.attribute])
}

/** An object with its parts. */
const objectOf = (resource: Resource, { id, value }: DocumentLine): ImportedObject => {
  const { collection } = resource
  return importedObject({
    collection,
    id,
    ...sentOf(resource, value),
    upload: collection === file.collection ? uploadOf(value) : null,
    slots: collection === content.collection ? slotsOf(value) : [],
    tags: taggingsOf(value).map(({ tag, predicate, created }) => ({
      tag,
      predicate,
      attributes: { created },
    })),
    members: membersOf(resource, value),
    stories: collection === homepage.collection ? storiesIn(value) : {},
    earlier_paths: textsIn(value['old_paths']),
    related_links: relatedLinksOf(value).items.map(withoutNulls),
  })
}

/** What of an object cannot come into an instance that exists. */
const notesOn = ({ collection, value }: DocumentLine): readonly ImportNote[] =>
  collection === 'comments' && value['deleted'] === true
    ? [fileNote('deleted', 'a deleted comment becomes one that can be edited')]
    : []

const addressOf = ({ collection, id }: Pick<DocumentLine, 'collection' | 'id'>): string =>
  `${collection}/${id}`

/** Sections, each after the one above it. */
const inTree = (lines: readonly DocumentLine[]): readonly DocumentLine[] => {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const sorted = new Set<DocumentLine>()
  const add = (line: DocumentLine, below: number): void => {
    const parent = byId.get(String(line.value['parent_uuid']))
    if (parent !== undefined && !sorted.has(parent) && below > 0) add(parent, below - 1)
    sorted.add(line)
  }
  for (const line of lines) add(line, lines.length)
  return [...sorted]
}

export type BundledObjects = {
  readonly source: ImportSource
  readonly openMedia: OpenMedia
  /** The number of drafts, which are left out. */
  readonly drafts: number
}

/** The objects of a bundle for an instance; `only` are those that are wanted, as `collection/uuid`, null for all. */
export const objectsOfBundle = (
  bundle: CheckedBundle,
  to: Destination,
  only: ReadonlySet<string> | null,
): BundledObjects => {
  const isWanted = (line: DocumentLine): boolean => only === null || only.has(addressOf(line))

  const recordOf = (line: DocumentLine): ImportRecord | null => {
    const resource = resourceOf(line.collection)
    if (resource === undefined) return null
    const moved = lineFor(line, to)
    return importRecord({
      origin: { source: addressOf(line), title: objectName(resource, line.value) ?? '', line: null },
      notes: notesOn(line),
      // The data has the address that it has in the bundle.
      object: {
        ...objectOf(resource, moved),
        upload: line.collection === file.collection ? uploadOf(line.value) : null,
      },
    })
  }

  async function* records(): AsyncGenerator<ImportRecord, void, void> {
    const found = new Set<string>()
    for (const pass of passes) {
      const sections: DocumentLine[] = []
      for await (const line of bundle.documents()) {
        if (!pass.includes(line.collection) || !isWanted(line)) continue
        if (only !== null) found.add(addressOf(line))
        if (line.collection === section.collection) sections.push(line)
        else yield* [recordOf(line)].filter((record) => record !== null)
      }
      yield* inTree(sections).flatMap((line) => recordOf(line) ?? [])
    }
    for (const address of only ?? [])
      if (!found.has(address))
        yield importRecord({
          origin: { source: address, title: '', line: null },
          faults: [fault('', 'reference', 'is not in the bundle')],
        })
  }

  const openMedia: OpenMedia = async ({ address, type }) => {
    const blob = bundle.blobs.get(address)
    return blob === undefined
      ? E.left('it is not in the bundle')
      : E.right({ body: bundle.data(address), type: type ?? undefined, length: blob.bytes })
  }

  return {
    source: { records, total: only === null ? bundle.objects : only.size },
    openMedia,
    drafts: bundle.drafts,
  }
}
