/** The circumstances of a view, with every object that the state refers to. */
import type { JsonObject } from '../json.js'
import { findAmong, type FoundObjects } from '../resource/read-plan.js'
import { attributesOf, type Shape } from '../resource/variant.js'
import type { InstanceRules, ViewContext } from '../resource/view-context.js'
import type { Role } from '../role/permissions.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import type { Reference } from '../value/value-type.js'
import { links, now, objectId, withAddon } from './circumstances.js'
import { viewer } from './viewer.js'

/** Every reference in a state. */
const referencesIn = (shape: Shape, state: JsonObject): readonly Reference[] =>
  Object.entries(attributesOf(shape, state)).flatMap(([name, attribute]) => {
    const value = state[name] ?? null
    return attribute.kind === 'stored' && value !== null ? (attribute.type.references?.(value) ?? []) : []
  })

type Entry = readonly [`${string}/${string}`, JsonObject]

const entryOf = ({ collection, id, media }: Reference): Entry => [
  `${collection}/${id}`,
  {
    urlname: 'referred',
    parent_uuid: null,
    last_name_or_title: `Tag ${id}`,
    ...(media === undefined ? {} : { mimetype: `${media}/x`, upload: 7 }),
  },
]

/** The further objects that derived attributes read; categories contain every tag of the object. */
const additionalStates = (shape: Shape, references: readonly Reference[]): readonly Entry[] =>
  Object.values(attributesOf(shape, {})).flatMap((attribute): readonly Entry[] => {
    if (attribute.kind !== 'derived' || attribute.alsoReads === undefined) return []
    const { collection, id } = attribute.alsoReads
    const members = references.filter((each) => each.collection === 'tags').map((each) => each.id)
    return [[`${collection}/${id}`, { members }]]
  })

type Circumstances = {
  readonly role?: Role
  readonly settings?: InstanceRules
  readonly at?: NaiveDateTime
  readonly isDead?: (reference: Reference) => boolean
}

/** The view of a state whose references all lead to an object, except those that `isDead` returns true for. */
export const viewOn = (
  shape: Shape,
  state: JsonObject,
  { role = 'editor', settings = withAddon, at = now, isDead = () => false }: Circumstances = {},
): ViewContext => {
  const references = referencesIn(shape, state)
  const found: FoundObjects = new Map([
    ...references.filter((reference) => !isDead(reference)).map(entryOf),
    ...additionalStates(shape, references),
  ])
  return {
    ...viewer(role, { now: at, settings }),
    id: objectId,
    links,
    find: findAmong(found),
    count: () => 0,
  }
}
