/** Feeds, independent of a format. */
import { content } from '../content/content.js'
import { contentPath } from '../content/attributes/common-attributes.js'
import type { Settings } from '../instances/settings.js'
import type { JsonObject } from '../json.js'
import { withAbsoluteAddresses, withoutSlots } from '../markup/with-absolute-addresses.js'
import { pageAddress } from '../paths/page-address.js'
import { pathLookups, publicPath } from '../paths/public-path.js'
import { byteSizeOf, downloadUrl, mimetypeOf } from '../files/file-data.js'
import { partOf, stateIn } from '../resource/attribute-tables.js'
import type { Lookup } from '../resource/read-plan.js'
import type { ViewContext } from '../resource/view-context.js'
import { sectionPath, section } from '../sections/section.js'
import { displayName, taggingsOf } from '../tags/tag.js'
import { reachedAt } from '../resource/standard-attributes.js'
import { hasPublicDownloads } from '../role/operations.js'
import { offsetDateTime } from '../time/naive-date-time.js'

const teaser = { teaser_image_uuid: content.attributes.teaser_image_uuid } as const

/** Maximum number of entries of a feed. */
export const maxFeedEntries = 50

type FeedImage = { readonly url: string; readonly mimetype: string; readonly bytes: number }

/** Live content in a feed. Times are as RFC 3339 writes them. */
export type FeedEntry = {
  readonly uuid: string
  /** Address of the public page. */
  readonly url: string
  readonly title: string
  readonly published: string
  readonly updated: string
  readonly authors: readonly string[]
  readonly summary: string | null
  /** Its addresses are absolute. */
  readonly html: string | null
  readonly image: FeedImage | null
}

/** The newest live content of a section or an instance, independent of a format (docs/behaviour/feeds.md). */
export type Feed = {
  /** The section; null for the whole instance. */
  readonly uuid: string | null
  readonly title: string
  /** Name of the publication. */
  readonly publication: string
  readonly language: string
  /** Address of the public page. */
  readonly url: string
  readonly updated: string
  /** Address of the website, where the feed is read. */
  readonly website: string
  /** Address of the hub that tells subscribers of changes; null without one. */
  readonly hub: string | null
  readonly entries: readonly FeedEntry[]
}

const authorsOf = (state: JsonObject): readonly string[] =>
  taggingsOf(state).flatMap(({ predicate, tag }) => (predicate === 'authored' ? [tag] : []))

const imagesOf = (state: JsonObject): readonly string[] => {
  const { teaser_image_uuid: id } = partOf(teaser, state)
  return id === null ? [] : [id]
}

/** The look-ups that the entry of a content object needs. */
export const feedLookups = (state: JsonObject): readonly Lookup[] => [
  ...pathLookups(contentPath, state),
  ...imagesOf(state).map((id) => ({ reference: { path: '', collection: 'files', id } })),
  ...authorsOf(state).map((id) => ({ reference: { path: '', collection: 'tags', id } })),
]

/** For content that was stored without a time. */
const beginning = '1970-01-01T00:00:00'

const imageOf = (
  { teaser_image_uuid: id }: { readonly teaser_image_uuid: string | null },
  view: ViewContext,
): FeedImage | null => {
  const [url, mimetype, bytes] = [downloadUrl(view, id), mimetypeOf(view, id), byteSizeOf(view, id)]
  return url === null || mimetype === null || bytes === null ? null : { url, mimetype, bytes }
}

/** The settings of an instance whose website is known. */
export type Website = Settings & { readonly website_url: string }

/** A content object as an entry. An image whose download needs a token is left out. */
export const feedEntry = (value: JsonObject, view: ViewContext, settings: Website): FeedEntry => {
  const state = stateIn(content, value)
  const { issued, issued_moment, created, modified, title, description } = state
  const published = reachedAt(issued, issued_moment) ?? created ?? beginning
  const time = (moment: string) => offsetDateTime(moment, settings.timezone)
  const url = pageAddress(settings.website_url, publicPath(contentPath, value, view.find))
  return {
    uuid: view.id,
    url,
    title: title ?? '',
    published: time(published),
    updated: time(modified ?? published),
    authors: authorsOf(value).flatMap((id) => {
      const tag = view.find('tags', id)
      return tag === undefined ? [] : [displayName(tag)]
    }),
    summary: description,
    html: state.content === null ? null : withAbsoluteAddresses(withoutSlots(state.content), url),
    image: hasPublicDownloads(settings) ? imageOf(state, view) : null,
  }
}

/** The feed of a section with its state, or of the instance. */
export const feedOf = (
  of: { readonly uuid: string; readonly state: JsonObject } | null,
  entries: readonly FeedEntry[],
  { title, language, timezone, website_url, hub_url }: Website,
  find: ViewContext['find'],
): Feed => ({
  uuid: of?.uuid ?? null,
  title: of === null ? title : `${title}: ${partOf(section.attributes, of.state).title ?? ''}`,
  publication: title,
  language,
  url: pageAddress(website_url, of === null ? '/' : publicPath(sectionPath, of.state, find)),
  updated: entries
    .flatMap(({ published, updated }) => [published, updated])
    .reduce(
      (latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest),
      offsetDateTime(beginning, timezone),
    ),
  website: website_url,
  hub: hub_url,
  entries,
})
