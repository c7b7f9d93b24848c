import type { MarkupNode } from './element-tree.js'

/** A node of HTML as the package `parse5` describes it. */
type ParsedNode = {
  readonly nodeName: string
  readonly tagName?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly ParsedNode[]
  /** Of a text. */
  readonly value?: string
  /** Of a comment. */
  readonly data?: string
}

/** The elements, texts and comments of parsed HTML. */
export const htmlNodes = ({
  tagName,
  attrs = [],
  childNodes = [],
  value,
  data,
}: ParsedNode): readonly MarkupNode[] => {
  if (value !== undefined) return [value]
  if (data !== undefined) return [{ comment: data }]
  const children = childNodes.flatMap(htmlNodes)
  if (tagName === undefined) return children
  const attributes = Object.fromEntries(attrs.map(({ name, value: own }) => [name, own]))
  return [{ name: tagName, attributes, children }]
}
