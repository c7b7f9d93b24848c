/**
 * What a change touches: the objects whose pages show the changed one (docs/behaviour/changes.md#touched). Lists, such as the
 * stories of a section, are not part of it.
 */
import type { Filter } from '../resource/filter.js'
import type { Resource } from '../resource/resource.js'
import { resources } from '../resource/resources.js'
import { usedFilesKey } from '../resource/used-files.js'
import type { Settings } from '../instances/settings.js'
import { ownerCollectionOf, publicEffect, type MarkedChange } from './change-feed.js'

const touchable = resources.filter(({ attributes }) => Object.hasOwn(attributes, 'touched_at'))

/** The keys by which objects name those that they show, by the collection of the latter. */
const keysOfShown: Readonly<Record<string, string>> = {
  files: usedFilesKey,
  tags: 'tagged',
  content: 'shown_objects',
  locations: 'shown_objects',
}

/** Objects of a resource that meet a condition. */
export type Touched = { readonly resource: Resource; readonly where: Filter }

/** The objects that show one of these objects of a collection. */
const showing = (collection: string, ids: readonly string[]): readonly Touched[] => {
  const { [collection]: key } = keysOfShown
  if (key === undefined) return []
  const where = { anyOf: ids.map((id) => [{ key, has: id }]) }
  return touchable.flatMap((resource) =>
    Object.hasOwn(resource.attributes, key) ? [{ resource, where }] : [],
  )
}

/** The objects in one of these sections, and the sections below them. */
export const inSections = (ids: readonly string[]): readonly Touched[] =>
  touchable.flatMap((resource) => {
    const key = resource.path?.section
    return key === undefined ? [] : [{ resource, where: { key, oneOf: ids } }]
  })

/** What several changes touch. */
export type Touching = {
  readonly touched: readonly Touched[]
  /** The objects that are touched themselves, by collection. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>
  /** The sections below which everything is touched. */
  readonly sections: readonly string[]
}

/** What changes touch, so far as the public sees them. The objects that were written are touched already. */
export const touching = (changes: readonly MarkedChange[], settings: Settings): Touching => {
  const shown = new Map<string, Set<string>>()
  const objects = new Map<string, Set<string>>()
  const sections = new Set<string>()
  const add = (to: Map<string, Set<string>>, collection: string, id: string): void => {
    const ids = to.get(collection)
    if (ids === undefined) to.set(collection, new Set([id]))
    else ids.add(id)
  }
  for (const change of changes) {
    const { mark, object, resource } = change
    // Settings have no id.
    if (object === null || publicEffect(change, settings) === null) continue
    const { collection } = resource
    const owner = ownerCollectionOf(resource)
    add(shown, collection, object)
    if (mark.kind === 'time') add(objects, collection, object)
    if (mark.subtree === true) sections.add(object)
    if (mark.parent !== undefined && owner !== null) add(objects, owner, mark.parent)
  }
  const touched = [...shown].flatMap(([collection, ids]) => showing(collection, [...ids]))
  return { touched, objects, sections: [...sections] }
}
