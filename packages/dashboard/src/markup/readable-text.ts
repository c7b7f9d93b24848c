import type { ElementKinds } from './element-kinds.js'
import { isElement, type MarkupNode } from './element-tree.js'

/** The words that readers see of markup. Each block begins on a new line; `media` is shown for a slot. */
export const readableText = (
  nodes: readonly MarkupNode[],
  kinds: Pick<ElementKinds, 'of'>,
  media: string,
): string => {
  const textOf = (children: readonly MarkupNode[]): string =>
    children
      .map((node) => {
        if (typeof node === 'string') return node.replaceAll(/\s+/g, ' ')
        if (!isElement(node)) return ''
        if (node.name === 'br') return '\n'
        const inner = node.name === 'slot' ? media : (node.attributes['alt'] ?? textOf(node.children))
        return kinds.of(node.name) === 'inline' ? inner : `\n${inner}\n`
      })
      .join('')
  return textOf(nodes)
    .replaceAll(/ *\n\s*/g, '\n')
    .trim()
}
