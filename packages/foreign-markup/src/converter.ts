/** HTML as the elements of a body: blocks with runs of text, which have the inline elements around them. */
import type { StreamingHost } from '@publishing-service/domain/declare'
import { bodySchema, ruleFor, valueFault } from '@publishing-service/domain/markup'
import { readAddress } from './addresses.js'
import type { Note } from './changes.js'
import { blocks, code, renamed, structureOf, textBlocks } from './elements.js'
import {
  declarationsOf,
  isElement,
  textOf,
  type HtmlElement,
  type HtmlNode,
  type Place,
} from './html-tree.js'
import {
  formatWith,
  formatWithStyle,
  inlineOf,
  isBlankRun,
  withoutFirstBreaks,
  type Format,
  type Run,
} from './inline-runs.js'
import {
  element,
  isMarkupElement,
  writtenMarkup,
  type Attribute,
  type MarkupElement,
  type MarkupNode,
} from './markup-tree.js'
import { mediumKind, readMedium, type Medium, type Placement } from './media.js'
import { withoutWordMarker, wordItemOf, wordLists, type WordItem } from './word-lists.js'

export type ConverterOptions = {
  readonly base: string | null
  readonly hosts: readonly StreamingHost[]
  readonly placeMedia: (media: readonly Medium[]) => Placement
  readonly rename: Readonly<Record<string, string>>
  readonly hasTextLines: boolean
  readonly isCopied: boolean
}

type Context = {
  readonly format: Format
  /** How many elements are open. */
  readonly depth: number
  /** The element of text that has none. */
  readonly paragraph: string
  readonly attributes: readonly Attribute[]
  /** Slots may stand here. */
  readonly isTop: boolean
  /** Whether every block is only a paragraph. */
  readonly isFlat: boolean
}

const top: Context = { format: [], depth: 0, paragraph: 'p', attributes: [], isTop: true, isFlat: false }

/** The deepest block; there is room for a paragraph and inline elements in it. */
const deepestBlock = bodySchema.maximumDepth - 12

const forbidden = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]|[\ud800-\udfff]/gu

/** The attributes that mean the same in every document. */
const copiedAttributes = new Set('href src alt width height start colspan rowspan'.split(' '))

const isHidden = (source: HtmlElement): boolean => {
  const style = declarationsOf(source)
  return (
    style.get('mso-element')?.startsWith('comment') === true ||
    style.get('display') === 'none' ||
    style.get('mso-hide') === 'all' ||
    /\b(?:msocomanchor|MsoCommentReference|msoDel)\b/.test(source.attributes.get('class') ?? '')
  )
}

const childElements = ({ children }: HtmlElement): readonly HtmlElement[] => children.filter(isElement)

/** The elements within nodes that `isSought`, without those within them. */
const elementsWithin = (
  nodes: readonly HtmlNode[],
  isSought: (each: HtmlElement) => boolean,
  isEntered: (each: HtmlElement) => boolean = () => true,
): readonly HtmlElement[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return []
    if (isSought(node)) return [node]
    return isEntered(node) ? elementsWithin(node.children, isSought, isEntered) : []
  })

const isList = (name: string): boolean => name === 'ul' || name === 'ol'
const isListSource = ({ name }: HtmlElement): boolean => isList(renamed[name] ?? name)
const isCell = ({ name }: HtmlElement): boolean => name === 'td' || name === 'th'
const isMedium = (source: HtmlElement): boolean => mediumKind(source) !== null

const captionIn = (figure: HtmlElement): HtmlElement | null =>
  childElements(figure).find(({ name }) => name === 'figcaption') ?? null

/** The media in a figure, each with the caption of the innermost figure around it, and the figures in it. */
const captionsOf = (
  { children }: HtmlElement,
  caption: HtmlElement | null,
): {
  readonly captions: ReadonlyMap<HtmlElement, HtmlElement | null>
  readonly figures: readonly HtmlElement[]
} => {
  const captions = new Map<HtmlElement, HtmlElement | null>()
  const figures: HtmlElement[] = []
  const walk = (nodes: readonly HtmlNode[], own: HtmlElement | null): void => {
    for (const each of nodes) {
      if (!isElement(each) || each.name === 'figcaption') continue
      const isFigure = each.name === 'figure'
      if (isFigure) figures.push(each)
      if (isMedium(each)) captions.set(each, own)
      else walk(each.children, isFigure ? captionIn(each) : own)
    }
  }
  walk(children, caption)
  return { captions, figures }
}

