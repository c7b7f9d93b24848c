/** Bodies that the service has to take: made from the tables of attributes, with references to what exists. */
import fc from 'fast-check'
import {
  attributesOf,
  isJsonObject,
  type AliasAttribute,
  type Json,
  type JsonObject,
  type Reference,
  type Resource,
  type Shape,
  type StoredAttribute,
} from '@publishing-service/domain'
import { sampleOf, valueOf } from './value-arbitraries.js'

/** The ids of objects that a reference may name. */
export type Candidates = (reference: Pick<Reference, 'collection' | 'media'>) => readonly string[]

/** The variants of a shape; null where it has none. */
export const variantsOf = ({ attributes, variant }: Shape): readonly (string | null)[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : [null]
}

/** The attributes of one variant. */
export const tableOf = (shape: Shape, variant: string | null) =>
  attributesOf(shape, shape.variant === undefined || variant === null ? {} : { [shape.variant]: variant })

export type Writable = readonly [name: string, attribute: StoredAttribute | AliasAttribute]

/** The attributes that a client may send. */
export const writablesOf = (shape: Shape, variant: string | null): readonly Writable[] =>
  Object.entries(tableOf(shape, variant)).flatMap(([name, attribute]): readonly Writable[] => {
    if (attribute.kind === 'alias') return [[name, attribute]]
    return attribute.kind === 'stored' && !attribute.internal && !attribute.readOnly
      ? [[name, attribute]]
      : []
  })

/** A value with another in the place of one of its parts. */
export const replacedAt = (value: Json, path: readonly string[], replacement: Json): Json => {
  const [first, ...rest] = path
  if (first === undefined) return replacement
  if (Array.isArray(value))
    return value.map((each: Json, index) =>
      String(index) === first ? replacedAt(each, rest, replacement) : each,
    )
  if (!isJsonObject(value)) throw new Error(`nothing at ${path.join('.')}`)
  return { ...value, [first]: replacedAt(value[first] ?? null, rest, replacement) }
}

/** The value with each reference in it turned to something that exists; null where nothing of the kind does. */
const aimed = (type: StoredAttribute['type'], value: Json, candidates: Candidates, turn: number): Json => {
  let result = value
  for (const reference of value === null ? [] : (type.references?.(value) ?? [])) {
    const ids = candidates(reference)
    const id = ids[turn % Math.max(ids.length, 1)]
    if (id === undefined) return null
    result = replacedAt(result, reference.path === '' ? [] : reference.path.split('.'), id)
  }
  return result
}

type Lawful = (body: JsonObject) => JsonObject

const isText = (value: Json | undefined): value is string => typeof value === 'string'

const partsOfAnyFrequency = new Set(['freq', 'interval', 'count', 'byday', 'byhour', 'byminute', 'wkst'])

/** The parts of a rule that stand together whatever its frequency, weekdays without numbers. */
const anyFrequencyTakes = (rrule: JsonObject): JsonObject => {
  const parts = Object.entries(rrule).filter(([name]) => partsOfAnyFrequency.has(name))
  const { byday, ...rule } = Object.fromEntries(parts)
  return Array.isArray(byday)
    ? { ...rule, interval: null, byday: byday.filter((day) => /^[A-Z]/.test(String(day))) }
    : { ...rule, interval: null }
}

/** What the rules between attributes ask for, beyond what schemas say. */
const lawfulContent: Lawful = ({ rrule, ...body }) => {
  const { dtstart, dtend } = body
  const ended = isText(dtend) && isText(dtstart) && dtend < dtstart ? { ...body, dtend: dtstart } : body
  if (!isJsonObject(rrule)) return ended
  return { ...ended, rrule: anyFrequencyTakes(rrule) }
}

const ordered = (body: JsonObject, start: string, end: string): JsonObject => {
  const [from, to] = [body[start], body[end]]
  // What doesn't say when it starts, starts now.
  return isText(to) && (!isText(from) || to <= from) ? { ...body, [start]: null, [end]: null } : body
}

const startingWith = (body: JsonObject, prefix: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith(prefix)))

const lawfulLocation: Lawful = (body) => {
  const listed = ordered(ordered(body, 'listing_start', 'listing_expires'), 'coupon_start', 'coupon_expires')
  return isText(body['coupon_img_uuid']) ? listed : startingWith(listed, 'coupon_')
}

const ofPersons = new Set([
  'first_name',
  'email',
  'website',
  'fb_username',
  'twitter_username',
  'instagram_username',
  'linkedin_url',
])

const lawfulTag: Lawful = (body) =>
  body['type'] === 'person'
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !ofPersons.has(name)))

// Every instance starts with a category of the only kind that there is.
const lawfulCategory: Lawful = ({ kind: _taken, ...body }) => body

const laws: Readonly<Record<string, Lawful>> = {
  content: lawfulContent,
  locations: lawfulLocation,
  tags: lawfulTag,
  tag_categories: lawfulCategory,
}

/** Whether a resource has an operation that some lack. */
export const offers = (
  { omits = [] }: Resource,
  operation: NonNullable<Resource['omits']>[number],
): boolean => !omits.includes(operation)

/** A body under a urlname, or a pattern, of its own. */
export const uniquely = (body: JsonObject, id: string): JsonObject => ({
  ...body,
  ...(isText(body['urlname']) ? { urlname: `${body['urlname'].slice(0, 50)}-${id}` } : {}),
  ...(isText(body['pattern']) ? { pattern: `/${id}${body['pattern'].slice(0, 500)}` } : {}),
})

const isVariant = (shape: Shape, name: string): boolean => name === shape.variant

const nobody: Candidates = () => []

/** The attributes that have to be there, with values that are the same in every run, and references to candidates. */
export const requiredBody = (
  resource: Resource,
  variant: string | null,
  id: string,
  candidates: Candidates = nobody,
): JsonObject => {
  const entries = writablesOf(resource, variant).flatMap(
    ([name, attribute]): readonly (readonly [string, Json])[] => {
      if (attribute.kind === 'alias' || !attribute.required) return []
      const sample = isVariant(resource, name) ? variant : sampleOf(attribute.type.schema)
      return [[name, aimed(attribute.type, sample, candidates, 0)]]
    },
  )
  return uniquely(Object.fromEntries(entries), id)
}

/** Whole bodies: required attributes always, the others mostly. Aliases stay out: they write what others write too. */
export const bodiesOf = (
  resource: Resource,
  variant: string | null,
  candidates: Candidates,
): fc.Arbitrary<JsonObject> => {
  const entries = writablesOf(resource, variant).flatMap(([name, attribute]) => {
    if (attribute.kind === 'alias') return []
    if (isVariant(resource, name)) return [[name, fc.constant<Json>(variant)] as const]
    const value = fc
      .tuple(valueOf(attribute.type.schema), fc.nat(1000))
      .map(([each, turn]) => aimed(attribute.type, each, candidates, turn))
    return [[name, attribute.required ? value : fc.option(value, { freq: 5 })] as const]
  })
  const lawful = laws[resource.collection] ?? ((body: JsonObject) => body)
  return fc
    .tuple(fc.record(Object.fromEntries(entries), { noNullPrototype: true }), fc.uuid())
    .map(([body, id]) => uniquely(lawful(body), id))
}
