import { pageAddress } from '../../paths/page-address.js'
import { type PathRule, publicPath } from '../../paths/public-path.js'
import { momentOf, publicationState, stamps } from '../../resource/standard-attributes.js'
import { publishedComments } from '../../comments/comments-count.js'
import { derived, stored } from '../../resource/attribute.js'
import { image, downloadUrl, fileTextAttributes } from '../../files/file-data.js'
import { markup } from '../../value/markup.js'
import { reference } from '../../value/reference.js'
import { boolean, dateTime } from '../../value/scalar.js'
import { webAddress } from '../../value/address.js'
import { text, urlname } from '../../value/text.js'
import { contentTypeAttributes } from '../content-type.js'
import { reviewAttributes } from '../review.js'
import { slotLimits } from '../slot.js'
import type { Json } from '../../json.js'
import { attributeIn, type Shape } from '../../resource/attribute-tables.js'
import type { ViewContext } from '../../resource/view-context.js'

/** The public path of content is below that of its section (docs/behaviour/paths.md#public-path). */
export const contentPath = {
  prefix: '/',
  section: 'section_uuid',
  listedBy: 'live_from',
} as const satisfies PathRule

const contentMarkup = markup({ slots: true, max: 1_000_000, mostSlots: slotLimits.slots })

type InSection = { readonly urlname: string | null; readonly section_uuid: string | null }

/** The attributes of every content type (docs/behaviour/content.md). */
export const commonAttributes = {
  ...contentTypeAttributes,
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true, searched: 'title' }),
  sub_title: stored(text({ max: 1000 }), 'Subtitle.', { searched: 'description' }),
  kicker: stored(text({ max: 255 }), 'Line above the title.', { searched: 'description' }),
  urlname: stored(urlname, 'Name in public paths; unique within the section, for events among events.', {
    required: true,
  }),
  description: stored(text({ max: 10_000 }), 'Teaser text.', { searched: 'description' }),
  print_description: stored(text({ max: 100_000 }), 'Text for the print edition.', { heavy: true }),
  content: stored(contentMarkup, `Body: XML-compliant HTML with at most ${slotLimits.slots} slot tags.`, {
    heavy: true,
    searched: 'body',
  }),
  state: publicationState('draft'),
  ...stamps,
  issued: stored(dateTime, 'When it goes live; now, if it goes live without one.'),
  issued_moment: momentOf('issued'),
  ...reviewAttributes,
  section_uuid: stored(reference('sections'), 'Section; null at the top.'),
  blog_uuid: stored(reference('blogs'), 'Blog.', {
    deprecated: 'Blogs are deprecated since release 2.10; use sections.',
  }),
  evergreen: stored(boolean, 'Whether it stays relevant regardless of its age.', { initial: false }),
  meta_title: stored(text({ max: 1000 }), 'Title for search engines.'),
  meta_description: stored(text({ max: 5000 }), 'Description for search engines.'),
  canonical_url: stored(webAddress, 'Address of the original, for search engines.'),
  perma_url_path: derived(
    { type: 'string' },
    'Public path: urlnames of the sections and its own.',
    (state: InSection, view) => publicPath(contentPath, state, view.find),
    { needs: ['section_uuid'], chain: 'parent_uuid' },
  ),
  comments_count: derived(
    { type: 'integer', minimum: 0 },
    'Number of published comments on it, replies included.',
    (_state, view) => view.count(publishedComments),
    { counts: publishedComments },
  ),
  ...image('teaser_image', 'Teaser image'),
  ...image('header_image', 'Wide feature image'),
} as const

const legacy = <S, N extends string = never>(
  description: string,
  instead: string,
  read: (state: S, view: ViewContext) => Json = () => null,
  needs: readonly N[] = [],
) =>
  derived({ type: 'string' }, description, read, {
    deprecated: `Since release 2.9; use ${instead}.`,
    nullable: true,
    needs,
  })

/** The download address of one of the content's images. */
const imageAt = <N extends string>(uuidName: N, instead: string) =>
  legacy(
    `The same as ${instead}.`,
    instead,
    (state: Readonly<Record<N, string | null>>, view) => downloadUrl(view, state[uuidName]),
    [uuidName],
  )

/** An attribute of the file of the header image. */
const headerText = (name: 'title' | 'description', what: string) =>
  legacy(
    `${what} of the header image: the ${name} of its file.`,
    `the ${name} of the header image`,
    ({ header_image_uuid: id }: { readonly header_image_uuid: string | null }, { find }) =>
      attributeIn(fileTextAttributes, name, typeof id === 'string' ? find('files', id) : undefined),
    ['header_image_uuid'],
  )

const empty = 'Always null, for clients of old releases.'

/**
 * Attributes of old releases that clients expect on every content object
 * (docs/behaviour/deprecated.md#null-attributes, docs/behaviour/deprecated.md#feature-attributes).
 */
export const legacyAttributes = {
  feature_image_url: imageAt('header_image_uuid', 'header_image_url'),
  feature_image_caption: headerText('description', 'Caption'),
  feature_image_alttext: headerText('title', 'Text in place'),
  feature_thumb_url: imageAt('teaser_image_uuid', 'teaser_image_url'),
  slideshow_uuid: legacy(empty, 'media slots'),
  video_uuid: legacy(empty, 'media slots'),
} as const

/** Additional information about a content object: the address of its page on the website. */
export const contentInfo: Shape = {
  attributes: {
    section_uuid: stored(reference('sections'), 'Section.', { internal: true }),
    public_url: derived(
      { type: 'string', format: 'uri' },
      'Address of the public page; null until the setting `website_url` is set.',
      (state, { settings: { website_url: website }, find }) =>
        website === null ? null : pageAddress(website, publicPath(contentPath, state, find)),
      { needs: ['section_uuid'], chain: 'parent_uuid', nullable: true },
    ),
  },
}