/** The children before and after one of them. */
const around = (
  { children }: HtmlElement,
  child: HtmlElement | null,
): readonly [before: readonly HtmlNode[], after: readonly HtmlNode[]] => {
  const index = child === null ? children.length : children.indexOf(child)
  return [children.slice(0, index), children.slice(index + 1)]
}

const isShown = (node: MarkupNode): boolean =>
  typeof node === 'string' || isMarkupElement(node) || node.element !== null

const isParagraph = (node: MarkupNode | undefined): node is MarkupElement =>
  isMarkupElement(node) && node.name === 'p' && node.attributes.length === 0

/** The blocks of an item or a cell: its only paragraph needs no element. */
const tight = (found: readonly MarkupNode[]): readonly MarkupNode[] => {
  const [first, ...others] = found
  return isParagraph(first) &&
    others.every((each) => !isShown(each) || (isMarkupElement(each) && isList(each.name)))
    ? [...first.children, ...others]
    : found
}

const isPicture = (node: MarkupNode): boolean =>
  typeof node === 'object' &&
  ('medium' in node || (node.name === 'a' && node.children.length > 0 && node.children.every(isPicture)))

/** The blocks of a figure: pictures need no paragraph. */
const withBarePictures = (found: readonly MarkupNode[]): readonly MarkupNode[] =>
  found.flatMap((each): readonly MarkupNode[] =>
    isParagraph(each) && each.children.every(isPicture) ? each.children : [each],
  )

/** The parts of a table with all rows in groups, as browsers have them. */
const withRowsInGroups = (parts: readonly MarkupNode[]): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  let rows: MarkupNode[] = []
  const endGroup = (): void => {
    if (rows.length > 0) found.push(element('tbody', [], rows))
    rows = []
  }
  for (const part of parts)
    if (isMarkupElement(part) && part.name === 'tr') rows.push(part)
    else {
      endGroup()
      found.push(part)
    }
  endGroup()
  return found
}

