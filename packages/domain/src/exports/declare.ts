/** What a declaration of a resource consists of: attribute tables, variants, value types, schemas. */
export { computed, derived, folded, stored } from '../resource/attribute.js'
export type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  ComputedKey,
  DerivedAttribute,
  StateOf,
  WholeOf,
  StoredAttribute,
  ValuesOfAnother,
  VariantOf,
} from '../resource/attribute.js'
export { needFaults, type Need, attributesOf, type Shape } from '../resource/attribute-tables.js'
export type { MemberList } from '../resource/member-list.js'
export {
  defineResource,
  type Dependence,
  type Placeholder,
  type ResourceWith,
  sampleObjects,
} from '../resource/resource.js'
export { stamps } from '../resource/standard-attributes.js'
export { draftItem, type ItemShape } from '../resource/draft-attributes.js'
export { listOf, textsOf, record } from '../value/record.js'
export { markup } from '../value/markup.js'
export { reference } from '../value/reference.js'
export { boolean, date, dateTime, decimal, duration, integer, oneOf } from '../value/scalar.js'
export { formats, type Schema } from '../value/schema.js'
export {
  defaultStreamingHosts,
  isHostedBy,
  opaque,
  type StreamingHost,
  type Reference,
  type ValueContext,
  type ValueType,
} from '../value/value-type.js'
export { webAddress } from '../value/address.js'
export { asLine, line, matching, parseUuid, text, textOf, urlname, withoutDirections } from '../value/text.js'
export {
  flagSchema,
  requiredReadOnly,
  requiredInternal,
  internal,
  momentSchema,
  nullable,
  readOnly,
  serviceText,
  serviceTime,
  shown,
  shownId,
  shownTime,
  textSchema,
  uriSchema,
  uuidSchema,
} from '../resource/shown-attribute.js'
