/** Lexical, the form in which Ghost edits posts since version 5, as HTML. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { escaped } from '../escaped.js'
import { headingIds } from './heading-ids.js'
import { fieldsIn, linked, listIn, textIn, wrapped, type Fields } from './html-text.js'
import { Translation, type Translated } from './translated.js'

/** Elements within more than so many others are only their text. */
const deepest = 60

/** The bits of the format of a text. */
const formats = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const

const childrenOf = (node: Fields): readonly JsonObject[] => listIn(node, 'children').filter(isJsonObject)

/** The text of a node with everything in it. */
const textOf = (node: Fields): string => {
  const found: string[] = []
  const waiting: Fields[] = [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const children = childrenOf(next)
    if (textIn(next, 'type') === 'linebreak') found.push('\n')
    else if (children.length === 0) found.push(textIn(next, 'text'))
    for (const child of children.toReversed()) waiting.push(child)
  }
  return found.join('')
}

const formatted = (node: Fields): string => {
  const bits = typeof node['format'] === 'number' ? node['format'] : 0
  return formats.reduceRight(
    (html, [bit, name]) => ((bits & bit) === 0 ? html : wrapped(name, html) || html),
    escaped(textIn(node, 'text')),
  )
}

/** Elements that have another name in HTML. */
const elements: ReadonlyMap<string, string> = new Map([
  ['paragraph', 'p'],
  ['quote', 'blockquote'],
  ['extended-quote', 'blockquote'],
  ['aside', 'blockquote'],
  ['listitem', 'li'],
  ['table', 'table'],
  ['tablerow', 'tr'],
  ['tablecell', 'td'],
])

/** Nodes that are their content. */
const plain: ReadonlySet<string> = new Set(['root', 'overflow', 'at-link', 'autolink-unlinked'])

const shownNothing: ReadonlySet<string> = new Set(['zwnj', 'at-link-search'])

const nodeHtmlOf = (translation: Translation): ((node: Fields) => string) => {
  const idOf = headingIds()

  const contentOf = (node: Fields, depth: number): string =>
    depth > deepest
      ? escaped(textOf(node))
      : childrenOf(node)
          .map((child) => nodeHtml(child, depth + 1))
          .join('')

  const headingHtml = (node: Fields, depth: number): string => {
    const name = /^h[1-6]$/.test(textIn(node, 'tag')) ? textIn(node, 'tag') : 'h2'
    const id = idOf(textOf(node))
    const content = contentOf(node, depth)
    return content === '' ? '' : `<${name}${id === '' ? '' : ` id="${escaped(id)}"`}>${content}</${name}>`
  }

  const listHtml = (node: Fields, depth: number): string => {
    const name = textIn(node, 'listType') === 'number' || textIn(node, 'tag') === 'ol' ? 'ol' : 'ul'
    const start = textIn(node, 'start')
    const attributes = name === 'ol' && /^\d+$/.test(start) && start !== '1' ? ` start="${start}"` : ''
    return `<${name}${attributes}>${contentOf(node, depth)}</${name}>`
  }

  /** An item whose content is a list belongs to the item before it. */
  const itemHtml = (node: Fields, depth: number): string => {
    const content = contentOf(node, depth)
    return textIn(childrenOf(node)[0] ?? {}, 'type') === 'list' ? content : `<li>${content}</li>`
  }

  const nodeHtml = (node: Fields, depth: number): string => {
    const type = textIn(node, 'type')
    const element = elements.get(type)
    if (type === 'linebreak') return '<br>'
    if (shownNothing.has(type)) return ''
    if (type === 'heading' || type === 'extended-heading') return headingHtml(node, depth)
    if (type === 'list') return listHtml(node, depth)
    if (type === 'listitem') return itemHtml(node, depth)
    if (type === 'link' || type === 'autolink') return linked(textIn(node, 'url'), contentOf(node, depth))
    if (element !== undefined) return `<${element}>${contentOf(node, depth)}</${element}>`
    if (plain.has(type)) return contentOf(node, depth)
    if (typeof node['text'] === 'string') return formatted(node)
    if (!Array.isArray(node['children'])) return translation.cardHtml(type, node)
    // What has children and is unknown has its text in them.
    translation.unknownHtml(type, {})
    return `<div>${contentOf(node, depth)}</div>`
  }

  return (node) => nodeHtml(node, 0)
}

/** Lexical as HTML; null if it is no document of Lexical. */
export const translateLexical = (document: unknown): Translated | null => {
  const { root } = fieldsIn(document)
  if (!isJsonObject(root) || !Array.isArray(root['children'])) return null
  const translation = new Translation()
  const nodeHtml = nodeHtmlOf(translation)
  for (const node of childrenOf(root)) translation.add(() => nodeHtml(node))
  return translation.result()
}
