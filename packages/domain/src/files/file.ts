import { E } from '../fp.js'
import { computed, derived, stored, type StateOf, type WholeOf } from '../resource/attribute.js'
import { sampleObjects, defineResource, type ResourceWith } from '../resource/resource.js'
import {
  stamps,
  titleOrder,
  touchedAttributes,
  touchedFilter,
  touchedOrder,
  stampFilters,
} from '../resource/standard-attributes.js'
import { tagFacet, tagFilters } from '../tags/tag-filters.js'
import { taggingAttributes } from '../tags/tag.js'
import { dateTime } from '../value/scalar.js'
import {
  fileDataAttributes,
  fileTextAttributes,
  maxPlaceholderUri,
  untilData,
  type PixelSummary,
  mostFormerUploads,
  redirectedFor,
} from './file-data.js'
import { canonicalMimetypes, mimetypeGroup, mimetypePattern } from './mimetype.js'
import type { JsonObject } from '../json.js'
import type { RecordedImage, UnscaledImage } from '../images/image-format.js'
import { atOnce, completeWrite, type WriteCommand } from '../resource/draft-write.js'
import { partOf, stateIn } from '../resource/attribute-tables.js'

type FileData = StateOf<typeof fileDataAttributes>

const attributes = {
  ...fileTextAttributes,
  ...stamps,
  ...touchedAttributes,
  ...fileDataAttributes,
  download_url: derived(
    { type: 'string', format: 'uri' },
    `Where to download the data; changes with each upload. ${untilData}`,
    ({ upload }: Pick<FileData, 'upload'>, { id, links }) =>
      typeof upload === 'number' ? links.download(id, upload) : null,
    { sparse: true },
  ),
  mimetype_group: computed(
    'text',
    'First component of the MIME type.',
    ['mimetype'],
    ({ mimetype }: Pick<FileData, 'mimetype'>) =>
      typeof mimetype === 'string' ? mimetypeGroup(mimetype) : null,
  ),
  ...taggingAttributes,
  title_order: titleOrder('title'),
  modified_sent: stored(dateTime, 'The `modified` that was sent last, until data is uploaded.', {
    internal: true,
  }),
} as const

/** The stored metadata of a file. */
export type File = WholeOf<typeof attributes>

/** Maximum number of groups or types in one filter. */
const maxListed = 100

/** Separators of MIME types: a comma, or a hyphen that a new type follows; types contain hyphens themselves. */
const separator = /,|-(?=[a-z]+\/)/i

/**
 * An upload sets size and MIME type together. Files without data come first in the order by size, so a filter by MIME
 * type also excludes them by size: a read along the size index then starts after them.
 */
const hasData = { key: 'byte_size', atLeast: 0 } as const

type UploadNumbers = Pick<FileData, 'upload' | 'former_uploads'>

/** The number of a new upload, and those that it follows; `at` is in milliseconds since 1970. */
const nextUpload = ({ upload, former_uploads: former }: UploadNumbers, at: number): UploadNumbers => ({
  // Numbers grow, also if the clock was set back.
  upload: Math.max((upload ?? 0) + 1, at),
  former_uploads: [
    ...(upload === null ? [] : [{ upload, replaced: at }]),
    ...(former ?? []).filter(({ replaced }) => at - replaced < redirectedFor),
  ].slice(0, mostFormerUploads),
})

/** What a state says about the data of the file, but for the number of its upload. */
const dataOf = ({ upload: _upload, former_uploads: _former, ...data }: FileData) => data

/** The file library (docs/behaviour/files.md). */
export const file: ResourceWith<typeof attributes, 'files'> = defineResource({
  name: 'file',
  collection: 'files',
  description: 'Files have metadata, which is written first, and data, which is uploaded afterwards.',
  examples: {
    id: sampleObjects.image,
    bodies: [{ title: 'The last tram', filename: 'tram.png', credits: 'Nobody, CC0' }],
  },
  attributes,
  orders: {
    title: 'title_order',
    filename: 'filename',
    created: 'created',
    modified: 'modified',
    byte_size: 'byte_size',
    ...touchedOrder,
  },
  filters: {
    ...touchedFilter,
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
      keys: ['mimetype', 'byte_size'],
      parse: (value) => {
        const types = value.toLowerCase().split(separator)
        return types.every((type) => mimetypePattern.test(type)) && types.length <= maxListed
          ? E.right([
              { key: 'mimetype', oneOf: types.map((type) => canonicalMimetypes.get(type) ?? type) },
              hasData,
            ])
          : E.left('must be MIME types such as image/jpeg, joined by hyphens or commas')
      },
    },
    ...stampFilters,
    ...tagFilters('files'),
  },
  facets: { tags: tagFacet },
  indexes: [
    ['mimetype_group', 'created'],
    ['mimetype_group', 'title_order'],
    ['mimetype_group', 'byte_size'],
    ['mimetype', 'created'],
    ['tagged'],
    ['tagged_as'],
  ],
  complete: (state, { previous, supplied }) =>
    supplied.has('modified') && state.modified !== previous?.modified
      ? { ...state, modified_sent: state.modified }
      : state,
  nameOf: ({ title, filename }) => title ?? filename,
  isPublished: ({ upload }) => typeof upload === 'number',
  shownToPublic: { where: () => [hasData], keys: ['byte_size'], times: [] },
})

/** Gives the state of a file the data of an earlier state, at a moment in milliseconds since 1970. */
export const withDataOf =
  (earlier: JsonObject, at: number) =>
  (state: JsonObject): JsonObject => ({
    ...state,
    ...dataOf(partOf(fileDataAttributes, earlier)),
    ...nextUpload(partOf(fileDataAttributes, state), at),
  })

/** The data of a file as a client sends it. */
export type Upload = {
  readonly contentType: string | undefined
  /** Bytes, where the client declared them. */
  readonly length: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

type UploadCommand = Pick<WriteCommand, 'id' | 'now' | 'role' | 'user' | 'settings'> & {
  /** Milliseconds since 1970. */
  readonly at: number
}

type ImageMetadata = Pick<
  StateOf<typeof fileDataAttributes>,
  'width' | 'height' | 'image_format' | 'image_cmyk' | 'image_opaque' | 'placeholder'
>

/**
 * The attributes of a file whose data is this image; all null if it is none. `recordedImage` reads them. The summary of
 * its pixels is null if they were not read.
 */
export const recordImage = (
  image: RecordedImage | UnscaledImage | null,
  summary: PixelSummary | null,
): ImageMetadata => {
  const uri = `data:image/webp;base64,${summary?.picture ?? ''}`
  return {
    placeholder:
      summary === null
        ? null
        : { colour: summary.colour, image: uri.length > maxPlaceholderUri ? null : uri },
    image_opaque: summary?.isOpaque ?? null,
    width: image?.width ?? null,
    height: image?.height ?? null,
    image_format: image?.format ?? null,
    image_cmyk: image?.isCmyk ?? null,
  }
}

/**
 * The metadata of a file with new data, as a new upload. A `modified` that was sent since the last upload stays
 * (docs/behaviour/files.md#modified).
 */
export const recordUpload = (
  state: JsonObject,
  data: JsonObject,
  { at, ...command }: UploadCommand,
): JsonObject => {
  const former = stateIn(file, state)
  const { modified, modified_sent: sent } = former
  const supplied = new Set(sent !== null && sent === modified ? ['modified'] : [])
  return atOnce(
    completeWrite(
      file,
      { ...state, ...data, ...nextUpload(former, at), modified_sent: null },
      { ...command, mode: 'patch', previous: state, supplied },
    ),
  )
}
