/**
 * What a viewer may not see because of objects that are referred to: what is visible only with them, and what filters by
 * them select (docs/behaviour/collections.md#uuid-lists).
 */
import type { JsonObject } from '../json.js'
import type { Reference } from '../value/value-type.js'
import type { Filter } from './filter.js'
import { visibilityOf, type Resource } from './resource.js'
import { resourceOf } from './resources.js'
import type { ViewContext, Viewer } from './view-context.js'

type Filtered = Pick<Resource, 'attributes'>

/** Whether there can be objects of a collection that the viewer does not see. */
export const isRestricted = (collection: string, viewer: Viewer): boolean => {
  const resource = resourceOf(collection)
  return resource !== undefined && visibilityOf(resource, viewer).length > 0
}

/** The references of a state to the objects without which the viewer does not see it. */
export const referencesVisibleWith = (
  { attributes, visibleWith }: Pick<Resource, 'attributes' | 'visibleWith'>,
  state: JsonObject,
  viewer: Viewer,
): readonly Reference[] =>
  (visibleWith?.references ?? []).flatMap((name) => {
    const attribute = attributes[name]
    const references = attribute?.kind === 'stored' ? attribute.type.references?.(state[name] ?? null) : []
    return (references ?? []).filter(({ collection }) => isRestricted(collection, viewer))
  })

/** The collections that a condition names objects of, if the viewer may see none of these objects. */
const targetsOf = ({ attributes }: Filtered, key: string, viewer: Viewer): readonly string[] => {
  const attribute = attributes[key]
  const targets = attribute?.kind === 'stored' ? (attribute.type.targets ?? []) : []
  return targets.every((collection) => isRestricted(collection, viewer)) ? targets : []
}

/** The objects that conditions name and that the viewer may not see. */
export const referencesNamedIn = (
  filtered: Filtered,
  where: readonly Filter[],
  viewer: Viewer,
): readonly Reference[] =>
  where.flatMap((filter) =>
    'oneOf' in filter
      ? targetsOf(filtered, filter.key, viewer).flatMap((collection) =>
          filter.oneOf.flatMap((id) => (typeof id === 'string' ? [{ path: '', collection, id }] : [])),
        )
      : [],
  )

/** The conditions without the objects that the viewer does not see. */
export const withVisibleReferences = (
  filtered: Filtered,
  where: readonly Filter[],
  viewer: Viewer,
  find: ViewContext['find'],
): readonly Filter[] =>
  where.map((filter) => {
    if (!('oneOf' in filter)) return filter
    const targets = targetsOf(filtered, filter.key, viewer)
    if (targets.length === 0) return filter
    const isVisible = (id: string): boolean =>
      targets.some((collection) => find(collection, id) !== undefined)
    const oneOf = filter.oneOf.filter((id) => typeof id !== 'string' || isVisible(id))
    return oneOf.length === 0 ? { anyOf: [] } : { ...filter, oneOf }
  })
