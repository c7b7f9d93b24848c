import { momentOf } from '../../resource/moment.js'
import { publishedComments } from '../../comment/comments-count.js'
import { derived, stored } from '../../resource/attribute.js'
import { image } from '../../resource/image-attributes.js'
import { publicationState } from '../../resource/publication.js'
import { stamps } from '../../resource/stamps.js'
import { markup } from '../../value/markup.js'
import { reference } from '../../value/reference.js'
import { boolean, dateTime } from '../../value/scalar.js'
import { text, urlname, webAddress } from '../../value/text.js'
import { contentTypeAttributes } from '../content-type.js'
import { slotLimits } from '../slot.js'
import { publicPath } from '../../path/public-path.js'
import { contentPath } from '../content-path.js'

export const contentMarkup = markup({ slots: true, max: 1_000_000, mostSlots: slotLimits.slots })

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
  issued: stored(dateTime, 'When it goes live; set when it is first published without one.'),
  issued_moment: momentOf('issued'),
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
