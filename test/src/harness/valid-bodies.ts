/** Generates valid request bodies from the attribute tables, with references to existing objects. */
import fc from 'fast-check'
import type { Resource } from '@publishing-service/domain'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import {
  attributesOf,
  type AliasAttribute,
  type Reference,
  type Shape,
  type StoredAttribute,
} from '@publishing-service/domain/declare'
import { sampleOf, valueOf } from './value-arbitraries.js'

/** The ids of objects that a reference may name. */
export type Candidates = (reference: Pick<Reference, 'collection' | 'media'>) => readonly string[]

/** The variants of a shape; [null] if it has none. */
export const variantsOf = ({ attributes, variant }: Shape): readonly (string | null)[] => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : [null]
}

/** The attributes of one variant. */
export const tableOf = (shape: Shape, variant: string | null) =>
  attributesOf(shape, shape.variant === undefined || variant === null ? {} : { [shape.variant]: variant })

export type Writable = readonly [name: string, attribute: StoredAttribute | AliasAttribute]

/** The writable attributes. */
export const writablesOf = (shape: Shape, variant: string | null): readonly Writable[] =>
  Object.entries(tableOf(shape, variant)).flatMap(([name, attribute]): readonly Writable[] => {
    if (attribute.kind === 'alias') return [[name, attribute]]
    return attribute.kind === 'stored' && !attribute.internal && !attribute.readOnly
      ? [[name, attribute]]
      : []
  })

/** Replaces the value at a path. */
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

/** Replaces each reference in the value by one to an existing object; null if there is none. */
const withReferences = (
  type: StoredAttribute['type'],
  value: Json,
  candidates: Candidates,
  index: number,
): Json => {
  let result = value
  for (const reference of value === null ? [] : (type.references?.(value) ?? [])) {
    const ids = candidates(reference)
    const id = ids[index % Math.max(ids.length, 1)]
    if (id === undefined) return null
    result = replacedAt(result, reference.path === '' ? [] : reference.path.split('.'), id)
  }
  return result
}

type Adjust = (body: JsonObject) => JsonObject

const isText = (value: Json | undefined): value is string => typeof value === 'string'

const partsOfAnyFrequency = new Set(['freq', 'interval', 'count', 'byday', 'byhour', 'byminute', 'wkst'])

/** The parts of a recurrence rule that are valid for any frequency, with weekdays without numbers. */
const validForAnyFrequency = (rrule: JsonObject): JsonObject => {
  const parts = Object.entries(rrule).filter(([name]) => partsOfAnyFrequency.has(name))
  const { byday, ...rule } = Object.fromEntries(parts)
  return Array.isArray(byday)
    ? { ...rule, interval: null, byday: byday.filter((day) => /^[A-Z]/.test(String(day))) }
    : { ...rule, interval: null }
}

/** Applies the rules between attributes, which schemas do not contain. */
const validContent: Adjust = ({ rrule, review_note: note, review_assignee: _nobody, ...others }) => {
  const body = isText(others['review']) && isText(note) ? { ...others, review_note: note } : others
  const { dtstart, dtend } = body
  const ended = isText(dtend) && isText(dtstart) && dtend < dtstart ? { ...body, dtend: dtstart } : body
  if (!isJsonObject(rrule)) return ended
  return { ...ended, rrule: validForAnyFrequency(rrule) }
}

const ordered = (body: JsonObject, start: string, end: string): JsonObject => {
  const [from, to] = [body[start], body[end]]
  // A missing start means now.
  return isText(to) && (!isText(from) || to <= from) ? { ...body, [start]: null, [end]: null } : body
}

const withoutPrefix = (body: JsonObject, prefix: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith(prefix)))

const validLocation: Adjust = (body) => {
  const listed = ordered(ordered(body, 'listing_start', 'listing_expires'), 'coupon_start', 'coupon_expires')
  return isText(body['coupon_img_uuid']) ? listed : withoutPrefix(listed, 'coupon_')
}

const personAttributes = new Set([
  'first_name',
  'email',
  'website',
  'fb_username',
  'twitter_username',
  'instagram_username',
  'linkedin_url',
])

const validTag: Adjust = (body) =>
  body['type'] === 'person'
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !personAttributes.has(name)))

// Every instance already has a category of the only kind.
const validCategory: Adjust = ({ kind: _taken, ...body }) => body

const adjustments: Readonly<Record<string, Adjust>> = {
  content: validContent,
  locations: validLocation,
  tags: validTag,
  tag_categories: validCategory,
}

/** The body with a unique urlname or pattern. */
export const uniquely = (body: JsonObject, id: string): JsonObject => ({
  ...body,
  ...(isText(body['urlname']) ? { urlname: `${body['urlname'].slice(0, 50)}-${id}` } : {}),
  ...(isText(body['pattern']) ? { pattern: `/${id}${body['pattern'].slice(0, 500)}` } : {}),
})

const isVariant = (shape: Shape, name: string): boolean => name === shape.variant

const noCandidates: Candidates = () => []

/** The required attributes with deterministic values and valid references. */
export const requiredBody = (
  resource: Resource,
  variant: string | null,
  id: string,
  candidates: Candidates = noCandidates,
): JsonObject => {
  const entries = writablesOf(resource, variant).flatMap(
    ([name, attribute]): readonly (readonly [string, Json])[] => {
      if (attribute.kind === 'alias' || !attribute.required) return []
      const sample = isVariant(resource, name) ? variant : sampleOf(attribute.type.schema)
      return [[name, withReferences(attribute.type, sample, candidates, 0)]]
    },
  )
  return uniquely(Object.fromEntries(entries), id)
}

/**
 * Complete bodies: all required attributes and most others. Aliases are omitted because other attributes write the
 * same value.
 */
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
      .map(([each, index]) => withReferences(attribute.type, each, candidates, index))
    return [[name, attribute.required ? value : fc.option(value, { freq: 5 })] as const]
  })
  const adjust = adjustments[resource.collection] ?? ((body: JsonObject) => body)
  return fc
    .tuple(fc.record(Object.fromEntries(entries), { noNullPrototype: true }), fc.uuid())
    .map(([body, id]) => uniquely(adjust(body), id))
}
