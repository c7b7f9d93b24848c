/** The items of lists. */
import { tight, type ContentConverter, type Context } from './context.js'
import { isListSource } from './elements.js'
import { isElement, type HtmlNode } from './html-tree.js'
import { formatWithStyle } from './inline-runs.js'
import { element, isShown, type Attribute, type MarkupElement, type MarkupNode } from './markup-tree.js'

/** The items of a list. What is between them is an item too. */
export const itemsOf = (
  converter: ContentConverter,
  nodes: readonly HtmlNode[],
  context: Context,
): readonly MarkupNode[] => {
  const items: (Omit<MarkupElement, 'children'> & { readonly children: MarkupNode[] })[] = []
  let loose: HtmlNode[] = []
  const addItem = (attributes: readonly Attribute[], children: readonly MarkupNode[]): void => {
    if (children.some(isShown)) items.push({ name: 'li', attributes, children: [...children] })
  }
  const endLoose = (): void => {
    const [only, ...others] = loose.filter((each) => typeof each !== 'string' || each.trim() !== '')
    const children = converter.blocksOf(loose, context)
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
      addItem(
        converter.elements.attributesOf(node, 'li'),
        tight(converter.blocksOf(node.children, { ...context, format })),
      )
    } else loose.push(node)
    if (!isItem && isElement(node) && isListSource(node)) endLoose()
  }
  endLoose()
  return items
}

/** The terms and definitions of a list. What is between them is a definition too. */
export const definitionsOf = (
  converter: ContentConverter,
  nodes: readonly HtmlNode[],
  context: Context,
): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  let loose: HtmlNode[] = []
  const endLoose = (): void => {
    const content = tight(converter.blocksOf(loose, context))
    if (content.some(isShown)) found.push(element('dd', [], content))
    loose = []
  }
  for (const node of nodes) {
    const name = isElement(node) ? node.name : ''
    if (isElement(node) && ['dt', 'dd', 'div'].includes(name)) {
      endLoose()
      const within = { ...context, format: formatWithStyle(node, context.format) }
      if (name === 'div') found.push(...definitionsOf(converter, node.children, within))
      else {
        const content =
          name === 'dt'
            ? converter.linesOf(node.children, within)
            : tight(converter.blocksOf(node.children, within))
        found.push(element(name, converter.elements.attributesOf(node, name), content))
      }
    } else loose.push(node)
  }
  endLoose()
  return found
}
