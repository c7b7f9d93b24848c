/** Blocks with runs of text, which have the inline elements around them. */
import { bodySchema } from '@publishing-service/domain/markup'
import { deepestBlock, tight, top, type ContentConverter, type Context } from './context.js'
import { blocks, code, isCell, isList, structureOf, textBlocks } from './elements.js'
import type { Figures } from './figures.js'
import { isMedium, type FoundMedia } from './found-media.js'
import {
  around,
  childElements,
  declarationsOf,
  elementsWithin,
  isElement,
  textOf,
  type HtmlElement,
  type HtmlNode,
} from './html-tree.js'
import { readInline } from './inline-elements.js'
import {
  formatWith,
  formatWithStyle,
  inlineOf,
  isBlankRun,
  withoutFirstBreaks,
  type Format,
  type Run,
} from './inline-runs.js'
import { definitionsOf, itemsOf } from './lists.js'
import { element, type MarkupNode } from './markup-tree.js'
import type { SourceElements } from './source-elements.js'
import { tablePartsOf } from './tables.js'
import { withoutWordMarker, wordItemOf, wordLists, type WordItem } from './word-lists.js'

const isHidden = (source: HtmlElement): boolean => {
  const style = declarationsOf(source)
  return (
    style.get('mso-element')?.startsWith('comment') === true ||
    style.get('display') === 'none' ||
    style.get('mso-hide') === 'all' ||
    /\b(?:msocomanchor|MsoCommentReference|msoDel)\b/.test(source.attributes.get('class') ?? '')
  )
}

/** What the writers of a source share. */
export type SourceConverter = ContentConverter & {
  readonly figures: Figures
  /** The names that links within the source lead to. */
  readonly targets: ReadonlySet<string>
  readonly hasTextLines: boolean
  readonly isCopied: boolean
}

/** Writes the blocks of nodes that are at one place. */
export class BlockWriter {
  readonly #converter: SourceConverter
  readonly #elements: SourceElements
  readonly #media: FoundMedia
  readonly #context: Context
  readonly #isPreformatted: boolean
  readonly #found: MarkupNode[] = []
  /** The text of the current block. */
  #runs: Run[] = []
  /** The inline elements around what is visited. */
  #current: Format

  constructor(converter: SourceConverter, context: Context) {
    this.#converter = converter
    this.#elements = converter.elements
    this.#media = converter.media
    this.#context = context
    this.#isPreformatted = context.paragraph === 'pre'
    this.#current = context.format
  }

  /** Elements, and places of media. */
  write(nodes: readonly HtmlNode[]): readonly MarkupNode[] {
    this.#visitAll(nodes, this.#current)
    this.#endRun()
    return this.#found
  }

  #addBlocks(...added: readonly MarkupNode[]): void {
    this.#found.push(...added)
    if (this.#context.isTop) this.#found.push(...this.#media.takeWaiting())
  }

  #endRun(): void {
    const isEmpty = this.#runs.every(isBlankRun)
    // A browser leaves out a line break at the start.
    if (this.#isPreformatted) this.#runs = withoutFirstBreaks(this.#runs)
    const { paragraph, attributes, depth } = this.#context
    const content = inlineOf(this.#runs, bodySchema.maximumDepth - depth - 2, this.#isPreformatted)
    this.#runs = []
    if (isEmpty) this.#addBlocks(...content.filter((each) => typeof each === 'object' && 'medium' in each))
    else this.#addBlocks(element(paragraph, attributes, content))
  }

  #inner(levels: number, source: HtmlElement): Context {
    return {
      ...top,
      format: formatWithStyle(source, this.#current),
      depth: this.#context.depth + levels,
      isTop: false,
    }
  }

  /** Adds an element that contains others; if there are too many around it, only its content. */
  #addContainer(
    source: HtmlElement,
    levels: number,
    contentOf: (within: Context) => readonly MarkupNode[],
  ): void {
    this.#endRun()
    if (this.#context.isFlat) return this.#visitGroup(source)
    if (this.#context.depth + levels <= deepestBlock)
      return this.#addBlocks(...contentOf(this.#inner(levels, source)))
    this.#elements.note('depth', source.place, `<${source.name}> within too many elements, but not its text`)
    this.#addBlocks(
      ...this.#converter.blocksOf(source.children, {
        ...this.#context,
        format: formatWithStyle(source, this.#current),
        isFlat: true,
      }),
    )
  }

