import { E } from '../fp.js'
import { maxImageSide } from '../image/image-header.js'
import { computed, derived, stored } from '../resource/attribute.js'
import { downloadUrl } from '../resource/image-attributes.js'
import { defineResource } from '../resource/resource.js'
import { periodFilter } from '../resource/standard-filters.js'
import { stamps } from '../resource/stamps.js'
import { taggingAttributes } from '../tagging/tagging-attributes.js'
import { fold } from '../value/fold.js'
import { boolean, integer } from '../value/scalar.js'
import { text } from '../value/text.js'
import { canonicalMimetype, maxCharset, mimetypeGroup, mimetypePattern } from './mimetype.js'

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true }),
  filename: stored(text({ max: 255, min: 1 }), 'File name that downloads are offered under.', {
    required: true,
  }),
  description: stored(text({ max: 10_000 }), 'Description.'),
  credits: stored(text({ max: 1000 }), 'Who made it.'),
  ...stamps,
  mimetype: stored(text({ max: 255 }), 'MIME type, from the Content-Type of the upload; null before.', {
    readOnly: true,
  }),
  byte_size: stored(
    integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    'Size of the data in bytes; null before the upload.',
    {
      readOnly: true,
    },
  ),
  width: stored(
    integer({ min: 1, max: maxImageSide }),
    'Width of an image in pixels, upright; null for others.',
    {
      readOnly: true,
    },
  ),
  height: stored(
    integer({ min: 1, max: maxImageSide }),
    'Height of an image in pixels, upright; null for others.',
    {
      readOnly: true,
    },
  ),
  download_url: derived(
    { type: 'string', format: 'uri' },
    'Where to download the data; changes with each upload; null before the first.',
    (state, view) =>
      typeof state['upload'] === 'number' ? downloadUrl({ ...view, find: () => state }, view.id) : null,
    { nullable: true },
  ),
  upload: stored(
    integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    'Number of the upload, as in the download path.',
    {
      internal: true,
    },
  ),
  image_format: stored(text({ max: 255 }), 'Format of an image by its own header, as a MIME type.', {
    internal: true,
  }),
  image_cmyk: stored(boolean, 'Whether the pixels of the image are in CMYK.', { internal: true }),
  charset: stored(text({ max: maxCharset }), 'Charset of a text, from the Content-Type of the upload.', {
    internal: true,
  }),
  sha256: stored(text({ max: 64 }), 'SHA-256 of the data.', { internal: true }),
  blob: stored(text({ max: 200 }), 'Path of the data in the blob store.', { internal: true }),
  mimetype_group: computed('text', 'First component of the MIME type.', (state) =>
    typeof state['mimetype'] === 'string' ? mimetypeGroup(state['mimetype']) : null,
  ),
  ...taggingAttributes,
  title_order: computed('text', 'The title as lists order it.', (state) => fold(String(state['title']))),
} as const

/** Groups or types in one filter. */
const maxListed = 100

/** Separators of MIME types: a comma, or a hyphen that a new type follows; types hold hyphens themselves. */
const separator = /,|-(?=[a-z]+\/)/i

/** The file library (specification, File; decisions §10). */
export const file = defineResource({
  name: 'file',
  collection: 'files',
  description: 'Files have metadata, written first, and data, uploaded to them.',
  attributes,
  orders: {
    title: 'title_order',
    filename: 'filename',
    created: 'created',
    modified: 'modified',
    byte_size: 'byte_size',
  },
  filters: {
    groups: {
      description:
        'Only files of these MIME type groups: `image`, `application`, `unknown` …; several joined by hyphens.',
      schema: {
        type: 'array',
        items: { type: 'string', pattern: '^[A-Za-z]{1,40}$' },
        minItems: 1,
        maxItems: maxListed,
      },
      keys: ['mimetype_group'],
      parse: (value) => {
        const groups = value.toLowerCase().split(/[-,]/)
        return groups.every((group) => /^[a-z]{1,40}$/.test(group)) && groups.length <= maxListed
          ? E.right([{ key: 'mimetype_group', oneOf: groups }])
          : E.left('must be MIME type groups such as image, audio, application, joined by hyphens')
      },
    },
    mimetypes: {
      description: 'Only files of exactly these MIME types; several joined by hyphens or commas.',
      schema: {
        type: 'array',
        items: { type: 'string', format: 'mimetype' },
        minItems: 1,
        maxItems: maxListed,
      },
      keys: ['mimetype'],
      parse: (value) => {
        const types = value.toLowerCase().split(separator)
        return types.every((type) => mimetypePattern.test(type)) && types.length <= maxListed
          ? E.right([{ key: 'mimetype', oneOf: types.map(canonicalMimetype) }])
          : E.left('must be MIME types such as image/jpeg, joined by hyphens or commas')
      },
    },
    created: periodFilter('created', 'Created within this period'),
  },
  indexes: [
    ['mimetype_group', 'created'],
    ['mimetype_group', 'title_order'],
    ['mimetype_group', 'byte_size'],
    ['mimetype', 'created'],
    ['tagged'],
    ['tagged_as'],
  ],
  unique: () => null,
  isPublished: ({ upload }) => typeof upload === 'number',
  restrictedBy: ['byte_size'],
  // What has a size has data.
  visibility: ({ role }) => (role === 'public_user' ? [{ key: 'byte_size', atLeast: 0 }] : []),
})
