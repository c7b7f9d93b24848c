import { visibilityOf } from '@publishing-service/domain/engine'
import { badParameters, fault, notFound, section } from '@publishing-service/domain'
import {
  kindsBelowPrefixes,
  kindsInSections,
  pageAddress,
  pathLookups,
  type PathKind,
} from '@publishing-service/domain/paths'
import type { Parameters } from '@publishing-service/domain/lists'
import { sitemapEntry, sitemapSize, type SitemapEntry, type Sitemap } from '@publishing-service/domain/feeds'
import { operations } from '@publishing-service/domain/access'
import { unreadable } from '@publishing-service/ports'

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
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { websiteSettings } from './website-settings.js'

/** The kinds of pages in the order of a sitemap: those of which there are many are last, so that few parts change. */
const kinds: readonly PathKind[] = [
  ...kindsInSections.filter(({ resource }) => resource === section),
  ...kindsBelowPrefixes.toReversed(),
  ...kindsInSections.filter(({ resource }) => resource !== section),
]

/** Objects that one query returns: few, because other requests wait while they are decoded. */
const batchSize = 100

const findPagesOf = (session: Session, { resource, rule: { listedBy } }: PathKind): FindPage =>
  documentsMeeting(session.documents, resource.collection, {
    where: visibilityOf(resource, session),
    order: listedBy === undefined ? [] : [{ key: listedBy, direction: 'asc' }],
  })

/** Up to `sitemapSize` pages of a kind from a position on. Other requests are served between its queries. */
const readEntries = async (
  session: Session,
  kind: PathKind,
  website: string,
  start: Position,
): Promise<readonly SitemapEntry[]> => {
  const entries: SitemapEntry[] = []
  const findPages = findPagesOf(session, kind)
  let position = start
  for (let remaining = sitemapSize; remaining > 0;) {
    const found = await findPages({
      ...afterOf(position),
      skip: 0,
      limit: Math.min(batchSize, remaining),
      detail: 'light',
      bytes: maxReadBytes,
    })
    const { items: documents, next } = found
    const states = documents.flatMap(({ value }) => (value === unreadable ? [] : [value]))
    const lookups = states.flatMap((state) => pathLookups(kind.rule, state))
    const find = await loadReferences(session, lookups)
    entries.push(...states.flatMap((state) => sitemapEntry(kind.rule, state, website, find) ?? []))
    if (next === null) break
    position = { after: next, offset: 0 }
    remaining -= documents.length
  }
  return entries
}

/** A part of a sitemap: pages of one kind, after those of its earlier parts. */
type Part = { readonly kind: PathKind; readonly number: number }

/** The parts of a kind by the start of its last block. Only the positions of blocks are read. */
const partsOf = async (session: Session, kind: PathKind, lastBlock: number): Promise<readonly Part[]> => {
  const parts = Array.from({ length: Math.floor(lastBlock / sitemapSize) + 1 }, (_, number) => ({
    kind,
    number,
  }))
  // The homepage is in the first part of sections.
  if (lastBlock > 0 || kind.resource.collection === section.collection) return parts
  const first = await findPagesOf(session, kind)({ skip: 0, limit: 1, detail: 'light' })
  return first.items.length === 0 ? [] : parts
}

const readSitemapOf = async (session: Session, website: string, part: number | null): Promise<Sitemap> => {
  const homepage: SitemapEntry = { url: pageAddress(website, '/'), changed: null }
  const parts: Part[] = []
  let most = 1
  for (const kind of kinds) {
    const last = await seek(findPagesOf(session, kind), Number.MAX_SAFE_INTEGER)
    const found = await partsOf(session, kind, last.offset)
    parts.push(...found)
    most += last.offset + blockSize
  }
  const isWhole = most <= sitemapSize
  if (part === null && !isWhole) return { parts: parts.length }
  const entries = part === null || part === 1 ? [homepage] : []
  for (const { kind, number } of part === null ? parts : parts.slice(part - 1, part)) {
    const start = await seek(findPagesOf(session, kind), number * sitemapSize)
    const read = await readEntries(session, kind, website, start)
    for (const entry of read) entries.push(entry)
  }
  if (entries.length === 0) throw notFound
  return { entries }
}

const partIn = ({ part }: Parameters): number | null => {
  if (part === undefined) return null
  if (typeof part === 'string' && /^[1-9]\d{0,5}$/.test(part)) return Number(part)
  throw badParameters([fault('part', 'parameter', 'must be the number of a part from 1 on, sent once')])
}

/** Reads the sitemap, or one of its parts (docs/behaviour/feeds.md#sitemap). */
export const readSitemap: ReadOperation<{ readonly parameters: Parameters }, Sitemap> = {
  ...operations.readSitemap,
  run: async (session, { parameters }) => {
    const part = partIn(parameters)
    return readSitemapOf(session.asPublic(), websiteSettings(session).website_url, part)
  },
}
