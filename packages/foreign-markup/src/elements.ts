/** What becomes of elements that a body does not have, or that say nothing in one. */
import type { HtmlElement } from './html-tree.js'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** They contain no text of the page: metadata, or text for programs. */
export const code = names(
  'script style title link meta base param source track input col colgroup keygen basefont area svg:script svg:style',
)

/** They have another name in a body. */
export const renamed: Readonly<Record<string, string>> = {
  strike: 's',
  tt: 'code',
  acronym: 'abbr',
  dir: 'ul',
  menu: 'ul',
  xmp: 'pre',
  listing: 'pre',
  plaintext: 'pre',
}

/** Browsers show them on separate lines. */
export const blocks = names(
  'html body div section article main aside header footer nav center form fieldset legend hgroup search dialog address details summary figure figcaption p h1 h2 h3 h4 h5 h6 hr pre xmp listing plaintext blockquote ul ol dir menu li dl dt dd table caption thead tbody tfoot tr td th frameset noframes option optgroup textarea svg:title svg:desc svg:text svg:foreignobject',
)

/** A paragraph of text, which is divided by blocks within it. */
export const textBlocks = names('p h1 h2 h3 h4 h5 h6 pre')

/** Parts of lists and tables are nothing by themselves. */
const structures: ReadonlyMap<string, string> = new Map([
  ['li', 'ul'],
  ['dt', 'dl'],
  ['dd', 'dl'],
  ...['caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'].map((name) => [name, 'table'] as const),
])

/** The element around one that is a part; null for others. */
export const structureOf = ({ name }: HtmlElement): string | null => structures.get(name) ?? null

export const isList = (name: string): boolean => name === 'ul' || name === 'ol'
export const isListSource = ({ name }: HtmlElement): boolean => isList(renamed[name] ?? name)
export const isCell = ({ name }: HtmlElement): boolean => name === 'td' || name === 'th'
