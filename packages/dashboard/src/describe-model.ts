/** Describes the resources of the API for the dashboard, from their declarations. */
import { resources, type Resource } from '@publishing-service/domain'
import {
  type Attribute,
  type AttributeTable,
  type Reference,
  type ItemShape,
  type Schema,
  type StreamingHost,
  type ValueType,
} from '@publishing-service/domain/declare'
import { mediaWith, slot, story, storyList } from '@publishing-service/domain/content'
import { recurrenceRule } from '@publishing-service/domain/recurrence'
import { bodySchema } from '@publishing-service/domain/markup'
import {
  collectionsAccepting,
  predicateNames,
  predicates,
  type Predicate,
} from '@publishing-service/domain/tags'
import {
  importAttributes,
  importKinds,
  importOptions,
  importOutcomes,
} from '@publishing-service/domain/imports'
import { isOpenJob, jobStates } from '@publishing-service/domain/jobs'
import { orderOptionsOf, fieldsOf, includeNamesOf, pageLimits } from '@publishing-service/domain/lists'
import { maxPictureCharacters, minPasswordCharacters, userAttributes } from '@publishing-service/access'
import { permissions, roles, settingsAttributes, unrestricted } from '@publishing-service/domain/roles'
import { segmentsOf } from '@publishing-service/domain/engine'
import { webhookEvents } from '@publishing-service/domain/webhooks'
import { elementModels } from './markup/element-kinds.js'
import type {
  Field,
  FilterField,
  FilterValue,
  ImportsModel,
  ItemModel,
  MediaModel,
  Model,
  PredicateModel,
  ResourceModel,
  Value,
  Relation,
} from './model.js'

type Sent = Extract<Attribute, { readonly kind: 'stored' }>

/** Texts longer than this have several lines. */
const maxLineLength = 400

/** A group of fields has at least as many. */
const minGroupSize = 3

const probe = '00000000-0000-4000-8000-000000000000'

/** A value of the schema in which every text is a UUID, so that a type returns its references. */
const probeOf = (schema: Schema): unknown => {
  if (schema.type === 'array') return [probeOf(schema.items ?? {})]
  if (schema.type !== 'object') return probe
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, probeOf(each)]),
  )
}

type FoundReferences = ReadonlyMap<string, Reference>

/** By path, with `0` for the items of a list. */
const referencesIn = (type: ValueType): FoundReferences =>
  new Map(
    (type.references?.(probeOf(type.schema) as never) ?? []).map((reference) => [reference.path, reference]),
  )

const referenceValue = ({ collection, media }: Reference): Value => ({
  kind: 'reference',
  collection,
  ...(media === undefined ? {} : { media }),
})

const textValue = ({ format, maxLength }: Schema): Value => {
  const limit = maxLength === undefined ? {} : { maxLength }
  if (format === 'naive-date-time') return { kind: 'date-time' }
  if (format === 'date') return { kind: 'date' }
  if (format === 'body-markup' || format === 'markup' || format === 'markup-or-text')
    return { kind: 'markup', hasSlots: format === 'body-markup', ...limit }
  const isLong = format === 'text' && (maxLength ?? 0) > maxLineLength
  return { kind: 'text', isLong, ...(format === undefined || format === 'text' ? {} : { format }), ...limit }
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const valueOf = (schema: Schema, references: FoundReferences, path: string): Value => {
  const found = references.get(path)
  if (found !== undefined) return referenceValue(found)
  if (schema.anyOf !== undefined) return valueOf(schema.anyOf[0] ?? {}, references, path)
  if (schema.format === 'coordinates') return { kind: 'coordinates' }
  switch (schema.type) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema
      return {
        kind: 'number',
        isInteger: schema.type === 'integer',
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? {} : { maximum }),
      }
    }
    case 'array':
      return {
        kind: 'list',
        item: valueOf(schema.items ?? {}, references, below(path, '0')),
        ...(schema.maxItems === undefined ? {} : { maxItems: schema.maxItems }),
      }
    case 'object':
      if (schema.properties === undefined && schema.additionalProperties !== undefined)
        return { kind: 'pairs' }
      return {
        kind: schema === recurrenceRule.schema ? 'recurrence' : 'object',
        fields: Object.entries(schema.properties ?? {}).map(([name, each]) => ({
          name,
          value: valueOf(each, references, below(path, name)),
          isRequired: schema.required?.includes(name) === true,
          isFixed: false,
          needsAddon: false,
          initial: null,
        })),
      }
    default:
      return schema.enum === undefined ? textValue(schema) : { kind: 'choice', options: schema.enum }
  }
}

const isSent = (attribute: Attribute): attribute is Sent =>
  attribute.kind === 'stored' &&
  attribute.internal !== true &&
  attribute.readOnly !== true &&
  attribute.deprecated === undefined

const fieldOf = (name: string, attribute: Sent): Field => {
  const { type, only, visibleTo, addon } = attribute
  return {
    name,
    value: valueOf(type.schema, referencesIn(type), ''),
    isRequired: attribute.required === true && attribute.madeFrom === undefined,
    isFixed: attribute.fixed === true,
    needsAddon: addon !== undefined,
    initial: attribute.initial ?? null,
    ...(only === undefined ? {} : { only }),
    ...(visibleTo === undefined ? {} : { visibleTo }),
  }
}

const prefixOf = ({ name }: Field): string => name.split('_')[0] ?? name

const listingFlag = 'is_listing'

