/** Reads a feed in RSS, Atom or JSON Feed as articles (docs/import.md#feeds). */
import { fault, type Fault } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  fileNote,
  importedObject,
  importRecord,
  type ImportRecord,
  type ImportSource,
} from '@publishing-service/domain/imports'
import { addressParts, decodedPath } from '../address-parts.js'
import { bodyOf } from '../body-of.js'
import { derivedUuid } from '../derived-uuid.js'
import { escaped } from '../escaped.js'
import { ImportedFiles } from '../imported-files.js'
import { namedTagRecord, namedTagUuid } from '../named-tags.js'
import { plainLine, plainText, shortened } from '../plain-text.js'
import { present } from '../present.js'
import { urlnameFrom } from '../taken-paths.js'
import type { Feed, FeedItem } from './feed-item.js'
import { readXml } from './feed-xml.js'
import { feedInJson } from './json-feed.js'
import { feedInXml } from './xml-feeds.js'

export type FeedOptions = {
  /** The address of the website; null for the one that the feed says. */
  readonly site: string | null
  readonly state: 'draft' | 'published'
  /** Whether pictures and sounds become files, or stay where they are. */
  readonly media: 'files' | 'addresses'
}

const isAddress = (address: string): boolean => /^https?:\/\//i.test(address)

/** A time with its zone; null if it cannot be read. */
const timeOf = (written: string): string | null => {
  const found = new Date(written.trim())
  const year = found.getUTCFullYear()
  return year >= 1 && year <= 9998 ? found.toISOString() : null
}

/** The urlname of an item: the last part of its path, or else its title. */
const urlnameFor = (path: string, title: string): string => {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return urlnameFrom(last.replace(/\.(?:html?|php|aspx?)$/i, ''), title, 'article')
}

/** Sounds and videos that are attached to an item, as HTML. */
const attachedHtml = ({ attachments, content }: FeedItem): string =>
  attachments
    .map(({ address, type }) => {
      const [, element] = /^(audio|video)\//.exec(type) ?? []
      return element === undefined || !isAddress(address) || content.includes(address)
        ? ''
        : `<${element} src="${escaped(address)}"></${element}>`
    })
    .join('')

const recordsOf = (
  { items }: Feed,
  { site, state, media }: Omit<FeedOptions, 'site'> & { readonly site: string },
): readonly ImportRecord[] => {
  const files = new ImportedFiles({
    site,
    isTaken: (address) => media === 'files' && isAddress(address),
    originalOf: (address) => address,
  })
  const siteHost = addressParts(site)?.host

  const tagRecords = (kind: 'tag' | 'author', names: readonly string[]): readonly ImportRecord[] =>
    [...new Set(names)].map((name) => namedTagRecord(site, kind, name))

  const articleRecords = (item: FeedItem): readonly ImportRecord[] => {
    const { line, address, id } = item
    const uuid = derivedUuid(site, 'item', id)
    const body = bodyOf({
      html: `${item.content}${attachedHtml(item)}`,
      options: { base: isAddress(address) ? address : `${site}/` },
      fileOf: files.fileOf,
      slotId: (number) => derivedUuid(site, 'slot', `${id} ${number}`),
    })
    const text = plainText(item.content)
    const title = plainLine(item.title) || shortened(text.replaceAll(/\s+/g, ' '), 80) || 'Untitled'
    const parts = addressParts(address)
    const path = decodedPath(parts?.path ?? '')
    const urlname = urlnameFor(path, title)
    const isOwnPath = path !== '' && path !== '/' && path.replace(/\/$/, '') !== `/${urlname}`
    const image = media === 'files' && isAddress(item.image) ? files.use(item.image) : null
    const [issued, modified] = [timeOf(item.published), timeOf(item.modified)]
    const object = importedObject({
      collection: 'content',
      id: uuid,
      attributes: present({
        content_type: 'article',
        title: shortened(title, 255),
        urlname,
        description: shortened(plainText(item.summary), 10_000),
        content: body.markup,
        state,
        issued,
        created: issued ?? modified,
        modified: modified ?? issued,
        teaser_image_uuid: image,
        header_image_uuid: image,
      }),
      slots: body.slots,
      tags: [
        ...item.categories.map((name) => ({ tag: namedTagUuid(site, 'tag', name), predicate: 'describes' })),
        ...item.authors.map((name) => ({ tag: namedTagUuid(site, 'author', name), predicate: 'authored' })),
      ].map((each) => ({ ...each, attributes: {} })),
      earlier_paths: isOwnPath && parts?.host === siteHost ? [path] : [],
    })
    const notes = [
      ...item.notes.map((each) => fileNote('item', each, line)),
      ...[item.published, item.modified].flatMap((written) =>
        written === '' || timeOf(written) !== null
          ? []
          : [fileNote('time', `no time: ${written.slice(0, 100)}`, line)],
      ),
      ...(item.image !== '' && image === null
        ? [fileNote('medium', `the image is left out: ${item.image.slice(0, 300)}`, line)]
        : []),
      // The lines are those of the text, and not of the file.
      ...body.notes.map((each) => ({ ...each, line: null })),
    ]
    const record = importRecord({ origin: { source: `item ${id}`, title, line }, notes, object })
    return [...files.recordsOf(files.takeUsed()), record]
  }

  const seen = new Set<string>()
  return [
    ...tagRecords(
      'tag',
      items.flatMap(({ categories }) => categories),
    ),
    ...tagRecords(
      'author',
      items.flatMap(({ authors }) => authors),
    ),
    ...items.flatMap((item): readonly ImportRecord[] => {
      const reason =
        item.id === ''
          ? 'it has no id, address or title'
          : seen.has(item.id)
            ? 'it is in the feed twice'
            : null
      seen.add(item.id)
      if (reason === null) return articleRecords(item)
      const { id, title, line } = item
      return [
        importRecord({
          origin: { source: `item ${id}`, title: plainLine(title), line },
          notes: [fileNote('item', `not taken over: ${reason}`, line)],
        }),
      ]
    }),
  ]
}

const feedIn = (text: string): Either<string, Feed> => {
  const isJson = /^\s*[{[]/.test(text)
  if (isJson) {
    const parsed = E.tryCatch((): unknown => JSON.parse(text), String)
    const feed = E.isRight(parsed) ? feedInJson(parsed.right) : null
    return feed === null ? E.left('is no JSON Feed') : E.right(feed)
  }
  const root = readXml(text.replace(/^[\ufeff\s]+/, ''))
  if (E.isLeft(root)) return E.left(`is no XML that can be read: ${root.left}`)
  const feed = feedInXml(root.right)
  return feed === null
    ? E.left(`is no feed of RSS or Atom: it begins with <${root.right.name}>`)
    : E.right(feed)
}

/** The items of a feed as articles, with their categories and authors as tags. What is wrong with the feed otherwise. */
export const readFeed = (text: string, options: FeedOptions): Either<readonly Fault[], ImportSource> => {
  const feed = feedIn(text)
  if (E.isLeft(feed)) return E.left([fault('', 'format', feed.left)])
  const site = (options.site ?? feed.right.home).replace(/\/+$/, '')
  if (!isAddress(site))
    return E.left([fault('', 'required', 'does not say the address of its website: it has to be named')])
  const records = recordsOf(feed.right, { ...options, site })
  return E.right({
    total: records.length,
    records: async function* () {
      yield* records
    },
  })
}
