/** RSS 0.9 to 2.0 and Atom 1.0. */
import { parsedAddress } from '@publishing-service/domain/markup'
import { escaped } from '../escaped.js'
import type { Feed, FeedAttachment, FeedItem } from './feed-item.js'
import { elementsIn, innerHtml, textIn, textOf, type FeedElement } from './feed-xml.js'

const attribute = (element: FeedElement | undefined, name: string): string =>
  element?.attributes.get(name)?.trim() ?? ''

const unique = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((each) => each.trim()).filter((each) => each !== '')),
]

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

/** The name in an author of RSS, who is written as an e-mail address with a name; empty if there is only the address. */
const nameOfAuthor = (text: string): string => {
  const [, name] = /\(([^)]*)\)/.exec(text) ?? []
  return name ?? (text.includes('@') ? '' : text)
}

const isPicture = (element: FeedElement): boolean =>
  attribute(element, 'medium') === 'image' || attribute(element, 'type').startsWith('image/')

/** The media of an item, also those in groups. */
const mediaIn = (item: FeedElement, name: string): readonly FeedElement[] => [
  ...elementsIn(item, name),
  ...elementsIn(item, 'media:group').flatMap((group) => elementsIn(group, name)),
]

const attachmentOf = (element: FeedElement, address: string): FeedAttachment => ({
  address: attribute(element, address),
  type: attribute(element, 'type'),
})

const imageOf = (item: FeedElement, enclosures: readonly FeedAttachment[]): string =>
  attribute(mediaIn(item, 'media:content').find(isPicture), 'url') ||
  attribute(mediaIn(item, 'media:thumbnail')[0], 'url') ||
  attribute(elementsIn(item, 'itunes:image')[0], 'href') ||
  (enclosures.find(({ type }) => type.startsWith('image/'))?.address ?? '')

/** A title of RSS as HTML: some feeds have plain text, and some HTML. Only elements of a line of text are taken for HTML. */
const titleHtml = (title: string): string =>
  title.replaceAll(/<(?!\/?(?:a|abbr|b|br|cite|code|em|i|mark|q|s|small|span|strong|sub|sup|u)\b)/gi, '&lt;')

const rssItem = (item: FeedElement): FeedItem => {
  const enclosures = elementsIn(item, 'enclosure').map((each) => attachmentOf(each, 'url'))
  const guid = textIn(item, 'guid')
  const isLink = attribute(elementsIn(item, 'guid')[0], 'ispermalink') !== 'false' && isAddress(guid)
  const address =
    textIn(item, 'link') || attribute(elementsIn(item, 'atom:link')[0], 'href') || (isLink ? guid : '')
  const content = textIn(item, 'content:encoded', 'atom:content', 'html:body')
  const description = textIn(item, 'description', 'itunes:summary')
  return {
    id: guid || address || `${textIn(item, 'title')} ${textIn(item, 'pubDate', 'dc:date')}`.trim(),
    address,
    title: titleHtml(textIn(item, 'title', 'dc:title')),
    content: content || description,
    summary: content === '' ? '' : description,
    published: textIn(item, 'pubDate', 'dc:date', 'dcterms:created'),
    modified: textIn(item, 'atom:updated', 'dcterms:modified'),
    authors: unique([
      ...elementsIn(item, 'dc:creator', 'itunes:author').map(textOf),
      ...elementsIn(item, 'author').map((each) => nameOfAuthor(textOf(each))),
      ...elementsIn(item, 'atom:author').map((each) => textIn(each, 'atom:name')),
    ]).map(nameOfAuthor),
    categories: unique(elementsIn(item, 'category', 'dc:subject').map(textOf)),
    image: imageOf(item, enclosures),
    attachments: enclosures,
    notes: [],
    line: item.line,
  }
}

const rss = (root: FeedElement): Feed => {
  const [channel] = elementsIn(root, 'channel')
  // In RSS 1.0 the items follow the channel.
  const items = [...(channel === undefined ? [] : elementsIn(channel, 'item')), ...elementsIn(root, 'item')]
  return { home: channel === undefined ? '' : textIn(channel, 'link'), items: items.map(rssItem) }
}

const linkOf = (entry: FeedElement, base: string): string => {
  const links = elementsIn(entry, 'atom:link')
  const link = links.find((each) => ['', 'alternate'].includes(attribute(each, 'rel')))
  const href = attribute(link, 'href')
  return href === '' ? '' : (parsedAddress(href, base === '' ? undefined : base)?.href ?? '')
}

/** A text of Atom as HTML, by its type. */
const htmlOf = (element: FeedElement | undefined): string => {
  if (element === undefined) return ''
  const type = attribute(element, 'type')
  if (type === 'xhtml') return innerHtml(element)
  return type === 'html' || type === 'text/html' ? textOf(element) : escaped(textOf(element))
}

const personsOf = (element: FeedElement): readonly string[] =>
  unique(elementsIn(element, 'atom:author').map((each) => textIn(each, 'atom:name')))

const atomEntry = (entry: FeedElement, feed: FeedElement, home: string): FeedItem => {
  const base = attribute(entry, 'xml:base') || attribute(feed, 'xml:base') || home
  const address = linkOf(entry, base)
  const enclosures = elementsIn(entry, 'atom:link')
    .filter((each) => attribute(each, 'rel') === 'enclosure')
    .map((each) => attachmentOf(each, 'href'))
  const [body] = elementsIn(entry, 'atom:content')
  const elsewhere = attribute(body, 'src')
  const content = htmlOf(body)
  const summary = htmlOf(elementsIn(entry, 'atom:summary')[0])
  const own = personsOf(entry)
  return {
    id: textIn(entry, 'atom:id') || address,
    address,
    title: htmlOf(elementsIn(entry, 'atom:title')[0]),
    content: content.trim() === '' ? summary : content,
    summary: content.trim() === '' ? '' : summary,
    published: textIn(entry, 'atom:published', 'atom:updated'),
    modified: textIn(entry, 'atom:updated'),
    authors: own.length > 0 ? own : personsOf(feed),
    categories: unique(
      elementsIn(entry, 'atom:category').map((each) => attribute(each, 'label') || attribute(each, 'term')),
    ),
    image: imageOf(entry, enclosures),
    attachments: enclosures,
    notes: elsewhere === '' ? [] : [`its content is elsewhere, and left out: ${elsewhere}`],
    line: entry.line,
  }
}

const atom = (root: FeedElement): Feed => {
  const home = linkOf(root, attribute(root, 'xml:base'))
  return { home, items: elementsIn(root, 'atom:entry').map((entry) => atomEntry(entry, root, home)) }
}

/** The feed in a root element; null if it is another document. */
export const feedInXml = (root: FeedElement): Feed | null => {
  if (root.name === 'rss' || root.name === 'rdf:RDF') return rss(root)
  return root.name === 'atom:feed' ? atom(root) : null
}
