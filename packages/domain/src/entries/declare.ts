/** What a declaration of a resource consists of: attribute tables, variants, value types, schemas. */
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
export type { Dependence, Placeholder } from '../resource/resource.js'
export { stamps } from '../resource/stamps.js'
export { attributesOf, type Shape } from '../resource/variant.js'
export { draftItem, type ItemShape } from '../resource/draft-items.js'
export { formats } from '../value/formats.js'
export type { Schema } from '../value/schema.js'
export { defaultStreamingHosts, isHostedBy, type StreamingHost } from '../value/streaming-host.js'
export { parseUuid, withoutDirections } from '../value/text.js'
export { codecOf, type Reference, type ValueContext, type ValueType } from '../value/value-type.js'
