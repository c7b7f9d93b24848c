/** Inline elements of a source. */
import { bodySchema } from '@publishing-service/domain/markup'
import { elementsWithin, textOf, type HtmlElement, type HtmlNode } from './html-tree.js'
import type { Inline } from './inline-runs.js'
import { element, type Attribute, type MarkupElement } from './markup-tree.js'
import type { SourceElements } from './source-elements.js'

/** What an inline element becomes. */
export type ReadInline = {
  /** What links to it lead to: an element without content, before its content; null if there is none. */
  readonly place: MarkupElement | null
  /** The element around its content; null if there is none. */
  readonly around: Inline | null
  /** Its content. */
  readonly children: readonly HtmlNode[]
}

const hasId = (attributes: readonly Attribute[]): boolean => attributes.some(([key]) => key === 'id')

/** A link, or what links lead to. */
const readAnchor = (
  elements: SourceElements,
  node: HtmlElement,
  own: readonly Attribute[],
  targets: ReadonlySet<string>,
): ReadInline => {
  const { children } = node
  const target = node.attributes.get('name') ?? ''
  const isTarget = !hasId(own) && target !== '' && targets.has(target)
  const id: readonly Attribute[] =
    isTarget && elements.valueOf('a', 'id', target) !== null ? [['id', target]] : []
  if (own.some(([key]) => key === 'href'))
    return { place: null, around: { name: 'a', attributes: [...own, ...id] }, children }
  const href = node.attributes.get('href')
  if (href !== undefined)
    elements.note('address', node.place, `a link to ${href.slice(0, 200)}, but not its text`)
  const attributes = [...own.filter(([key]) => key === 'id'), ...id]
  return { place: attributes.length === 0 ? null : element('span', attributes, []), around: null, children }
}

/** Reads an inline element with this name in a body. `targets` are the names that links within the source lead to. */
export const readInline = (
  elements: SourceElements,
  node: HtmlElement,
  name: string,
  targets: ReadonlySet<string>,
): ReadInline => {
  const { children } = node
  const rule = bodySchema.byName.get(name)
  if (rule?.category !== 'inline' || rule.content.kind === 'empty') {
    elements.noteUnwrapped(node)
    return { place: null, around: null, children }
  }
  const own = elements.attributesOf(node, name)
  if (name === 'a') return readAnchor(elements, node, own, targets)
  // What a link leads to may be empty. A definition within a definition is not accepted.
  if (hasId(own) && textOf(node) === '' && elementsWithin(children, () => true).length === 0)
    return {
      place: element(rule.notWithin.length === 0 ? name : 'span', own, []),
      around: null,
      children: [],
    }
  const isCarrier = own.length === 0 && (name === 'span' || name === 'bdo')
  return { place: null, around: isCarrier ? null : { name, attributes: own }, children }
}