  /** Visits nodes with these inline elements around them. Items of Word, and parts of lists and tables, are visited together. */
  #visitAll(children: readonly HtmlNode[], format: Format): void {
    const outer = this.#current
    this.#current = format
    let items: WordItem[] = []
    let parts: HtmlElement[] = []
    const endGroups = (): void => {
      const ended = { items, parts }
      items = []
      parts = []
      if (ended.items.length > 0) {
        this.#endRun()
        this.#addBlocks(
          ...wordLists(ended.items, (item) =>
            tight(
              this.#converter.blocksOf(item.children, {
                ...top,
                format: this.#current,
                depth: this.#context.depth + 2 * item.level,
                isTop: false,
              }),
            ),
          ),
        )
      }
      const [first] = ended.parts
      const name = first === undefined ? null : structureOf(first)
      if (first !== undefined && name !== null)
        this.#visitBlock({ name, attributes: new Map(), children: ended.parts, place: first.place }, name)
    }
    for (const child of children) {
      const item = this.#context.isFlat ? null : wordItemOf(child)
      const structure = isElement(child) && !this.#context.isFlat ? structureOf(child) : null
      const [part] = parts
      const isItem =
        item !== null && this.#context.depth + 2 * item.level <= deepestBlock && textOf(child).trim() !== ''
      if (isItem) {
        if (parts.length > 0) endGroups()
        items.push(item)
      } else if (isElement(child) && structure !== null) {
        if (items.length > 0 || (part !== undefined && structureOf(part) !== structure)) endGroups()
        parts.push(child)
      } else {
        const isBlank = typeof child === 'string' ? child.trim() === '' : !isElement(child)
        if (items.length + parts.length === 0) this.#visit(child)
        else if (!isBlank) {
          endGroups()
          this.#visit(child)
        }
      }
    }
    endGroups()
    this.#current = outer
  }

  #visitText(text: string): void {
    const pushLines = (lines: readonly string[]): void => {
      for (const [index, line] of lines.entries()) {
        if (index > 0) this.#runs.push({ node: element('br', [], []), format: this.#current })
        this.#runs.push({ node: line, format: this.#current })
      }
    }
    if (!this.#converter.hasTextLines || this.#isPreformatted) return pushLines([text])
    for (const [index, piece] of text.split(/\n[ \t]*\n\s*/).entries()) {
      if (index > 0) this.#endRun()
      pushLines(piece.split('\n'))
    }
  }

  #visit(node: HtmlNode): void {
    if (typeof node === 'string') return this.#visitText(this.#elements.readText(node))
    this.#elements.latest = node.place
    if (!isElement(node)) return this.#elements.note('comment', node.place, node.comment.trim().slice(0, 100))
    if (this.#media.leftOut.has(node) && !isMedium(node)) return
    if (code.has(node.name)) {
      const text = node.name === 'title' ? `the title ${textOf(node).trim().slice(0, 200)}` : `<${node.name}>`
      return this.#elements.note(node.name === 'title' ? 'hidden text' : 'code', node.place, text)
    }
    if (this.#converter.isCopied && isHidden(node))
      return this.#elements.note('hidden text', node.place, textOf(node).trim().slice(0, 200))
    if (isMedium(node)) return this.#visitMedium(node)
    if (node.name === 'noscript' && this.#media.isRepeated(node)) return this.#elements.noteUnwrapped(node)
    const name = this.#elements.nameOf(node)
    if (name !== node.name) this.#elements.note('element', node.place, `<${name}> in place of <${node.name}>`)
    if (name === 'br' || name === 'wbr')
      this.#runs.push({ node: element(name, [], []), format: this.#current })
    else if (blocks.has(node.name)) this.#visitBlock(node, name)
    else this.#visitInline(node, name)
  }

  #visitMedium(node: HtmlElement): void {
    this.#runs.push(...this.#media.runsOf(node, this.#current))
    // What is shown where the medium cannot be played remains, without other forms of the medium.
    for (const each of elementsWithin(node.children, isMedium)) this.#media.leftOut.add(each)
    this.#visitAll(
      node.children.filter((each) => !isElement(each) || !code.has(each.name)),
      this.#current,
    )
  }

  #visitGroup(node: HtmlElement): void {
    this.#endRun()
    this.#visitAll(node.children, formatWithStyle(node, this.#current))
    this.#endRun()
  }

  #visitBlock(node: HtmlElement, name: string): void {
    const { children } = node
    const { paragraph, attributes, isFlat } = this.#context
    if (name === 'hr') {
      this.#endRun()
      if (!isFlat) this.#addBlocks(element(name, this.#elements.attributesOf(node, name), []))
    } else if (textBlocks.has(name)) {
      this.#endRun()
      const as = isFlat || (name === 'p' && paragraph !== 'p') ? paragraph : name
      const own = isFlat ? [] : this.#elements.attributesOf(node, as)
      const format = name.startsWith('h') ? this.#current : formatWithStyle(node, this.#current)
      const isSame = as === paragraph && own.length === 0
      this.#addBlocks(
        ...this.#converter.blocksOf(withoutWordMarker(node), {
          ...this.#context,
          format,
          paragraph: as,
          attributes: isSame ? attributes : own,
        }),
      )
    } else if (isList(name))
      this.#addContainer(node, 2, (within) =>
        this.#elements.wrapped(node, name, itemsOf(this.#converter, children, within)),
      )
    else if (name === 'dl')
      this.#addContainer(node, 2, (within) =>
        this.#elements.wrapped(node, name, definitionsOf(this.#converter, children, within)),
      )
    else if (name === 'blockquote' || name === 'aside')
      this.#addContainer(node, 1, (within) =>
        this.#elements.wrapped(node, name, this.#converter.blocksOf(children, within)),
      )
    else if (name === 'address')
      this.#addContainer(node, 1, (within) =>
        this.#elements.wrapped(node, name, this.#converter.linesOf(children, within)),
      )
    else if (name === 'details') this.#addContainer(node, 2, (within) => this.#detailsOf(node, within))
    else if (name === 'figure') this.#visitFigure(node)
    else if (name === 'table') this.#visitTable(node)
    else {
      if (structureOf(node) === null) this.#elements.noteUnwrapped(node)
      this.#visitGroup(node)
    }
  }

  #detailsOf(node: HtmlElement, within: Context): readonly MarkupNode[] {
    const summary = childElements(node).find((each) => each.name === 'summary') ?? null
    const [before, after] = around(node, summary)
    const line =
      summary === null
        ? []
        : this.#elements.wrapped(summary, 'summary', this.#converter.linesOf(summary.children, within))
    return this.#elements.wrapped(node, 'details', [
      ...this.#converter.blocksOf(before, within),
      ...line,
      ...this.#converter.blocksOf(after, within),
    ])
  }

  /** A table that only places its parts is left out; its parts remain. */
  #visitTable(node: HtmlElement): void {
    const isTable = ({ name }: HtmlElement): boolean => name === 'table'
    const cells = elementsWithin(node.children, isCell, (each) => !isTable(each))
    if (this.#context.isFlat || (cells.length > 1 && node.attributes.get('role') !== 'presentation'))
      return this.#addContainer(node, 4, (within) =>
        this.#elements.wrapped(node, 'table', tablePartsOf(this.#converter, node.children, 'table', within)),
      )
    this.#elements.noteUnwrapped(node)
    const caption = ({ name }: HtmlElement): boolean => name === 'caption'
    this.#visitLayout(node, (each) => isCell(each) || caption(each))
  }

  /** The parts of a table as groups, in the order of the source. */
  #visitLayout(node: HtmlElement, isPart: (each: HtmlElement) => boolean): void {
    this.#endRun()
    for (const child of node.children)
      if (isElement(child) && isPart(child)) this.#visitGroup(child)
      else if (isElement(child) && structureOf(child) === 'table') this.#visitLayout(child, isPart)
      else this.#visit(child)
    this.#endRun()
  }

  #visitInline(node: HtmlElement, name: string): void {
    const { targets } = this.#converter
    const { place, around: inline, children } = readInline(this.#elements, node, name, targets)
    if (place !== null) this.#runs.push({ node: place, format: this.#current })
    const format = inline === null ? this.#current : formatWith(this.#current, inline)
    this.#visitAll(children, formatWithStyle(node, format))
  }

  #visitFigure(node: HtmlElement): void {
    const { figures } = this.#converter
    if (figures.placeMedia(node)) this.#visitGroup(node)
    else this.#addContainer(node, 2, (within) => figures.nodesOf(node, within))
  }
}
