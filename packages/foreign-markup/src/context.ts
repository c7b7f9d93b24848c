/** Where content is converted, and what converts it. */
import { bodySchema } from '@publishing-service/domain/markup'
import { isList } from './elements.js'
import type { FoundMedia } from './found-media.js'
import type { HtmlNode } from './html-tree.js'
import type { Format } from './inline-runs.js'
import { isMarkupElement, isParagraph, isShown, type Attribute, type MarkupNode } from './markup-tree.js'
import type { SourceElements } from './source-elements.js'

export type Context = {
  readonly format: Format
  /** How many elements are open. */
  readonly depth: number
  /** The element of text that has none. */
  readonly paragraph: string
  readonly attributes: readonly Attribute[]
  /** Whether slots may be here. */
  readonly isTop: boolean
  /** Whether every block is only a paragraph. */
  readonly isFlat: boolean
}

export const top: Context = {
  format: [],
  depth: 0,
  paragraph: 'p',
  attributes: [],
  isTop: true,
  isFlat: false,
}

/** The deepest block; there is room for a paragraph and inline elements in it. */
export const deepestBlock = bodySchema.maximumDepth - 12

/** Converts the content of elements. */
export type ContentConverter = {
  readonly elements: SourceElements
  readonly media: FoundMedia
  /** The blocks of these nodes: elements, and places of media. */
  readonly blocksOf: (nodes: readonly HtmlNode[], context: Context) => readonly MarkupNode[]
  /** Inline content. Blocks in it are divided by line breaks. */
  readonly linesOf: (nodes: readonly HtmlNode[], context: Context) => readonly MarkupNode[]
}

/** The blocks of an item or a cell: its only paragraph needs no element. */
export const tight = (found: readonly MarkupNode[]): readonly MarkupNode[] => {
  const [first, ...others] = found
  return isParagraph(first) &&
    others.every((each) => !isShown(each) || (isMarkupElement(each) && isList(each.name)))
    ? [...first.children, ...others]
    : found
}
