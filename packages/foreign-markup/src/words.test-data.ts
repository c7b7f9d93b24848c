import { blocks, code } from './elements.js'
import { htmlTree, isElement, type HtmlNode } from './html-tree.js'

const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node
      if (!isElement(node) || code.has(node.name)) return ''
      const inner = textOf(node.children)
      return blocks.has(node.name) || node.name === 'br' ? ` ${inner} ` : inner
    })
    .join('')

/** The words that a browser shows of HTML. */
export const wordsOf = (html: string): readonly string[] =>
  textOf(htmlTree(html))
    .replaceAll(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]|[\ud800-\udfff]/gu, '')
    .split(/[\s\u00a0]+/)
    .filter((word) => word !== '')
