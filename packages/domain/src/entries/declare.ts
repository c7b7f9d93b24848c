/** What a declaration of a resource consists of: attribute tables, variants, value types, schemas. */
export { computed, derived, stored } from '../resource/attribute.js'
export type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  DerivedAttribute,
  StateOf,
  WholeOf,
  StoredAttribute,
  VariantOf,
} from '../resource/attribute.js'
export type { OnlyWith } from '../resource/only-with.js'
export type { MemberList } from '../resource/member-list.js'
export { needFaults, type Need } from '../resource/need.js'
export { defineResource, type Dependence, type Placeholder } from '../resource/resource.js'
export { stamps } from '../resource/stamps.js'
export { sampleObjects } from '../resource/sample-objects.js'
export { attributesOf, type Shape } from '../resource/variant.js'
export { draftItem, type ItemShape } from '../resource/draft-items.js'
export { listOf, textsOf, record } from '../value/record.js'
export { markup } from '../value/markup.js'
export { reference } from '../value/reference.js'
export { boolean, date, dateTime, decimal, duration, integer, oneOf } from '../value/scalar.js'
export { formats, type Schema } from '../value/schema.js'
export { defaultStreamingHosts, isHostedBy, type StreamingHost } from '../value/streaming-host.js'
export { parseUuid, text, textOf, urlname, webAddress, withoutDirections } from '../value/text.js'
export type { Reference, ValueContext, ValueType } from '../value/value-type.js'
