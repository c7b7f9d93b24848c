import { badParameters, fault, notFound, nowIn, section } from '@publishing-service/domain'
import { visibilityOf } from '@publishing-service/domain/engine'
import {
  kindsBelowPrefixes,
  kindsInSections,
  pageAddress,
  pathLookups,
  type PathKind,
} from '@publishing-service/domain/paths'
import type { Parameters } from '@publishing-service/domain/lists'
import {
  newsEntry,
  newsLanguage,
  newsTypes,
  readsSlots,
  sitemapEntry,
  sitemapLimits,
  sitemapLookups,
  type News,
  type Sitemap,
  type SitemapEntry,
  type Website,
} from '@publishing-service/domain/feeds'
import { contentPath } from '@publishing-service/domain/content'
import { hasPublicDownloads, operations } from '@publishing-service/domain/roles'
import { unreadable, type Document } from '@publishing-service/ports'

import { fail } from '../attempt.js'
import { batchesOf } from '../batches-of.js'
import { loadReferences } from '../engine/load-related.js'
import {
  afterOf,
  blockSize,
  documentsMeeting,
  maxReadBytes,
  seek,
  type FindPage,
  type Position,
} from '../engine/read-page.js'
import { newestLive } from '../homepage/newest-live.js'
import type { ReadOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { websiteSettings } from './website-settings.js'

/** The kinds of pages in the order of a sitemap: those of which there are many are last, so that few parts change. */
const kinds: readonly PathKind[] = [
  ...kindsInSections.filter(({ resource }) => resource === section),
  ...kindsBelowPrefixes.toReversed(),
  ...kindsInSections.filter(({ resource }) => resource !== section),
]

/** Objects that one query returns: few, because other requests wait while they are decoded. */
const batchSize = 100

/** Objects whose slots one query reads. */
const slotBatchSize = 20

const findPagesOf = (session: Session, { resource, rule: { listedBy } }: PathKind): FindPage =>
  documentsMeeting(session.documents, resource.collection, {
    where: visibilityOf(resource, session),
    order: listedBy === undefined ? [] : [{ key: listedBy, direction: 'asc' }],
  })

/** The documents of a kind, with the slots of those that may show images in them. */
const withSlots = async (
  session: Session,
  kind: PathKind,
  documents: readonly Document[],
): Promise<readonly Document[]> => {
  const read = new Map<string, Document>()
  const ids = documents.flatMap(({ id, value }) => (readsSlots(kind, value, session) ? id : []))
  for (const batch of batchesOf(ids, slotBatchSize))
    for (const each of await session.documents.getMany(kind.resource.collection, batch, 'full'))
      read.set(each.id, each)
  return documents.map((each) => read.get(each.id) ?? each)
}

/** Up to as many pages of a kind as a sitemap has, from a position on. Other requests are served between its queries. */
const readEntries = async (
  session: Session,
  kind: PathKind,
  settings: Website,
  start: Position,
): Promise<readonly SitemapEntry[]> => {
  const entries: SitemapEntry[] = []
  const findPages = findPagesOf(session, kind)
  let position = start
  for (let remaining: number = sitemapLimits.pages; remaining > 0;) {
    const { items, next } = await findPages({
      ...afterOf(position),
      skip: 0,
      limit: Math.min(batchSize, remaining),
      detail: 'light',
      bytes: maxReadBytes,
    })
    const readable = items.filter(({ value }) => value !== unreadable)
    const found = hasPublicDownloads(settings) ? await withSlots(session, kind, readable) : readable
    const lookups = found.flatMap(({ value }) => sitemapLookups(kind, value, session, settings))
    const find = await loadReferences(session, lookups)
    for (const { id, value } of found) {
      const entry = sitemapEntry(kind, value, new SessionView(session, id, { find }), settings)
      if (entry !== null) entries.push(entry)
    }
    if (next === null) break
    position = { after: next, offset: 0 }
    remaining -= items.length
  }
  return entries
}

/** A part of a sitemap: pages of one kind, after those of its earlier parts. */
type Part = { readonly kind: PathKind; readonly number: number }

/** The parts of a kind by the start of its last block. Only the positions of blocks are read. */
const partsOf = async (session: Session, kind: PathKind, lastBlock: number): Promise<readonly Part[]> => {
  const parts = Array.from({ length: Math.floor(lastBlock / sitemapLimits.pages) + 1 }, (_, number) => ({
    kind,
    number,
  }))
  // The homepage is in the first part of sections.
  if (lastBlock > 0 || kind.resource.collection === section.collection) return parts
  const first = await findPagesOf(session, kind)({ skip: 0, limit: 1, detail: 'light' })
  return first.items.length === 0 ? [] : parts
}

const readSitemapOf = async (session: Session, settings: Website, part: number | null): Promise<Sitemap> => {
  const { website_url: website } = settings
  const homepage: SitemapEntry = { url: pageAddress(website, '/'), changed: null, images: [] }
  const parts: Part[] = []
  let most = 1
  for (const kind of kinds) {
    const last = await seek(findPagesOf(session, kind), Number.MAX_SAFE_INTEGER)
    const found = await partsOf(session, kind, last.offset)
    parts.push(...found)
    most += last.offset + blockSize
  }
  const isWhole = most <= sitemapLimits.pages
  if (part === null && !isWhole) return { parts: parts.length, website }
  const entries = part === null || part === 1 ? [homepage] : []
  for (const { kind, number } of part === null ? parts : parts.slice(part - 1, part)) {
    const start = await seek(findPagesOf(session, kind), number * sitemapLimits.pages)
    const read = await readEntries(session, kind, settings, start)
    for (const entry of read) entries.push(entry)
  }
  if (entries.length === 0) fail(notFound)
  return { entries }
}

const partIn = ({ part }: Parameters): number | null => {
  if (part === undefined) return null
  if (typeof part === 'string' && /^[1-9]\d{0,5}$/.test(part)) return Number(part)
  fail(badParameters([fault('part', 'parameter', 'must be the number of a part from 1 on, sent once')]))
}

/** Reads the sitemap, or one of its parts (docs/behaviour/feeds.md#sitemap). */
export const readSitemap: ReadOperation<{ readonly parameters: Parameters }, Sitemap> = {
  ...operations.readSitemap,
  run: async (session, { parameters }) => {
    const part = partIn(parameters)
    return readSitemapOf(session.asPublic(), websiteSettings(session), part)
  },
}

const readNewsOf = async (session: Session, settings: Website): Promise<News> => {
  const since = nowIn(settings.timezone, session.clock.now() - sitemapLimits.newsTime)
  const found = await newestLive(
    session,
    [
      { key: 'content_type', oneOf: newsTypes },
      { key: 'live_from', above: since },
    ],
    sitemapLimits.news,
  )
  const find = await loadReferences(
    session,
    found.flatMap(({ value }) => pathLookups(contentPath, value)),
  )
  return {
    publication: settings.title,
    language: newsLanguage(settings.language),
    entries: found.flatMap(({ value }) => newsEntry(value, { find }, settings) ?? []),
  }
}

/** Reads the live stories of the last days for search engines (docs/behaviour/feeds.md#news). */
export const readNews: ReadOperation<object, News> = {
  ...operations.readNews,
  run: async (session) => readNewsOf(session.asPublic(), websiteSettings(session)),
}

/** Reads what robots may read of the website (docs/behaviour/feeds.md#robots). */
export const readRobots: ReadOperation<object, Website> = {
  ...operations.readRobots,
  run: async (session) => websiteSettings(session),
}
