/** Which HTML is accepted. */
export {
  bodySchema,
  dangerousElements,
  entityNames,
  globalAttributes,
  linkSchemes,
  slotlessSchema,
  type AttributeRule,
  type AttributeValue,
  type ContentModel,
  type ElementRule,
  type MarkupSchema,
} from '../markup/body-schema.js'
export type { MarkupFault, MarkupFaultKind } from '../markup/markup-fault.js'
export { linkFault } from '../markup/link-fault.js'
export { ruleFor, valueFault } from '../markup/attribute-rules.js'
export { parsedAddress } from '../value/parsed-address.js'
export { checkMarkup } from '../value/markup.js'
