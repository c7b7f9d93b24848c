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
export { checkMarkup, type MarkupFault, type MarkupFaultKind } from '../markup/check-markup.js'
