import type { MarkupNode } from '../../markup/element-tree.js'

const nodesOf = (parent: Node): readonly MarkupNode[] =>
  [...parent.childNodes].flatMap((node): readonly MarkupNode[] => {
    if (node instanceof Element)
      return [
        {
          name: node.localName,
          attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
          children: nodesOf(node),
        },
      ]
    if (node instanceof Comment) return [{ comment: node.data }]
    return node instanceof Text ? [node.data] : []
  })

/** The elements of markup; null if it is not well-formed. Nothing in it is loaded or executed. */
export const parseMarkup = (markup: string): readonly MarkupNode[] | null => {
  const document = new DOMParser().parseFromString(`<root>${markup}</root>`, 'text/xml')
  return document.querySelector('parsererror') === null ? nodesOf(document.documentElement) : null
}
