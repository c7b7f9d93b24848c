/**
 * Markup that was copied elsewhere, such as from Google Docs or Word, as the elements that an editor of texts would have
 * chosen: formats of styles become elements, lists are lists, and what only makes sense in the other document is left out.
 */
import { isElement, type Attributes, type MarkupElement, type MarkupNode } from './element-tree.js'
import { declarationsOf, formatWithin, inlineOf, isBlankRun, type Format, type Run } from './inline-runs.js'
import { withoutWordMarker, wordItemOf, wordLists, type WordItem } from './word-lists.js'

/** A picture whose data are in the pasted markup. */
export type EmbeddedPicture = { readonly mimetype: string; readonly base64: string; readonly title: string }

/** What could not be pasted. */
export type Missing = {
  readonly pictures: number
  /** Embedded pages, videos, sounds. */
  readonly others: number
}

export type Pasted = { readonly nodes: readonly MarkupNode[]; readonly missing: Missing }

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const dropped = words(
  'head style script meta link title base xml template noscript button input select textarea svg math canvas colgroup col',
)
const embedded = words('iframe object embed video audio')
const headings: Readonly<Record<string, string>> = {
  h1: 'h2',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h4',
  h6: 'h4',
}
/** Elements that only group blocks. */
const groups = words(
  'html body div section article main aside header footer nav center form fieldset details address figure',
)
const tableParts = words('table thead tbody tfoot tr')
const cells = words('td th')

/** The types of pictures that every browser shows. */
const pictureData = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/
/** Addresses of pictures that only their own page, or the computer of the author, can load. */
const readable = /^https?:\/\/(?!(?:[^/]*\.)?googleusercontent\.com\/|docs\.google\.com\/)/i

const keptAttributes: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}

/** The attributes that mean the same in every document. Text is written from right to left if its block says so. */
const attributesOf = ({ name, attributes }: MarkupElement): Attributes =>
  Object.fromEntries(
    [
      ...(keptAttributes[name] ?? []).map((each) => [each, attributes[each]] as const),
      ['dir', attributes['dir'] === 'rtl' ? 'rtl' : undefined] as const,
    ].flatMap(([each, value]) => (value === undefined ? [] : [[each, value]])),
  )

/** Comments of Word and hidden text: what the author did not write for readers. */
const isPrivate = (element: MarkupElement): boolean => {
  const style = declarationsOf(element)
  return (
    style.get('mso-element')?.startsWith('comment') === true ||
    style.get('display') === 'none' ||
    style.get('mso-hide') === 'all' ||
    /\b(?:msocomanchor|MsoCommentReference)\b/.test(element.attributes['class'] ?? '')
  )
}

const isPicture = ({ node }: Run): boolean => isElement(node) && node.name === 'img'

/** How the editor reads text of an item or a cell, which needs no paragraph. */
const bareText = (children: readonly MarkupNode[]): MarkupElement => ({
  name: 'div',
  attributes: { 'data-markup-bare': '' },
  children,
})

const isList = (name: string): boolean => name === 'ul' || name === 'ol'

/** The blocks of an item or a cell: its only paragraph needs no element. */
const tight = (blocks: readonly MarkupNode[]): readonly MarkupNode[] => {
  const [first, ...others] = blocks
  return isElement(first) &&
    first.name === 'p' &&
    others.every((each) => isElement(each) && isList(each.name))
    ? [bareText(first.children), ...others]
    : blocks
}

type Options = {
  readonly paragraph?: string
  readonly attributes?: Attributes
  readonly isTop?: boolean
}

/**
 * The elements of pasted markup. `slotFor` makes a slot for a picture whose data are in the markup, and returns its id, or
 * null if there is no place for pictures; the picture is then missing.
 */
