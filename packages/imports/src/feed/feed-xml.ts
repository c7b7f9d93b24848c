/** The XML of a feed as a tree, with short names for the vocabularies of feeds. */
import { E, type Either } from '@publishing-service/domain/fp'
import { SaxesParser } from 'saxes'
import { escaped } from '../escaped.js'

export type FeedElement = {
  /** With the prefix that is usual for its vocabulary, such as `content:encoded`; without one for RSS. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly nodes: readonly (FeedElement | string)[]
  readonly line: number
}

const vocabularies: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['http://purl.org/rss/1.0/', ''],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf:'],
  ['http://www.w3.org/2005/Atom', 'atom:'],
  ['http://purl.org/rss/1.0/modules/content/', 'content:'],
  ['http://purl.org/dc/elements/1.1/', 'dc:'],
  ['http://purl.org/dc/terms/', 'dcterms:'],
  ['http://search.yahoo.com/mrss/', 'media:'],
  ['http://search.yahoo.com/mrss', 'media:'],
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes:'],
  ['http://www.w3.org/1999/xhtml', 'html:'],
])

const deepest = 200

/** In characters. The parser is slow with deep nesting, and is stopped between pieces only. */
const pieceLength = 1024

type Open = Omit<FeedElement, 'nodes'> & { readonly nodes: (FeedElement | string)[] }

/** What XML does not accept, and many feeds have: their texts can be read all the same. */
const harmless = /undefined entity|unbound namespace prefix|disallowed character/

/** The root element; else why the text is no XML. */
export const readXml = (text: string): Either<string, FeedElement> => {
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = []
  const problems: string[] = []
  let root: FeedElement | null = null
  const add = (node: string): void => {
    open.at(-1)?.nodes.push(node)
  }
  parser.on('error', ({ message }) => {
    if (problems.length === 0 && !harmless.test(message)) problems.push(message)
  })
  parser.on('opentag', ({ uri, local, prefix, attributes }) => {
    const known = vocabularies.get(uri)
    open.push({
      name: `${known ?? (prefix === '' ? '' : `${prefix}:`)}${local}`,
      attributes: new Map(Object.values(attributes).map((each) => [each.name.toLowerCase(), each.value])),
      nodes: [],
      line: parser.line,
    })
    if (open.length > deepest && problems.length === 0)
      problems.push(`${parser.line}: more than ${deepest} elements within each other`)
  })
  parser.on('closetag', () => {
    const ended = open.pop()
    if (ended === undefined) return
    const parent = open.at(-1)
    if (parent === undefined) root ??= ended
    else parent.nodes.push(ended)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  for (let at = 0; at < text.length && problems.length === 0; at += pieceLength)
    parser.write(text.slice(at, at + pieceLength))
  if (problems.length === 0) parser.close()
  const [problem] = problems
  if (problem !== undefined) return E.left(problem)
  return root === null ? E.left('there is no element') : E.right(root)
}

export const isFeedElement = (node: FeedElement | string): node is FeedElement => typeof node !== 'string'

export const elementsIn = ({ nodes }: FeedElement, ...names: readonly string[]): readonly FeedElement[] =>
  nodes.filter(isFeedElement).filter(({ name }) => names.includes(name))

/** The text of an element, with that of the elements in it. */
export const textOf = ({ nodes }: FeedElement): string =>
  nodes.map((node) => (isFeedElement(node) ? textOf(node) : node)).join('')

/** The text of the first element with one of these names, in the order of the names; empty if there is none. */
export const textIn = (element: FeedElement, ...names: readonly string[]): string => {
  for (const name of names) {
    const text = elementsIn(element, name)
      .map((each) => textOf(each).trim())
      .find((each) => each !== '')
    if (text !== undefined) return text
  }
  return ''
}

const empty = new Set(['br', 'hr', 'img', 'wbr', 'source', 'col'])

/** What an element contains, as HTML. */
export const innerHtml = ({ nodes }: FeedElement): string =>
  nodes
    .map((node) => {
      if (!isFeedElement(node)) return escaped(node)
      const name = node.name.replace(/^\w+:/, '')
      const attributes = Array.from(node.attributes, ([key, value]) => ` ${key}="${escaped(value)}"`).join('')
      return `<${name}${attributes}>${empty.has(name) ? '' : `${innerHtml(node)}</${name}>`}`
    })
    .join('')
