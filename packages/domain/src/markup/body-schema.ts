/**
 * What markup may contain, as data: the checker, the documentation and the tests are derived from it. Everything else is
 * rejected.
 *
 * Front ends insert markup into HTML pages, so the schema has only elements that HTML and XML parsers read in the same
 * way: none switches the tokenizer to raw text (`style`, `noscript`, `textarea`, …), and none leaves the namespace of
 * HTML (`svg`, `math`). This prevents scripts that only an HTML parser would find.
 */

/** What an element contains. White space is accepted between the children of `elements`, and not in `empty`. */
export type ContentModel = {
  /** `mixed`: text and elements. */
  readonly kind: 'empty' | 'elements' | 'mixed'
  readonly elements: readonly string[]
  /** Elements that are accepted only without siblings and text other than white space. */
  readonly alone: readonly string[]
}

export type AttributeValue =
  | { readonly kind: 'text' }
  /** An address, checked by link-fault.ts. */
  | { readonly kind: 'link' }
  /** `srcset`: addresses with a width or a density, separated by commas. */
  | { readonly kind: 'image candidates' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | {
      readonly kind: 'integer'
      readonly minimum: number
      readonly maximum: number
      readonly percentage: boolean
    }
  /** A UUID that no other slot of the text has. */
  | { readonly kind: 'slot id' }
  /** Any text that does not start with a dangerous scheme. The service ignores it. */
  | { readonly kind: 'ignored' }

export type AttributeRule = {
  /** `data-*`: every name that starts with `data-`; `*`: every name. Both exclude capital letters and colons. */
  readonly name: string
  readonly required: boolean
  readonly value: AttributeValue
  readonly description: string
}

/** Block and inline elements occur in many elements; a part only in one structure, such as `li` in lists. */
export type ElementCategory = 'block' | 'inline' | 'part'

export type ElementRule = {
  readonly name: string
  readonly category: ElementCategory
  readonly content: ContentModel
  /** The attributes of the element, then the global ones. */
  readonly attributes: readonly AttributeRule[]
  /** Elements that must not be ancestors of this one. */
  readonly notWithin: readonly string[]
  readonly description: string
}

export type MarkupSchema = {
  readonly top: ContentModel
  readonly elements: readonly ElementRule[]
  /** The same elements by name. */
  readonly byName: ReadonlyMap<string, ElementRule>
  /** Maximum number of open elements. */
  readonly maximumDepth: number
}

const words = (list: string): readonly string[] => list.split(' ')

const blocks = words(
  'p h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol dl figure table div section article aside header footer details address slot',
)
const inlines = words(
  'a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr',
)

const empty: ContentModel = { kind: 'empty', elements: [], alone: [] }
const only = (elements: string): ContentModel => ({ kind: 'elements', elements: words(elements), alone: [] })
const inline: ContentModel = { kind: 'mixed', elements: inlines, alone: [] }
const paragraph: ContentModel = { ...inline, alone: ['slot'] }
const flow = (...parts: readonly string[]): ContentModel => ({
  kind: 'mixed',
  elements: [...inlines, ...blocks, ...parts],
  alone: [],
})

const text: AttributeValue = { kind: 'text' }
const oneOf = (list: string): AttributeValue => ({ kind: 'word', words: words(list) })
/** A boolean attribute of HTML: XML requires a value, and HTML accepts the name or the empty text. */
const flag = (name: string): AttributeValue => ({ kind: 'word', words: [name, ''] })
const integer = (minimum: number, maximum: number): AttributeValue => ({
  kind: 'integer',
  minimum,
  maximum,
  percentage: false,
})
const size: AttributeValue = { kind: 'integer', minimum: 0, maximum: 100_000, percentage: true }
const attribute = (name: string, value: AttributeValue, description: string): AttributeRule => ({
  name,
  required: false,
  value,
  description,
})
const required = (rule: AttributeRule): AttributeRule => ({ ...rule, required: true })

/** The attributes that every element accepts. */
export const globalAttributes: readonly AttributeRule[] = [
  attribute('class', text, 'names of classes'),
  attribute('id', text, 'a name for fragments and style sheets'),
  attribute('lang', text, 'the language of the content'),
  attribute('dir', oneOf('ltr rtl auto'), 'the direction of the text'),
  attribute('title', text, 'a note, shown as a tooltip'),
  attribute('data-*', text, 'data for the front end'),
]

const largest = 1_000_000_000
const cells = [
  attribute('colspan', integer(1, 1000), 'how many columns the cell spans'),
  attribute('rowspan', integer(0, 65_534), 'how many rows the cell spans'),
  attribute('scope', oneOf('row col rowgroup colgroup'), 'the cells that a header is for'),
  attribute('headers', text, 'the ids of the header cells'),
]
const times = [
  attribute('datetime', text, 'the date or time, for programs'),
  attribute('value', text, 'the value, for programs'),
]
const sources = [
  attribute('cite', { kind: 'link' }, 'the address of the source, or of the reason for the change'),
  attribute('datetime', text, 'when it was changed'),
]

const ownAttributes: Readonly<Record<string, readonly AttributeRule[]>> = {
  a: [
    required(attribute('href', { kind: 'link' }, 'where the link leads')),
    attribute('rel', text, 'the relation of the target to the page'),
    attribute('target', text, 'the window that the link opens in'),
    attribute('hreflang', text, 'the language of the target'),
    attribute('download', text, 'to save the target, optionally under a name'),
  ],
  img: [
    required(attribute('src', { kind: 'link' }, 'the address of the image')),
    attribute('alt', text, 'the text for readers who do not see the image'),
    attribute('width', size, 'the width in pixels, or a percentage'),
    attribute('height', size, 'the height in pixels, or a percentage'),
    attribute('loading', oneOf('lazy eager'), 'when the image is loaded'),
    attribute('srcset', { kind: 'image candidates' }, 'the image in other sizes'),
    attribute('sizes', text, 'how wide the image is shown'),
  ],
  td: cells,
  th: cells,
  ol: [
    attribute('start', integer(-largest, largest), 'the number of the first item'),
    attribute('reversed', flag('reversed'), 'numbers count down'),
    attribute('type', oneOf('1 a A i I'), 'the kind of numbers'),
  ],
  li: [attribute('value', integer(-largest, largest), 'the number of the item')],
  time: times,
  data: times,
  blockquote: sources,
  q: sources,
  del: sources,
  ins: sources,
  details: [attribute('open', flag('open'), 'shown open')],
  slot: [
    required(attribute('id', { kind: 'slot id' }, 'the UUID of the slot')),
    attribute('*', { kind: 'ignored' }, 'further attributes are stored and ignored'),
  ],
}

/** Elements that HTML forbids as descendants of others: browsers would close the outer element. */
const notWithin: Readonly<Record<string, readonly string[]>> = {
  a: ['a'],
  dfn: ['dfn'],
  header: ['header', 'footer'],
  footer: ['header', 'footer'],
}

const element = (name: string, content: ContentModel, description: string): ElementRule => {
  const own = ownAttributes[name] ?? []
  return {
    name,
    category: blocks.includes(name) ? 'block' : inlines.includes(name) ? 'inline' : 'part',
    content,
    attributes: [...own, ...globalAttributes.filter((rule) => !own.some((each) => each.name === rule.name))],
    notWithin: notWithin[name] ?? [],
    description,
  }
}

const elements: readonly ElementRule[] = [
  element('p', paragraph, 'a paragraph'),
  element('h1', inline, 'a heading of the first level'),
  element('h2', inline, 'a heading of the second level'),
  element('h3', inline, 'a heading of the third level'),
  element('h4', inline, 'a heading of the fourth level'),
  element('h5', inline, 'a heading of the fifth level'),
  element('h6', inline, 'a heading of the sixth level'),
  element('hr', empty, 'a thematic break'),
  element('pre', inline, 'preformatted text'),
  element('blockquote', flow(), 'a quotation'),
  element('ul', only('li'), 'a list without order'),
  element('ol', only('li'), 'a numbered list'),
  element('li', flow(), 'an item of a list'),
  element('dl', only('dt dd'), 'a list of terms and descriptions'),
  element('dt', inline, 'a term'),
  element('dd', flow(), 'the description of a term'),
  element('figure', flow('figcaption'), 'an illustration with its caption'),
  element('figcaption', flow(), 'the caption of a figure'),
  element('table', only('caption thead tbody tfoot tr'), 'a table'),
  element('caption', inline, 'the caption of a table'),
  element('thead', only('tr'), 'the rows at the head of a table'),
  element('tbody', only('tr'), 'rows of a table'),
  element('tfoot', only('tr'), 'the rows at the foot of a table'),
  element('tr', only('th td'), 'a row of a table'),
  element('th', flow(), 'a header cell'),
  element('td', flow(), 'a cell'),
  element('div', flow(), 'a group of blocks'),
  element('section', flow(), 'a section with a heading'),
  element('article', flow(), 'a part that is complete in itself'),
  element('aside', flow(), 'a remark next to the text'),
  element('header', flow(), 'an introduction'),
  element('footer', flow(), 'notes at the end of a part'),
  element('details', flow('summary'), 'text that the reader can open and close'),
  element('summary', inline, 'the visible line of details'),
  element('address', inline, 'contact information'),
  element('slot', empty, 'the place of a media slot'),
  element('a', inline, 'a link'),
  element('abbr', inline, 'an abbreviation'),
  element('b', inline, 'text that draws attention'),
  element('bdi', inline, 'text whose direction is independent of its surroundings'),
  element('bdo', inline, 'text with an explicit direction'),
  element('br', empty, 'a line break'),
  element('cite', inline, 'the title of a work'),
  element('code', inline, 'computer code'),
  element('data', inline, 'text with a value for programs'),
  element('del', inline, 'deleted text'),
  element('dfn', inline, 'a term that is defined here'),
  element('em', inline, 'stressed text'),
  element('i', inline, 'text in another voice'),
  element('img', empty, 'an image'),
  element('ins', inline, 'inserted text'),
  element('kbd', inline, 'keyboard input'),
  element('mark', inline, 'highlighted text'),
  element('q', inline, 'a quotation within a line'),
  element('s', inline, 'text that is no longer accurate'),
  element('samp', inline, 'the output of a program'),
  element('small', inline, 'a side comment'),
  element('span', inline, 'a piece of text'),
  element('strong', inline, 'important text'),
  element('sub', inline, 'subscript'),
  element('sup', inline, 'superscript'),
  element('time', inline, 'a date or time'),
  element('u', inline, 'underlined text'),
  element('var', inline, 'a variable'),
  element('wbr', empty, 'a place where the line may break'),
]

/** A schema of these elements. */
export const schemaOf = (top: ContentModel, rules: readonly ElementRule[]): MarkupSchema => ({
  top,
  elements: rules,
  byName: new Map(rules.map((rule) => [rule.name, rule])),
  maximumDepth: 32,
})

/** The body of a content object. */
export const bodySchema = schemaOf(flow(), elements)

const withoutSlot = ({ kind, elements: children, alone }: ContentModel): ContentModel => ({
  kind,
  elements: children.filter((name) => name !== 'slot'),
  alone: alone.filter((name) => name !== 'slot'),
})

/** The `content` of media, tags and locations: the schema of bodies without `slot`. */
export const slotlessSchema = schemaOf(
  withoutSlot(bodySchema.top),
  elements
    .filter(({ name }) => name !== 'slot')
    .map((rule) => ({ ...rule, content: withoutSlot(rule.content) })),
)

/** The named entities. Every other character is written directly or as a numeric reference. */
export const entityNames: readonly string[] = ['amp', 'lt', 'gt', 'quot', 'apos']

/** The accepted schemes of addresses, in any letter case. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']

const embedded = 'another document inside the page'
const control = 'a form control'
const parsedDifferently = 'an element whose content browsers parse differently'

/** Elements that are never accepted, with the reason for the message. */
export const dangerousElements: Readonly<Record<string, string>> = {
  script: 'a script',
  style: 'a style sheet',
  iframe: embedded,
  frame: embedded,
  frameset: embedded,
  object: embedded,
  embed: embedded,
  applet: embedded,
  form: 'a form',
  input: control,
  button: control,
  select: control,
  textarea: control,
  link: 'a style sheet or another resource of the page',
  meta: 'an instruction to the browser',
  base: 'a base for all addresses of the page',
  svg: 'a drawing that can contain scripts',
  math: 'a formula that can contain scripts',
  template: parsedDifferently,
  noscript: parsedDifferently,
  noembed: parsedDifferently,
  noframes: parsedDifferently,
  plaintext: parsedDifferently,
  title: parsedDifferently,
  xmp: parsedDifferently,
}

/** Attributes that are never accepted, with the reason; the first matching pattern applies. */
export const dangerousAttributes: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^on/, 'an event handler, which is a script'],
  [/^style$/, 'an inline style'],
  [/^xmlns$|:/, 'a namespace'],
  [/^srcdoc$/, 'a document in an attribute'],
  [/^(?:form)?action$/, 'an address that a form is sent to'],
]

/** Schemes that are never accepted, with the reason. */
export const dangerousSchemes: Readonly<Record<string, string>> = {
  javascript: 'a script in an address',
  vbscript: 'a script in an address',
  data: 'a document in an address',
}
