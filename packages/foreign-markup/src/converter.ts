/** HTML as the elements of a body. */
import { BlockWriter, type SourceConverter } from './block-writer.js'
import type { Note } from './changes.js'
import { top, type ContentConverter } from './context.js'
import { Figures } from './figures.js'
import { FoundMedia, type MediaOptions } from './found-media.js'
import { isElement, type HtmlNode } from './html-tree.js'
import { element, isMarkupElement, type MarkupNode } from './markup-tree.js'
import type { Medium } from './media.js'
import { SourceElements, type ReadingOptions } from './source-elements.js'

export type ConverterOptions = ReadingOptions & MediaOptions & { readonly hasTextLines: boolean }

/** The names that links within the source lead to. */
const targetsIn = (nodes: readonly HtmlNode[]): readonly string[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return []
    const href = node.name === 'a' ? (node.attributes.get('href') ?? '') : ''
    return [...(href.startsWith('#') ? [href.slice(1)] : []), ...targetsIn(node.children)]
  })

/** The content of a body, and the media that were found in what was converted. */
type Converted = { readonly content: readonly MarkupNode[]; readonly media: readonly Medium[] }

/** Converts the content of elements of one source. */
class Converter implements SourceConverter {
  readonly elements: SourceElements
  readonly media: FoundMedia
  readonly figures = new Figures(this)
  readonly targets: ReadonlySet<string>
  readonly hasTextLines: boolean
  readonly isCopied: boolean

  constructor(options: ConverterOptions, note: Note, targets: ReadonlySet<string>) {
    this.elements = new SourceElements(options, note)
    this.media = new FoundMedia(options, this.elements)
    this.targets = targets
    this.hasTextLines = options.hasTextLines
    this.isCopied = options.isCopied
  }

  readonly blocksOf: ContentConverter['blocksOf'] = (nodes, context) =>
    new BlockWriter(this, context).write(nodes)

  readonly linesOf: ContentConverter['linesOf'] = (nodes, context) => {
    const inline = { ...context, paragraph: 'p', attributes: [], isTop: false, isFlat: true }
    let isFirst = true
    return this.blocksOf(nodes, inline).flatMap((line) => {
      if (!isMarkupElement(line)) return [line]
      const separator = isFirst ? [] : [element('br', [], [])]
      isFirst = false
      return [...separator, ...line.children]
    })
  }
}

/** Converts a source, and notes what is left out or changed. */
export const converted = (nodes: readonly HtmlNode[], options: ConverterOptions, note: Note): Converted => {
  const converter = new Converter(options, note, new Set(options.isCopied ? [] : targetsIn(nodes)))
  return { content: converter.blocksOf(nodes, top), media: converter.media.all }
}