/** `media` has the media that were found in what was converted. */
export const converter = (
  { base, hosts, placeMedia, rename, hasTextLines, isCopied }: ConverterOptions,
  note: Note,
): {
  readonly convert: (nodes: readonly HtmlNode[]) => readonly MarkupNode[]
  readonly media: readonly Medium[]
} => {
  const media: Medium[] = []
  /** Slots that follow the current block at the top. */
  let waiting: MarkupNode[] = []
  /** What becomes of the media of figures; those with a slot have it already. */
  const decided = new Map<HtmlElement, { readonly placement: Placement; readonly caption: string }>()
  /** Figures whose media are decided with those of the figure around them. */
  const innerFigures = new Set<HtmlElement>()
  /** Captions that are in `media` only, and media that others contain. */
  const leftOut = new Set<HtmlElement>()
  const linesByCaption = new Map<HtmlElement, readonly MarkupNode[]>()
  const addresses = new Set<string>()
  /** Where the current text is, or begins. */
  let latest: Place = { line: 1, column: 1 }
  /** The names that links within the source lead to. */
  let targets: ReadonlySet<string> = new Set()

  const nameOf = ({ name: written }: HtmlElement): string => {
    const name = renamed[written] ?? written
    return Object.hasOwn(rename, name) ? (rename[name] ?? name) : name
  }

  const readText = (text: string): string => {
    const read = text.replaceAll(forbidden, '')
    if (read !== text)
      note('character', latest, `${text.length - read.length} characters that markup does not have`)
    return read.replaceAll('\r', '\n')
  }

  /** A value as a body has it, or null. */
  const valueOf = (name: string, attribute: string, written: string): string | null => {
    const rule = ruleFor(bodySchema.byName.get(name)?.attributes ?? [], attribute)?.value
    if (rule === undefined || rule.kind === 'image candidates') return null
    const plain = written.replaceAll(forbidden, '').replaceAll('\r', '\n')
    const value =
      rule.kind === 'link'
        ? readAddress(plain, base)
        : rule.kind === 'integer'
          ? (/^-?\d+%?(?=(?:px)?$)/.exec(plain.trim())?.[0] ?? '')
          : rule.kind === 'word' && !rule.words.includes(plain)
            ? plain.trim().toLowerCase()
            : plain
    return value !== null && valueFault(rule, value) === null ? value : null
  }

  /** The attributes that a body has, without those that only style sheets and scripts of the source know. */
  const attributesOf = ({ attributes, place }: HtmlElement, name: string): readonly Attribute[] => {
    const lost: string[] = []
    const kept: Attribute[] = []
    for (const [key, written] of attributes) {
      const isOfPage =
        key === 'class' ||
        key.startsWith('data-') ||
        (isCopied && !copiedAttributes.has(key) && !(key === 'dir' && written === 'rtl'))
      const value = isOfPage ? null : valueOf(name, key, written)
      // The places in a copied document are left out.
      const isWithin = isCopied && key === 'href' && !/^(?:https?:|mailto:|tel:|\/)/i.test(value ?? '')
      if (value === null || isWithin || (key === 'id' && value === '')) lost.push(key)
      else kept.push([key, value])
    }
    if (lost.length > 0) note('attribute', place, `${lost.join(', ')} of <${name}>`)
    return kept
  }

  const noteUnwrapped = ({ name, place, attributes }: HtmlElement): void => {
    const own = [...attributes.keys()].join(', ')
    note('element', place, `<${name}>${own === '' ? '' : ` with ${own}`}, but not its text`)
  }

  const add = (medium: Medium): number => {
    addresses.add(medium.address)
    return media.push(medium) - 1
  }

  const placeInSlot = (group: readonly Medium[], slot: string): void => {
    for (const each of group) waiting.push({ medium: add(each), element: null })
    waiting.push(element('slot', [['id', slot]], []))
  }

  /** A medium as a run: a picture as an element, or the place of another. */
  const mediumRuns = (source: HtmlElement, format: Format): readonly Run[] => {
    if (leftOut.has(source)) return []
    const known = decided.get(source)
    const read = readMedium(source, known?.caption ?? '', { base, hosts })
    if (read === null) {
      noteUnwrapped(source)
      return []
    }
    const { medium, link } = read
    const placement = known?.placement ?? placeMedia([medium])
    if (typeof placement === 'object') {
      placeInSlot([medium], placement.slot)
      return []
    }
    if (placement === 'element' && medium.kind === 'picture' && link !== null) {
      const attributes = new Map([...source.attributes].filter(([key]) => key !== 'src'))
      const own = attributesOf({ ...source, attributes }, 'img')
      return [{ node: { medium: add(medium), element: element('img', [['src', link], ...own], []) }, format }]
    }
    note('medium', source.place, `${medium.kind} ${medium.address.slice(0, 200)}`)
    return [{ node: { medium: add(medium), element: null }, format }]
  }

  /** Inline content. Blocks in it are divided by line breaks. */
  const linesOf = (nodes: readonly HtmlNode[], context: Context): readonly MarkupNode[] => {
    const lines = blocksOf(nodes, { ...context, paragraph: 'p', attributes: [], isTop: false, isFlat: true })
    let isFirst = true
    return lines.flatMap((line) => {
      if (!isMarkupElement(line)) return [line]
      const separator = isFirst ? [] : [element('br', [], [])]
      isFirst = false
      return [...separator, ...line.children]
    })
  }

  const captionLines = (caption: HtmlElement | null): readonly MarkupNode[] => {
    if (caption === null) return []
    const lines = linesByCaption.get(caption) ?? linesOf(caption.children, { ...top, depth: 2 })
    linesByCaption.set(caption, lines)
    return lines
  }

  const itemsOf = (nodes: readonly HtmlNode[], context: Context): readonly MarkupNode[] => {
    const items: (Omit<MarkupElement, 'children'> & { readonly children: MarkupNode[] })[] = []
    let loose: HtmlNode[] = []
    const addItem = (attributes: readonly Attribute[], children: readonly MarkupNode[]): void => {
      if (children.some(isShown)) items.push({ name: 'li', attributes, children: [...children] })
    }
    const endLoose = (): void => {
      const [only, ...others] = loose.filter((each) => typeof each !== 'string' || each.trim() !== '')
      const children = blocksOf(loose, context)
      const previous = items.at(-1)
      // A list that is directly in a list belongs to the item before it.
      const isNested = others.length === 0 && isElement(only) && isListSource(only)
      if (isNested && previous !== undefined) previous.children.push(...children)
      else addItem([], tight(children))
      loose = []
    }
    for (const node of nodes) {
      const isItem = isElement(node) && node.name === 'li'
      if (isItem || (isElement(node) && isListSource(node))) endLoose()
      if (isItem) {
        const format = formatWithStyle(node, context.format)
        addItem(attributesOf(node, 'li'), tight(blocksOf(node.children, { ...context, format })))
      } else loose.push(node)
      if (!isItem && isElement(node) && isListSource(node)) endLoose()
    }
    endLoose()
    return items
  }

  /** What is between parts is a part of its own. */
  const definitionsOf = (nodes: readonly HtmlNode[], context: Context): readonly MarkupNode[] => {
    const found: MarkupNode[] = []
    let loose: HtmlNode[] = []
    const endLoose = (): void => {
      const content = tight(blocksOf(loose, context))
      if (content.some(isShown)) found.push(element('dd', [], content))
      loose = []
    }
    for (const node of nodes) {
      const name = isElement(node) ? node.name : ''
      if (isElement(node) && ['dt', 'dd', 'div'].includes(name)) {
        endLoose()
        const within = { ...context, format: formatWithStyle(node, context.format) }
        if (name === 'div') found.push(...definitionsOf(node.children, within))
        else {
          const content =
            name === 'dt' ? linesOf(node.children, within) : tight(blocksOf(node.children, within))
          found.push(element(name, attributesOf(node, name), content))
        }
      } else loose.push(node)
    }
    endLoose()
    return found
  }

  /** The parts of a table. An empty cell remains. What is between parts is a cell of its own. */
  const partsOf = (nodes: readonly HtmlNode[], within: string, context: Context): readonly MarkupNode[] => {
    const found: MarkupNode[] = []
    let cells: MarkupNode[] = []
    let loose: HtmlNode[] = []
    const endLoose = (): void => {
      const content = tight(blocksOf(loose, context))
      if (content.some(isShown)) cells.push(element('td', [], content))
      loose = []
    }
    const endRow = (): void => {
      endLoose()
      if (cells.length > 0) found.push(...(within === 'tr' ? cells : [element('tr', [], cells)]))
      cells = []
    }
    for (const node of nodes) {
      if (!isElement(node)) {
        loose.push(node)
        continue
      }
      const { name, children } = node
      const isRow = name === 'tr' && within !== 'tr'
      const isGroup = within === 'table' && ['thead', 'tbody', 'tfoot'].includes(name)
      const format = formatWithStyle(node, context.format)
      if (isCell(node)) {
        endLoose()
        cells.push(element(name, attributesOf(node, name), tight(blocksOf(children, { ...context, format }))))
      } else if (isRow || isGroup) {
        endRow()
        found.push(element(name, attributesOf(node, name), partsOf(children, name, { ...context, format })))
      } else if (within === 'table' && name === 'caption') {
        endRow()
        found.push(element(name, attributesOf(node, name), linesOf(children, context)))
      } else loose.push(node)
    }
    endRow()
    return within === 'table' ? withRowsInGroups(found) : found
  }

  /** The blocks of these nodes: elements, and places of media. */
  const blocksOf = (nodes: readonly HtmlNode[], context: Context): readonly MarkupNode[] => {
    const { paragraph, attributes, depth, isTop, isFlat } = context
    const isPreformatted = paragraph === 'pre'
    const found: MarkupNode[] = []
    let runs: Run[] = []
    let current = context.format

    const addBlocks = (...added: readonly MarkupNode[]): void => {
      found.push(...added)
      if (!isTop) return
      found.push(...waiting)
      waiting = []
    }
    const endRun = (): void => {
      const isEmpty = runs.every(isBlankRun)
      // A browser leaves out a line break at the start.
      if (isPreformatted) runs = withoutFirstBreaks(runs)
      const content = inlineOf(runs, bodySchema.maximumDepth - depth - 2, isPreformatted)
      runs = []
      if (isEmpty) addBlocks(...content.filter((each) => typeof each === 'object' && 'medium' in each))
      else addBlocks(element(paragraph, attributes, content))
    }
    const inner = (levels: number, source: HtmlElement): Context => ({
      ...top,
      format: formatWithStyle(source, current),
      depth: depth + levels,
      isTop: false,
    })
    /** Adds an element that contains others; if there are too many around it, only its content. */
    const addContainer = (
      source: HtmlElement,
      levels: number,
      contentOf: (within: Context) => readonly MarkupNode[],
    ): void => {
      endRun()
      if (isFlat) return visitGroup(source)
      if (depth + levels <= deepestBlock) return addBlocks(...contentOf(inner(levels, source)))
      note('depth', source.place, `<${source.name}> within too many elements, but not its text`)
      addBlocks(
        ...blocksOf(source.children, { ...context, format: formatWithStyle(source, current), isFlat: true }),
      )
    }
    const wrapped = (
      source: HtmlElement,
      name: string,
      children: readonly MarkupNode[],
    ): readonly MarkupNode[] =>
      children.some(isShown) ? [element(name, attributesOf(source, name), children)] : children

    const visitAll = (children: readonly HtmlNode[], format: Format): void => {
      const outer = current
      current = format
      let items: WordItem[] = []
      let parts: HtmlElement[] = []
      const endGroups = (): void => {
        const ended = { items, parts }
        items = []
        parts = []
        if (ended.items.length > 0) {
          endRun()
          addBlocks(
            ...wordLists(ended.items, (item) =>
              tight(
                blocksOf(item.children, {
                  ...top,
                  format: current,
                  depth: depth + 2 * item.level,
                  isTop: false,
                }),
              ),
            ),
          )
        }
        const [first] = ended.parts
        const name = first === undefined ? null : structureOf(first)
        if (first !== undefined && name !== null)
          visitBlock({ name, attributes: new Map(), children: ended.parts, place: first.place }, name)
      }
      for (const child of children) {
        const item = isFlat ? null : wordItemOf(child)
        const structure = isElement(child) && !isFlat ? structureOf(child) : null
        const [part] = parts
        const isItem = item !== null && depth + 2 * item.level <= deepestBlock && textOf(child).trim() !== ''
        if (isItem) {
          if (parts.length > 0) endGroups()
          items.push(item)
        } else if (isElement(child) && structure !== null) {
          if (items.length > 0 || (part !== undefined && structureOf(part) !== structure)) endGroups()
          parts.push(child)
        } else {
          const isBlank = typeof child === 'string' ? child.trim() === '' : !isElement(child)
          if (items.length + parts.length === 0) visit(child)
          else if (!isBlank) {
            endGroups()
            visit(child)
          }
        }
      }
      endGroups()
      current = outer
    }

    const visitText = (text: string): void => {
      const pushLines = (lines: readonly string[]): void => {
        for (const [index, line] of lines.entries()) {
          if (index > 0) runs.push({ node: element('br', [], []), format: current })
          runs.push({ node: line, format: current })
        }
      }
      if (!hasTextLines || isPreformatted) return pushLines([text])
      for (const [index, piece] of text.split(/\n[ \t]*\n\s*/).entries()) {
        if (index > 0) endRun()
        pushLines(piece.split('\n'))
      }
    }

    const visit = (node: HtmlNode): void => {
      if (typeof node === 'string') return visitText(readText(node))
      latest = node.place
      if (!isElement(node)) return note('comment', node.place, node.comment.trim().slice(0, 100))
      if (leftOut.has(node) && !isMedium(node)) return
      if (code.has(node.name)) {
        const text =
          node.name === 'title' ? `the title ${textOf(node).trim().slice(0, 200)}` : `<${node.name}>`
        return note(node.name === 'title' ? 'hidden text' : 'code', node.place, text)
      }
      if (isCopied && isHidden(node))
        return note('hidden text', node.place, textOf(node).trim().slice(0, 200))
      if (isMedium(node)) return visitMedium(node)
      if (node.name === 'noscript' && isRepeated(node)) return noteUnwrapped(node)
      const name = nameOf(node)
      if (name !== node.name) note('element', node.place, `<${name}> in place of <${node.name}>`)
      if (name === 'br' || name === 'wbr') runs.push({ node: element(name, [], []), format: current })
      else if (blocks.has(node.name)) visitBlock(node, name)
      else visitInline(node, name)
    }

    /** Whether it has only pictures that are there already, for browsers without scripts. */
    const isRepeated = (node: HtmlElement): boolean => {
      const pictures = elementsWithin(node.children, isMedium)
      return (
        pictures.length > 0 &&
        textOf(node).trim() === '' &&
        pictures.every((each) => {
          const address = readMedium(each, '', { base, hosts })?.medium.address
          return address !== undefined && addresses.has(address)
        })
      )
    }

    const visitMedium = (node: HtmlElement): void => {
      runs.push(...mediumRuns(node, current))
      // What is shown where the medium cannot be played remains, without other forms of the medium.
      for (const each of elementsWithin(node.children, isMedium)) leftOut.add(each)
      visitAll(
        node.children.filter((each) => !isElement(each) || !code.has(each.name)),
        current,
      )
    }

    const visitInline = (node: HtmlElement, name: string): void => {
      const rule = bodySchema.byName.get(name)
      const { children } = node
      if (rule?.category !== 'inline' || rule.content.kind === 'empty') {
        noteUnwrapped(node)
        return visitAll(children, formatWithStyle(node, current))
      }
      const own = attributesOf(node, name)
      if (name === 'a') {
        const target = node.attributes.get('name') ?? ''
        const id: readonly Attribute[] =
          !own.some(([key]) => key === 'id') &&
          target !== '' &&
          targets.has(target) &&
          valueOf('a', 'id', target) !== null
            ? [['id', target]]
            : []
        if (own.some(([key]) => key === 'href'))
          return visitAll(
            children,
            formatWithStyle(node, formatWith(current, { name, attributes: [...own, ...id] })),
          )
        const href = node.attributes.get('href')
        if (href !== undefined)
          note('address', node.place, `a link to ${href.slice(0, 200)}, but not its text`)
        const place = [...own.filter(([key]) => key === 'id'), ...id]
        if (place.length > 0) runs.push({ node: element('span', place, []), format: current })
        return visitAll(children, formatWithStyle(node, current))
      }
      const id = own.find(([key]) => key === 'id')
      // What a link leads to may be empty.
      if (id !== undefined && textOf(node) === '' && elementsWithin(children, () => true).length === 0) {
        runs.push({ node: element(name, own, []), format: current })
        return
      }
      const isCarrier = own.length === 0 && (name === 'span' || name === 'bdo')
      const format = isCarrier ? current : formatWith(current, { name, attributes: own })
      visitAll(children, formatWithStyle(node, format))
    }

    const visitGroup = (node: HtmlElement): void => {
      endRun()
      visitAll(node.children, formatWithStyle(node, current))
      endRun()
    }

    const visitBlock = (node: HtmlElement, name: string): void => {
      const { children } = node
      if (name === 'hr') {
        endRun()
        if (!isFlat) addBlocks(element(name, attributesOf(node, name), []))
      } else if (textBlocks.has(name)) {
        endRun()
        const as = isFlat || (name === 'p' && paragraph !== 'p') ? paragraph : name
        const own = isFlat ? [] : attributesOf(node, as)
        const format = name.startsWith('h') ? current : formatWithStyle(node, current)
        const isSame = as === paragraph && own.length === 0
        addBlocks(
          ...blocksOf(withoutWordMarker(node), {
            ...context,
            format,
            paragraph: as,
            attributes: isSame ? attributes : own,
          }),
        )
      } else if (isList(name))
        addContainer(node, 2, (within) => wrapped(node, name, itemsOf(children, within)))
      else if (name === 'dl')
        addContainer(node, 2, (within) => wrapped(node, name, definitionsOf(children, within)))
      else if (name === 'blockquote' || name === 'aside')
        addContainer(node, 1, (within) => wrapped(node, name, blocksOf(children, within)))
      else if (name === 'address')
        addContainer(node, 1, (within) => wrapped(node, name, linesOf(children, within)))
      else if (name === 'details') addContainer(node, 2, (within) => detailsOf(node, within))
      else if (name === 'figure') visitFigure(node)
      else if (name === 'table') visitTable(node)
      else {
        if (structureOf(node) === null) noteUnwrapped(node)
        visitGroup(node)
      }
    }

    const detailsOf = (node: HtmlElement, within: Context): readonly MarkupNode[] => {
      const summary = childElements(node).find((each) => each.name === 'summary') ?? null
      const [before, after] = around(node, summary)
      const line = summary === null ? [] : wrapped(summary, 'summary', linesOf(summary.children, within))
      return wrapped(node, 'details', [...blocksOf(before, within), ...line, ...blocksOf(after, within)])
    }

    /** A table that only places its parts is left out; its parts remain. */
    const visitTable = (node: HtmlElement): void => {
      const isTable = ({ name }: HtmlElement): boolean => name === 'table'
      const cells = elementsWithin(node.children, isCell, (each) => !isTable(each))
      if (isFlat || (cells.length > 1 && node.attributes.get('role') !== 'presentation'))
        return addContainer(node, 4, (within) =>
          wrapped(node, 'table', partsOf(node.children, 'table', within)),
        )
      noteUnwrapped(node)
      const caption = ({ name }: HtmlElement): boolean => name === 'caption'
      visitLayout(node, (each) => isCell(each) || caption(each))
    }

    /** The parts of a table as groups, in the order of the source. */
    const visitLayout = (node: HtmlElement, isPart: (each: HtmlElement) => boolean): void => {
      endRun()
      for (const child of node.children)
        if (isElement(child) && isPart(child)) visitGroup(child)
        else if (isElement(child) && structureOf(child) === 'table') visitLayout(child, isPart)
        else visit(child)
      endRun()
    }

    const visitFigure = (node: HtmlElement): void => {
      const caption = captionIn(node)
      const inFigure = innerFigures.has(node) ? null : captionsOf(node, caption)
      for (const each of inFigure?.figures ?? []) innerFigures.add(each)
      const captions = [...(inFigure?.captions ?? [])].filter(([each]) => !leftOut.has(each))
      const group = captions.flatMap(([each, own]) => {
        const text = writtenMarkup(captionLines(own)).markup
        return readMedium(each, text, { base, hosts })?.medium ?? []
      })
      if (group.length > 0) {
        const placement = placeMedia(group)
        for (const [each, own] of captions)
          decided.set(each, { placement, caption: writtenMarkup(captionLines(own)).markup })
        if (typeof placement === 'object') {
          placeInSlot(group, placement.slot)
          for (const [each, own] of captions) {
            leftOut.add(each)
            if (placement.hasCaption && own !== null) leftOut.add(own)
          }
          return visitGroup(node)
        }
      }
      addContainer(node, 2, (within) => {
        const [before, after] = around(node, caption).map((each) => withBarePictures(blocksOf(each, within)))
        const content = [...(before ?? []), ...(after ?? [])]
        const lines = caption !== null && leftOut.has(caption) ? [] : captionLines(caption)
        const isFigure = lines.some(isShown) || content.some((each) => isShown(each) && isPicture(each))
        if (!isFigure || !content.some(isShown)) {
          const line = lines.some(isShown) ? [element('p', [], lines)] : lines
          return [...(before ?? []), ...line, ...(after ?? [])]
        }
        const line = caption === null ? [] : wrapped(caption, 'figcaption', lines)
        return wrapped(node, 'figure', [...(before ?? []), ...line, ...(after ?? [])])
      })
    }

    visitAll(nodes, context.format)
    endRun()
    return found
  }

  const targetsIn = (nodes: readonly HtmlNode[]): readonly string[] =>
    nodes.flatMap((node) => {
      if (!isElement(node)) return []
      const href = node.name === 'a' ? (node.attributes.get('href') ?? '') : ''
      return [...(href.startsWith('#') ? [href.slice(1)] : []), ...targetsIn(node.children)]
    })

  return {
    media,
    convert: (nodes) => {
      targets = new Set(isCopied ? [] : targetsIn(nodes))
      return blocksOf(nodes, top)
    },
  }
}
