/** Sitemaps, independent of a format (docs/behaviour/feeds.md#sitemap). */
import { content } from '../content/content.js'
import { contentPath } from '../content/attributes/common-attributes.js'
import { contentTypes } from '../content/content-type.js'
import { placedSlots, slotOf } from '../content/slot.js'
import { downloadUrl } from '../files/file-data.js'
import { file } from '../files/file.js'
import type { JsonObject } from '../json.js'
import { pageAddress } from '../paths/page-address.js'
import { pathLookups, publicPath } from '../paths/public-path.js'
import type { PathKind } from '../resource/resources.js'
import { stored } from '../resource/attribute.js'
import { includedReferences, includeNamesOf, type IncludePath } from '../resource/include.js'
import type { Lookup } from '../resource/read-plan.js'
import type { Resource } from '../resource/resource.js'
import { reachedAt, stamps, timeTouched } from '../resource/standard-attributes.js'
import { partOf, stateIn } from '../resource/attribute-tables.js'
import { usedFilesKey } from '../resource/used-files.js'
import type { ViewContext, Viewer } from '../resource/view-context.js'
import { hasPublicDownloads } from '../role/operations.js'
import { offsetDateTime } from '../time/naive-date-time.js'
import { webAddressOrPath } from '../value/address.js'
import type { Website } from './feed.js'

const mebibyte = 1024 * 1024

/** The limits of sitemaps by their protocol and by search engines. */
export const sitemapLimits = {
  /** Maximum number of pages in one sitemap. */
  pages: 50_000,
  /** Maximum number of images of one page. */
  images: 1000,
  /** Maximum size of all images in one sitemap, in bytes of XML: half of what a sitemap may have. */
  imageBytes: 25 * mebibyte,
  /** Maximum number of stories in a sitemap of news. */
  news: 1000,
  /** Milliseconds for which a story is news. */
  newsTime: 2 * 86_400_000,
} as const

/** A public page. */
export type SitemapEntry = {
  readonly url: string
  /** The day on which the page was last touched in the zone of the instance, `2026-03-01`; null if it is not known. */
  readonly changed: string | null
  /** The addresses of the images that it shows. */
  readonly images: readonly string[]
}

/** Public pages, or the number of parts in which they are read, with the address of the website. */
export type Sitemap =
  { readonly entries: readonly SitemapEntry[] } | { readonly parts: number; readonly website: string }

/** A story that is news. */
export type NewsEntry = {
  readonly url: string
  readonly title: string
  /** When it went live, as RFC 3339 writes it. */
  readonly published: string
}

/** The stories that are news, the newest first. */
export type News = {
  readonly publication: string
  /** As search engines expect it. */
  readonly language: string
  readonly entries: readonly NewsEntry[]
}

/** The types of content that are stories. */
export const newsTypes = contentTypes.filter((type) => type !== 'event')

const imagePathsOf = new WeakMap<Resource, readonly IncludePath[]>()

/** The references of a resource to images, as `include` names them. */
const imagePaths = (resource: Resource): readonly IncludePath[] => {
  let paths = imagePathsOf.get(resource)
  if (paths === undefined) {
    paths = includeNamesOf(resource).flatMap((name): IncludePath[] =>
      name.includes('.') ? [] : [{ names: [name], fields: null }],
    )
    imagePathsOf.set(resource, paths)
  }
  return paths
}

/** The images that an object refers to in its own attributes. */
const ownImages = (resource: Resource, state: JsonObject, viewer: Viewer): readonly string[] =>
  includedReferences(resource, state, viewer, imagePaths(resource)).flatMap(({ reference }) =>
    reference.collection === file.collection ? reference.id : [],
  )

/** The images in the slots that a body shows. */
const slotImages = (state: JsonObject): readonly string[] =>
  placedSlots(state).flatMap((slot) =>
    slotOf(state, slot).media.flatMap(({ image_uuid: id }) => (typeof id === 'string' ? id : [])),
  )

/**
 * The images that the page of an object shows, unless their download needs a token. Those in slots are in states with heavy
 * attributes only.
 */
const imagesOnPage = (
  { resource }: PathKind,
  state: JsonObject,
  viewer: Viewer,
  settings: Website,
): readonly string[] =>
  hasPublicDownloads(settings)
    ? [...new Set([...ownImages(resource, state, viewer), ...slotImages(state)])].slice(
        0,
        sitemapLimits.images,
      )
    : []

/** Whether an object may show images in slots, so that its heavy attributes are read too. */
export const readsSlots = ({ resource }: PathKind, state: JsonObject, viewer: Viewer): boolean => {
  if (placedSlots(state).length === 0) return false
  const { [usedFilesKey]: used } = state
  const own = new Set<unknown>(ownImages(resource, state, viewer))
  return !Array.isArray(used) || used.some((id) => !own.has(id))
}

/** The look-ups that the entry of an object needs. */
export const sitemapLookups = (
  kind: PathKind,
  state: JsonObject,
  viewer: Viewer,
  settings: Website,
): readonly Lookup[] => [
  ...pathLookups(kind.rule, state),
  ...imagesOnPage(kind, state, viewer, settings).map((id) => ({
    reference: { path: '', collection: file.collection, id },
  })),
]

const listed = {
  externalurl: stored(webAddressOrPath, 'Address that a section leads to instead of its own page.'),
} as const

/** The page of an object with a public path; null for a section that has none. */
export const sitemapEntry = (
  kind: PathKind,
  state: JsonObject,
  view: ViewContext,
  settings: Website,
): SitemapEntry | null => {
  const { externalurl } = partOf(listed, state)
  if (externalurl !== null) return null
  return {
    url: pageAddress(settings.website_url, publicPath(kind.rule, state, view.find)),
    changed: timeTouched(state)?.slice(0, 10) ?? null,
    images: imagesOnPage(kind, state, view, settings).flatMap((id) => downloadUrl(view, id) ?? []),
  }
}

/** A live story as news. */
export const newsEntry = (
  value: JsonObject,
  { find }: Pick<ViewContext, 'find'>,
  { website_url, timezone }: Website,
): NewsEntry | null => {
  const { title, issued, issued_moment } = stateIn(content, value)
  const published = reachedAt(issued, issued_moment) ?? partOf(stamps, value).created
  if (title === null || published === null) return null
  return {
    url: pageAddress(website_url, publicPath(contentPath, value, find)),
    title,
    published: offsetDateTime(published, timezone),
  }
}

/** The language of a publication as sitemaps of news name it: the language alone, but for Chinese with its script. */
export const newsLanguage = (tag: string): string => {
  const [language = '', ...subtags] = tag.toLowerCase().split('-')
  if (language !== 'zh') return language
  return ['hant', 'tw', 'hk', 'mo'].some((each) => subtags.includes(each)) ? 'zh-tw' : 'zh-cn'
}
