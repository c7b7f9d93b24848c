/**
 * Lists as Word copies them: paragraphs with the level in their style, such as `mso-list:l0 level2 lfo1`, and the bullet or
 * the number as text.
 */
import type { MarkupNode } from './markup-tree.js'
import { declarationsOf, isElement, textOf, type HtmlElement, type HtmlNode } from './html-tree.js'

export type WordItem = {
  readonly list: string
  readonly level: number
  /** The number of an ordered item; null for a bullet. */
  readonly number: number | null
  readonly children: readonly HtmlNode[]
}

const isIgnored = (node: HtmlNode): boolean =>
  isElement(node) && declarationsOf(node).get('mso-list') === 'ignore'

type Split = { readonly marker: string; readonly rest: readonly HtmlNode[] }

/** The bullet or number, which Word marks as to be ignored or encloses in comments, and what follows it. */
const withoutMarker = (nodes: readonly HtmlNode[]): Split => {
  let marker = ''
  let isWithin = false
  const rest: HtmlNode[] = []
  for (const node of nodes) {
    const comment = typeof node !== 'string' && !isElement(node) ? node.comment : null
    if (comment?.includes('supportLists') === true) isWithin = true
    else if (comment?.includes('endif') === true) isWithin = false
    else if (isWithin || isIgnored(node)) marker += textOf(node)
    else if (isElement(node)) {
      const inner = withoutMarker(node.children)
      marker += inner.marker
      rest.push({ ...node, children: inner.rest })
    } else rest.push(node)
  }
  return { marker, rest }
}

/** A number, a letter or a Roman number with a point or a bracket. A bullet can be the letter `o`. */
const ordinal = /^\(?(?:(\d+)(?:\.\d+)*|[a-z]{1,6})[.)]$/i

const levelOf = (element: HtmlElement): RegExpExecArray | null =>
  /^(l\d+) level(\d+)/.exec(declarationsOf(element).get('mso-list') ?? '')

/** The content of a paragraph without the bullet or number that Word writes before it. */
export const withoutWordMarker = (element: HtmlElement): readonly HtmlNode[] =>
  levelOf(element) === null ? element.children : withoutMarker(element.children).rest

const numberIn = (marker: string): number | null => {
  const found = ordinal.exec(marker.replace(/[\s\u00a0]+/g, ''))
  return found === null ? null : Number(found[1] ?? 1)
}

/** A bullet or number of which only the text is left: spaces that are not collapsed follow it. */
const typedMarker =
  /^[\s\u00a0]*(?:[·•§▪◦o]|\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.)])(?=\s*\u00a0)[\s\u00a0]{2,}/i

/** The nodes without this many characters at their start. */
const withoutStart = (nodes: readonly HtmlNode[], length: number): readonly HtmlNode[] => {
  let left = length
  return nodes.map((node) => {
    const removed = Math.min(left, textOf(node).length)
    left -= removed
    if (removed === 0) return node
    if (typeof node === 'string') return node.slice(removed)
    return isElement(node) ? { ...node, children: withoutStart(node.children, removed) } : node
  })
}

const pointsOf: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.35, px: 0.75 }

/** The indentation of one level in points. */
const indentation = 36

const indentedLevel = (element: HtmlElement): number => {
  const [, size, unit = ''] =
    /^([\d.]+)(pt|in|cm|px)$/.exec(declarationsOf(element).get('margin-left') ?? '') ?? []
  return Math.max(1, Math.round((Number(size ?? 0) * (pointsOf[unit] ?? 0)) / indentation))
}

const typedItemOf = (element: HtmlElement): WordItem | null => {
  const [marker] = typedMarker.exec(textOf(element)) ?? []
  return marker === undefined
    ? null
    : {
        list: 'typed',
        level: indentedLevel(element),
        number: numberIn(marker),
        children: withoutStart(element.children, marker.length),
      }
}

/** A paragraph that is an item of a list of Word; null for others. */
export const wordItemOf = (node: HtmlNode): WordItem | null => {
  if (!isElement(node) || node.name !== 'p') return null
  const [, list, level] = levelOf(node) ?? []
  if (list === undefined) return typedItemOf(node)
  const { marker, rest } = withoutMarker(node.children)
  return { list, level: Number(level), number: numberIn(marker), children: rest }
}

/** A list to which items can be added, and the content of its last item. */
type OpenList = {
  readonly item: WordItem
  readonly children: MarkupNode[]
  content: MarkupNode[]
}

const isOfList = ({ item }: OpenList, { level, list, number }: WordItem): boolean =>
  item.level === level && item.list === list && (item.number === null) === (number === null)

/** Adjacent items as lists; `contentOf` makes the content of one. */
export const wordLists = (
  items: readonly WordItem[],
  contentOf: (item: WordItem) => readonly MarkupNode[],
): readonly MarkupNode[] => {
  const lists: MarkupNode[] = []
  const open: OpenList[] = []
  for (const item of items) {
    while ((open.at(-1)?.item.level ?? 0) > item.level) open.pop()
    let top = open.at(-1)
    if (top === undefined || !isOfList(top, item)) {
      if (top?.item.level === item.level) open.pop()
      const children: MarkupNode[] = []
      const parent = open.at(-1)?.content ?? lists
      parent.push({
        name: item.number === null ? 'ul' : 'ol',
        attributes: (item.number ?? 1) === 1 ? [] : [['start', String(item.number)]],
        children,
      })
      top = { item, children, content: [] }
      open.push(top)
    }
    top.content = [...contentOf(item)]
    top.children.push({ name: 'li', attributes: [], children: top.content })
  }
  return lists
}