/** Attributes of a listing are accepted only together with the one that makes it a listing. */
const companionOf = (table: AttributeTable, name: string, { addon }: Sent): Pick<Field, 'sentWith'> =>
  addon !== undefined && name !== listingFlag && Object.hasOwn(table, listingFlag)
    ? { sentWith: listingFlag }
    : {}

/** The fields that are edited, in the order of the table: those of its text, or those about it. */
const fieldsIn = (table: AttributeTable, isAbout = false): readonly Field[] => {
  const fields = Object.entries(table).flatMap(([name, attribute]) =>
    isSent(attribute) && (attribute.undrafted === true) === isAbout
      ? [{ ...fieldOf(name, attribute), ...companionOf(table, name, attribute) }]
      : [],
  )
  const sizes = new Map<string, number>()
  for (const field of fields) sizes.set(prefixOf(field), (sizes.get(prefixOf(field)) ?? 0) + 1)
  return fields.map((field) => {
    return (sizes.get(prefixOf(field)) ?? 0) < minGroupSize ? field : { ...field, group: prefixOf(field) }
  })
}

const filterValue = (resource: Resource, schema: Schema, keys: readonly string[]): FilterValue => {
  const { type, format, items } = schema
  if (type === 'boolean') return { kind: 'boolean' }
  if (format === 'period') return { kind: 'period' }
  const options = schema.enum ?? items?.enum
  if (options !== undefined) return { kind: 'choices', options }
  const attribute = resource.attributes[keys[0] ?? '']
  const target = attribute?.kind === 'stored' ? attribute.type.targets?.[0] : undefined
  if (target !== undefined) return { kind: 'references', collection: target }
  return format === 'uuids' && attribute?.kind === 'stored' ? { kind: 'people' } : { kind: 'text' }
}

const filtersOf = (resource: Resource): readonly FilterField[] =>
  Object.entries(resource.filters).map(([name, { schema, keys }]) => ({
    name,
    value: filterValue(resource, schema, keys),
  }))

export const relationsOf = (resource: Resource): readonly Relation[] => {
  const included = includeNamesOf(resource)
  return Object.entries(resource.attributes).flatMap(([field, attribute]) => {
    const targets = attribute.kind === 'stored' ? (attribute.type.targets ?? []) : []
    const [collection] = targets
    const name = field.replace(/_uuid$/, '')
    return collection !== undefined && name !== field && included.includes(name)
      ? [{ name, field, collection }]
      : []
  })
}

const publicationOf = ({ attributes, visibleWith }: Resource): ResourceModel['publication'] => {
  const { state, issued } = attributes
  if (state?.kind !== 'stored' || state.type.schema.enum?.includes('published') !== true) return 'none'
  if (issued !== undefined) return 'scheduled'
  return visibleWith === undefined ? 'immediate' : 'dependent'
}

/** The names of what belongs to an object and has separate addresses. */
const partsIn = (table: AttributeTable): readonly string[] =>
  Object.entries(table).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.part === true ? [name] : [],
  )

export const describeResource = (resource: Resource): ResourceModel => ({
  name: resource.name,
  collection: resource.collection,
  segments: segmentsOf(resource),
  fields: fieldsIn(resource.attributes),
  about: fieldsIn(resource.attributes, true),
  parts: partsIn(resource.attributes),
  columns: [...fieldsOf(resource).keys()],
  orders: orderOptionsOf(resource).filter((option) => !option.includes('.')),
  filters: filtersOf(resource),
  relations: relationsOf(resource),
  publication: publicationOf(resource),
  ...(resource.variant === undefined ? {} : { variant: resource.variant }),
  ...(resource.tree === undefined ? {} : { parent: resource.tree.parent }),
})

const variantsAccepting = (name: Predicate): readonly string[] => {
  const kinds = predicates[name]
  return 'content' in kinds ? kinds.content : []
}

const describePredicate = (name: Predicate): PredicateModel => ({
  name,
  accepted: Object.fromEntries(
    collectionsAccepting(name).map((collection) => [
      collection,
      collection === 'content' ? variantsAccepting(name) : null,
    ]),
  ),
})

const describeItem = ({ attributes, needs = [] }: ItemShape): ItemModel => ({
  fields: fieldsIn(attributes),
  needs,
})

/** The media that a deployment with these streaming hosts accepts. */
export const describeMedia = (hosts: readonly StreamingHost[]): MediaModel => ({
  ...describeItem(mediaWith(hosts)),
  hosts,
})

const describeImports = (): ImportsModel => ({
  fields: fieldsIn(importAttributes)
    .filter(({ name }) => name !== 'options')
    .map((field) =>
      // The import remains when its file is deleted, so that its table has no reference.
      field.name === 'file_uuid' ? { ...field, value: { kind: 'reference', collection: 'files' } } : field,
    ),
  options: Object.fromEntries(importKinds.map((kind) => [kind, fieldsIn(importOptions[kind])])),
  outcomes: importOutcomes,
})

export const describeModel = (): Model => ({
  roles,
  unrestricted,
  permissions,
  resources: resources.map(describeResource),
  settings: fieldsIn(settingsAttributes),
  user: fieldsIn({ name: userAttributes.name, email: userAttributes.email }),
  minPasswordCharacters,
  maxPictureCharacters,
  webhookEvents,
  imports: describeImports(),
  openJobStates: jobStates.filter((state) => isOpenJob({ state })),
  predicates: predicateNames.map(describePredicate),
  slot: fieldsIn(slot.attributes),
  storyList: fieldsIn(storyList.attributes),
  story: describeItem(story),
  elements: elementModels(bodySchema),
  maxRpp: pageLimits.maxRpp,
})
