import type { Attributes } from '../markup/element-tree.js'

/** The attributes of an element, as nodes of the editor have them. */
export const isAttributes = (value: unknown): value is Attributes =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string')

export const attributesOf = (attrs: Readonly<Record<string, unknown>>): Attributes =>
  isAttributes(attrs['attributes']) ? attrs['attributes'] : {}