export const pastedMarkup = (
  source: readonly MarkupNode[],
  slotFor: (picture: EmbeddedPicture) => string | null,
): Pasted => {
  const missing = { pictures: 0, others: 0 }
  /** The slots of pictures in the current block at the top, which follow it. */
  let slots: MarkupElement[] = []
  let hasBlocks = false

  const pictureRun = (element: MarkupElement, format: Format): readonly Run[] => {
    const { src = '', alt = '' } = element.attributes
    if (readable.test(src))
      return [{ node: { name: 'img', attributes: attributesOf(element), children: [] }, format }]
    const [, mimetype, base64] = pictureData.exec(src) ?? []
    const slot = mimetype === undefined ? null : slotFor({ mimetype, base64: base64 ?? '', title: alt })
    if (slot === null) missing.pictures += 1
    else slots.push({ name: 'div', attributes: { 'data-slot': slot }, children: [] })
    return []
  }

  /** The blocks of these nodes. `paragraph` is the element of text that has none; `isTop`: slots may stand here. */
  const blocksOf = (
    nodes: readonly MarkupNode[],
    around: Format,
    { paragraph = 'p', attributes = {}, isTop = false }: Options = {},
  ): readonly MarkupNode[] => {
    const blocks: MarkupNode[] = []
    let runs: Run[] = []
    const add = (...added: readonly MarkupNode[]): void => {
      blocks.push(...added)
      if (isTop) {
        blocks.push(...slots)
        slots = []
      }
    }
    const endRun = (): void => {
      const isEmpty = runs.every((run) => isBlankRun(run) && !isPicture(run))
      if (!isEmpty) add({ name: paragraph, attributes, children: inlineOf(runs, paragraph === 'pre') })
      else if (slots.length > 0) add()
      runs = []
    }
    const addBlock = (name: string, own: Attributes, childrenOf: () => readonly MarkupNode[]): void => {
      endRun()
      hasBlocks = true
      const content = childrenOf()
      if (content.length > 0 || name === 'hr') add({ name, attributes: own, children: content })
      else if (slots.length > 0) add()
    }

    const visitAll = (children: readonly MarkupNode[], format: Format): void => {
      let items: WordItem[] = []
      const endItems = (): void => {
        if (items.length === 0) return
        endRun()
        hasBlocks = true
        add(...wordLists(items, (content) => tight(blocksOf(content, format))))
        items = []
      }
      for (const child of children) {
        const item = wordItemOf(child)
        const isContent = isElement(child) || (typeof child === 'string' && child.trim() !== '')
        if (item !== null) items.push(item)
        else if (isContent || items.length === 0) {
          endItems()
          visit(child, format)
        }
      }
      endItems()
    }

    const visit = (node: MarkupNode, format: Format): void => {
      if (typeof node === 'string') return void runs.push({ node, format })
      if (!isElement(node) || dropped.has(node.name) || isPrivate(node)) return
      const { name, children } = node
      const own = attributesOf(node)
      if (embedded.has(name)) missing.others += 1
      else if (name === 'img') runs.push(...pictureRun(node, format))
      else if (name === 'br') runs.push({ node: { name, attributes: {}, children: [] }, format })
      else if (name === 'hr') addBlock(name, {}, () => [])
      else if (name === 'p' || name === 'pre' || headings[name] !== undefined) {
        endRun()
        hasBlocks = true
        const as = name === 'p' ? paragraph : (headings[name] ?? name)
        add(...blocksOf(withoutWordMarker(node), format, { paragraph: as, attributes: own }))
      } else if (isList(name)) addBlock(name, own, () => itemsOf(children, format))
      else if (name === 'li') addBlock('ul', {}, () => itemsOf([node], format))
      else if (name === 'blockquote') addBlock(name, own, () => blocksOf(children, format))
      else if (name === 'table') addBlock(name, own, () => partsOf(children, format))
      else if (groups.has(name) || tableParts.has(name) || cells.has(name) || name === 'figcaption') {
        endRun()
        visitAll(children, formatWithin(node, format))
        endRun()
      } else visitAll(children, formatWithin(node, format))
    }

    visitAll(nodes, around)
    endRun()
    return blocks
  }

  /** The items of a list. A list that is directly in a list belongs to the item before it. */
  const itemsOf = (nodes: readonly MarkupNode[], format: Format): readonly MarkupNode[] => {
    const items: (MarkupElement & { readonly children: MarkupNode[] })[] = []
    for (const node of nodes) {
      if (!isElement(node)) continue
      const previous = items.at(-1)
      if (isList(node.name)) {
        const list = {
          name: node.name,
          attributes: attributesOf(node),
          children: itemsOf(node.children, format),
        }
        if (list.children.length === 0) continue
        if (previous === undefined) items.push({ name: 'li', attributes: {}, children: [list] })
        else previous.children.push(list)
      } else {
        const children = [...tight(blocksOf(node.children, formatWithin(node, format)))]
        if (children.length > 0) items.push({ name: 'li', attributes: {}, children })
      }
    }
    return items
  }

  /** The rows and cells of a table. An empty cell remains. */
  const partsOf = (nodes: readonly MarkupNode[], format: Format): readonly MarkupNode[] =>
    nodes.flatMap((node): readonly MarkupNode[] => {
      if (!isElement(node)) return []
      const { name, children } = node
      const attributes = attributesOf(node)
      if (cells.has(name))
        return [{ name, attributes, children: tight(blocksOf(children, formatWithin(node, format))) }]
      return tableParts.has(name) ? [{ name, attributes, children: partsOf(children, format) }] : []
    })

  const nodes = blocksOf(source, new Map(), { isTop: true })
  const [only] = nodes
  // A few words become part of the paragraph in which they are pasted.
  const isInline = !hasBlocks && nodes.length === 1 && isElement(only) && only.name === 'p'
  return {
    nodes: isInline ? only.children : nodes,
    missing,
  }
}
