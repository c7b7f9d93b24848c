/**
 * What clients may send to a table of attributes, made from the table itself, and the circumstances that tests write
 * and read in.
 */
import fc from 'fast-check'
import { E } from '../fp.js'
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import { roles, type Role } from '../role/role.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { jsonOf } from '../value/schema.arbitrary.js'
import { defaultStreamingHosts } from '../value/streaming-host.js'
import type { Reference, ValueContext } from '../value/value-type.js'
import type { StoredAttribute } from './attribute.js'
import type { Resource } from './resource.js'
import { attributesOf, type Shape } from './variant.js'
import type { InstanceRules, Links, View } from './view-context.js'

export const now = '2026-03-01T13:00:00' as NaiveDateTime
export const later = '2026-03-02T08:30:00' as NaiveDateTime
export const objectId = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

export const withAddon: InstanceRules = { timezone: 'Europe/Vienna', directory_addon: true }
export const withoutAddon: InstanceRules = { timezone: 'Europe/Vienna', directory_addon: false }

export const valueContext: ValueContext = {
  zone: 'Europe/Vienna',
  streamingHosts: defaultStreamingHosts,
  strict: false,
}

export const links: Links = {
  website: 'https://www.example.org',
  collection: (collection) => `/1/${collection}`,
  object: (collection, id) => `/1/${collection}/${id}`,
  tagging: (tagId, predicate, taggedId) => `/1/tags/${tagId}/${predicate}/${taggedId}`,
  slot: (contentId, slotId) => `/1/content/${contentId}/slots/${slotId}`,
  download: (fileId, upload, box) =>
    `/1/files/${fileId}/download/${upload}${box === undefined ? '' : `?w=${box}&h=${box}`}`,
}

/** The variants of a shape; one that has none is told by null. */
export const variantsOf = ({ attributes, variant }: Shape): readonly (string | null)[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : [null]
}

const storedOf = (shape: Shape, variant: string | null): readonly (readonly [string, StoredAttribute])[] =>
  Object.entries(
    attributesOf(shape, shape.variant === undefined ? {} : { [shape.variant]: variant }),
  ).flatMap(([name, attribute]) => (attribute.kind === 'stored' ? [[name, attribute] as const] : []))

const isSent = ({ internal, readOnly }: StoredAttribute): boolean => !internal && !readOnly

const valueOf = (
  shape: Shape,
  variant: string | null,
  name: string,
  attribute: StoredAttribute,
): fc.Arbitrary<Json> => (name === shape.variant ? fc.constant(variant) : jsonOf(attribute.type.schema))

/** A whole object as a PUT may send it: what is required always, the rest sometimes, now and then as null. */
export const inputFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> => {
  const sent = storedOf(shape, variant).filter(([, attribute]) => isSent(attribute))
  return fc.record(
    Object.fromEntries(
      sent.map(([name, attribute]) => {
        const value = valueOf(shape, variant, name, attribute)
        return [name, attribute.required ? value : fc.option(value, { freq: 6 })]
      }),
    ),
    {
      requiredKeys: sent.filter(([, { required }]) => required).map(([name]) => name),
      noNullPrototype: true,
    },
  )
}

/** One attribute with a new value, as a PATCH may send it; null only where it may be cleared. */
export const changeFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    ...storedOf(shape, variant)
      .filter(([, attribute]) => isSent(attribute) && !attribute.fixed)
      .map(([name, attribute]) => {
        const value = valueOf(shape, variant, name, attribute)
        return (attribute.required ? value : fc.option(value, { freq: 6 })).map((each) => ({ [name]: each }))
      }),
  )

/** Values as they are kept: read by their own type, which refuses a time that the clocks skip, each item once. */
const keptOf = ({ type }: StoredAttribute): fc.Arbitrary<Json> =>
  jsonOf(type.schema)
    .map((sent) => type.decode(sent, valueContext))
    .filter(E.isRight)
    .map(({ right: value }) =>
      Array.isArray(value)
        ? value.filter(
            (each: Json, index) => value.findIndex((other: Json) => jsonEqual(each, other)) === index,
          )
        : value,
    )

/** Values of the attributes that the service sets itself; what has a default is never absent. */
export const serviceSetFor = (shape: Shape, variant: string | null): fc.Arbitrary<JsonObject> =>
  fc.record(
    Object.fromEntries(
      storedOf(shape, variant)
        .filter(([, attribute]) => !isSent(attribute))
        .map(([name, attribute]) => {
          const { type, initial } = attribute
          if (type.schema.type === 'object') return [name, fc.constant(initial ?? {})]
          const value = keptOf(attribute)
          return [name, initial === undefined ? fc.option(value, { freq: 6 }) : value]
        }),
    ),
    { noNullPrototype: true },
  )

/** Every reference that a state of the shape holds. */
export const referencesIn = (shape: Shape, state: JsonObject): readonly Reference[] =>
  Object.entries(attributesOf(shape, state)).flatMap(([name, attribute]) => {
    const value = state[name] ?? null
    return attribute.kind === 'stored' && value !== null ? (attribute.type.references?.(value) ?? []) : []
  })

const referredState = ({ id, media }: Reference): JsonObject => ({
  urlname: 'referred',
  parent_uuid: null,
  last_name_or_title: `Tag ${id}`,
  ...(media === undefined ? {} : { mimetype: `${media}/x`, upload: 7 }),
})

/** What derived attributes look up beside the references of the object; it lists every tag that the object has. */
const statesBeside = (shape: Shape, references: readonly Reference[]): readonly [string, JsonObject][] =>
  Object.values(attributesOf(shape, {})).flatMap((attribute): readonly [string, JsonObject][] => {
    if (attribute.kind !== 'derived' || attribute.beside === undefined) return []
    const { collection, id } = attribute.beside
    const members = references.filter((each) => each.collection === 'tags').map((each) => each.id)
    return [[`${collection}/${id}`, { members }]]
  })

/** Circumstances of reading in which everything that the state refers to is there, but what `isDead` says. */
export const viewOn = (
  shape: Shape,
  state: JsonObject,
  { role = 'editor', settings = withAddon, at = now, isDead = () => false }: Viewing = {},
): View => {
  const references = referencesIn(shape, state)
  const alive = new Map([
    ...references
      .filter((reference) => !isDead(reference))
      .map((reference): [string, JsonObject] => [
        `${reference.collection}/${reference.id}`,
        referredState(reference),
      ]),
    ...statesBeside(shape, references),
  ])
  return {
    id: objectId,
    role,
    now: at,
    settings,
    links,
    find: (collection, id) => alive.get(`${collection}/${id}`),
  }
}

type Viewing = {
  readonly role?: Role
  readonly settings?: InstanceRules
  readonly at?: NaiveDateTime
  readonly isDead?: (reference: Reference) => boolean
}

export const anyRole: fc.Arbitrary<Role> = fc.constantFrom(...roles)

/** The roles that may PUT what they GET. */
export const anyWriter: fc.Arbitrary<Role> = fc.constantFrom('editor', 'admin')

/** A resource with one of its variants. */
export const kindsOf = (
  resource: Resource,
): readonly { readonly name: string; readonly variant: string | null }[] =>
  variantsOf(resource).map((variant) => ({ name: variant ?? resource.name, variant }))
