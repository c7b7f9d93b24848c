/** HTML as browsers read it, with the places of its nodes. */
import { html, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'

/** From 1, in the source. */
export type Place = { readonly line: number; readonly column: number }

/** Elements of other vocabularies, such as SVG, have a name with a colon: `svg:text`. Names are in lower case. */
export type HtmlElement = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly HtmlNode[]
  readonly place: Place
}

export type HtmlComment = { readonly comment: string; readonly place: Place }

export type HtmlNode = HtmlElement | HtmlComment | string

export const isElement = (node: HtmlNode | undefined): node is HtmlElement =>
  typeof node === 'object' && 'name' in node

/** Elements are open up to this depth; those within have their content in its place. */
const mostOpen = 256

/** Elements whose content browsers read as text if they can show something else: it is markup. */
const fallbacks = new Set(['iframe', 'noembed', 'noframes'])

type ParsedNode = DefaultTreeAdapterTypes.ChildNode

const parsed = (source: string): readonly ParsedNode[] =>
  parseFragment(source, { scriptingEnabled: false, sourceCodeLocationInfo: true }).childNodes

type Level = {
  readonly nodes: readonly ParsedNode[]
  readonly place: Place
  readonly found: HtmlNode[]
  /** How many elements around it have a content that was parsed again. */
  readonly reread: number
  next: number
}

type ParsedElement = DefaultTreeAdapterTypes.Element | DefaultTreeAdapterTypes.Template

/** More than one within another is not written by any program, and would take time of the square of its length. */
const mostReread = 2

const fallbackOf = ({ tagName, childNodes }: ParsedElement): string | null => {
  if (!fallbacks.has(tagName)) return null
  const text = childNodes.map((each) => ('value' in each ? each.value : '')).join('')
  return /[<&]/.test(text) ? text : null
}

/** The nodes of a fragment or a document. A `noscript` has its content as markup, and a `template` too. */
export const htmlTree = (source: string): readonly HtmlNode[] => {
  const top: HtmlNode[] = []
  const levels: Level[] = [
    { nodes: parsed(source), place: { line: 1, column: 1 }, found: top, reread: 0, next: 0 },
  ]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.nodes[level.next]
    level.next += 1
    if (node === undefined) {
      levels.pop()
      continue
    }
    const { sourceCodeLocation: at } = node
    const place = at === null || at === undefined ? level.place : { line: at.startLine, column: at.startCol }
    if ('value' in node) level.found.push(node.value)
    else if ('data' in node) level.found.push({ comment: node.data, place })
    else if ('tagName' in node) {
      const isForeign = node.namespaceURI !== html.NS.HTML
      const prefix = isForeign && !node.tagName.includes(':') ? 'svg:' : ''
      const fallback = level.reread < mostReread ? fallbackOf(node) : null
      const reread = level.reread + (fallback === null ? 0 : 1)
      const own = 'content' in node ? node.content.childNodes : node.childNodes
      const nodes = fallback === null ? own : parsed(fallback)
      if (levels.length > mostOpen) levels.push({ nodes, place, found: level.found, reread, next: 0 })
      else {
        const children: HtmlNode[] = []
        const attributes = new Map(node.attrs.map(({ name, value }) => [name.toLowerCase(), value]))
        level.found.push({ name: `${prefix}${node.tagName.toLowerCase()}`, attributes, children, place })
        levels.push({ nodes, place, found: children, reread, next: 0 })
      }
    }
  }
  return top
}

/** The text of a node, without comments. */
export const textOf = (node: HtmlNode): string => {
  if (typeof node === 'string') return node
  return isElement(node) ? node.children.map(textOf).join('') : ''
}

/** The declarations of a `style` attribute, by property, in lower case. */
export const declarationsOf = ({ attributes }: HtmlElement): ReadonlyMap<string, string> =>
  new Map(
    (attributes.get('style') ?? '').split(';').flatMap((each) => {
      const [property = '', ...value] = each.split(':')
      const name = property.trim().toLowerCase()
      return name === '' ? [] : [[name, value.join(':').trim().toLowerCase()] as const]
    }),
  )

export const childElements = ({ children }: HtmlElement): readonly HtmlElement[] => children.filter(isElement)

/** The elements within nodes that `isSought`, without those within them. */
export const elementsWithin = (
  nodes: readonly HtmlNode[],
  isSought: (each: HtmlElement) => boolean,
  isEntered: (each: HtmlElement) => boolean = () => true,
): readonly HtmlElement[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return []
    if (isSought(node)) return [node]
    return isEntered(node) ? elementsWithin(node.children, isSought, isEntered) : []
  })

/** The children before and after one of them. */
export const around = (
  { children }: HtmlElement,
  child: HtmlElement | null,
): readonly [before: readonly HtmlNode[], after: readonly HtmlNode[]] => {
  const index = child === null ? children.length : children.indexOf(child)
  return [children.slice(0, index), children.slice(index + 1)]
}
