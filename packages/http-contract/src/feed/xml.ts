import XMLBuilder from 'fast-xml-builder'

/** The content of an element: a text, or attributes (`@name`), a text (`#text`) and children by name. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] }

// With the u flag, a surrogate matches only if its other half is missing.
// oxlint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu

/** Without the characters that XML 1.0 cannot contain, not even escaped. */
const permitted = (_name: string, text: unknown): string => String(text).replace(forbidden, '')

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressBooleanAttributes: false,
  tagValueProcessor: permitted,
  attributeValueProcessor: permitted,
})

/** The id of an entry in every format. */
export const urnOf = (uuid: string): string => `urn:uuid:${uuid}`

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Elements as XML, well-formed for every text in them. */
export const xmlOf = (elements: { readonly [name: string]: Xml | readonly Xml[] }): string =>
  builder.build(elements)
