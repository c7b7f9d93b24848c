import type { JsonObject } from '../json.js'
import { pageAddress } from '../path/page-address.js'
import { publicPath, type PathRule } from '../path/public-path.js'
import { stored } from '../resource/attribute.js'
import { partOf } from '../resource/table-entries.js'
import type { ViewContext } from '../resource/view-context.js'
import { dateTime } from '../value/scalar.js'
import { webAddressOrPath } from '../value/text.js'

/** Maximum number of pages in one sitemap, by its protocol. */
export const sitemapSize = 50_000

/** A public page. */
export type SitemapEntry = {
  readonly url: string
  /** The day of the last change in the zone of the instance, `2026-03-01`; null if it is not known. */
  readonly changed: string | null
}

const listed = {
  modified: stored(dateTime, 'When it was last changed.'),
  externalurl: stored(webAddressOrPath, 'Address that a section leads to instead of its own page.'),
} as const

/** The page of an object with a public path; null for a section that has none. */
export const sitemapEntry = (
  rule: PathRule,
  state: JsonObject,
  website: string,
  find: ViewContext['find'],
): SitemapEntry | null => {
  const { modified, externalurl } = partOf(listed, state)
  if (externalurl !== null) return null
  return { url: pageAddress(website, publicPath(rule, state, find)), changed: modified?.slice(0, 10) ?? null }
}

/** Public pages, or the number of parts in which they are read. */
export type Sitemap = { readonly entries: readonly SitemapEntry[] } | { readonly parts: number }
