/**
 * What a body may hold (decisions §7 «The body»), as data: the checker reads it, and documentation is printed from
 * it. Whatever isn't listed here is not legal.
 */

/** What stands between an element's tags. White space may stand between the elements of `elements`, not in `empty`. */
export type ContentModel =
  | { readonly kind: 'empty' }
  | { readonly kind: 'elements'; readonly elements: readonly string[] }
  | { readonly kind: 'mixed'; readonly elements: readonly string[] }

export type AttributeRule = {
  readonly name: string
  readonly required: boolean
  /** `link`: an address as in link-fault.ts; `slot id`: a UUID that no other slot of the body has. */
  readonly value: 'text' | 'link' | 'slot id'
  readonly description: string
}

export type ElementRule = {
  readonly name: string
  readonly content: ContentModel
  readonly attributes: readonly AttributeRule[]
  /** Elements that may not stand round this one, at any distance. */
  readonly notWithin: readonly string[]
  readonly description: string
}

export type MarkupSchema = {
  readonly top: ContentModel
  readonly elements: readonly ElementRule[]
  /** How many elements may be open at once. */
  readonly maximumDepth: number
}

const empty: ContentModel = { kind: 'empty' }
const only = (...elements: readonly string[]): ContentModel => ({ kind: 'elements', elements })
const inline: ContentModel = {
  kind: 'mixed',
  elements: ['u', 'strong', 'em', 'sub', 'sup', 'cite', 'mark', 's', 'small', 'q', 'wbr', 'a'],
}

const element = (name: string, content: ContentModel, description: string): ElementRule => ({
  name,
  content,
  attributes: [],
  notWithin: [],
  description,
})

const elements: readonly ElementRule[] = [
  element('p', inline, 'a paragraph'),
  element('h4', inline, 'a heading'),
  element('hr', empty, 'a thematic break'),
  element('pre', inline, 'preformatted text'),
  element('blockquote', only('p', 'pre', 'ul', 'ol'), 'a quotation'),
  element('ul', only('li'), 'a list without order'),
  element('ol', only('li'), 'a numbered list'),
  element('li', inline, 'an item of a list'),
  element('u', inline, 'underlined'),
  element('strong', inline, 'important'),
  element('em', inline, 'stressed'),
  element('sub', inline, 'subscript'),
  element('sup', inline, 'superscript'),
  element('cite', inline, 'the title of a work'),
  element('mark', inline, 'highlighted'),
  element('s', inline, 'no longer accurate'),
  element('small', inline, 'a side comment'),
  element('q', inline, 'a quotation within a line'),
  element('wbr', empty, 'a place where the line may break'),
  {
    ...element('a', inline, 'a link'),
    attributes: [
      { name: 'href', required: true, value: 'link', description: 'where the link leads' },
      { name: 'title', required: false, value: 'text', description: 'what is said about the link' },
    ],
    // HTML forbids a link in a link: browsers would close the outer one and so change what the author wrote.
    notWithin: ['a'],
  },
  {
    ...element('slot', empty, 'the place of a media slot'),
    attributes: [{ name: 'id', required: true, value: 'slot id', description: 'the UUID of the slot' }],
  },
]

const blocks = ['p', 'h4', 'hr', 'pre', 'blockquote', 'ul', 'ol']

/** The body of a content object. */
export const bodySchema: MarkupSchema = { top: only(...blocks, 'slot'), elements, maximumDepth: 32 }

/** The `content` of media, tags and locations: the body's schema without `slot`. */
export const slotlessSchema: MarkupSchema = {
  ...bodySchema,
  top: only(...blocks),
  elements: elements.filter(({ name }) => name !== 'slot'),
}

/** The entities that may be referred to by name; every other character stands for itself or by its number. */
export const entityNames: readonly string[] = ['amp', 'lt', 'gt', 'quot', 'apos']

/** The schemes that an address in `href` may start with, in any letter case. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']
