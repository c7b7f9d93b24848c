import { defaultThumbnailMimetype, type ThumbnailKind } from '../images/image-format.js'
import { scaledSize } from '../images/scaled-size.js'
import { recordedImage, downloadUrl, mimetypeOf, byteSizeOf, image } from '../files/file-data.js'
import type { ViewContext } from '../resource/view-context.js'
import { fault, type Fault } from '../fault.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { derived, stored, type StateOf } from '../resource/attribute.js'
import { defineItems, type ItemShape } from '../resource/draft-attributes.js'
import { needFaults, type Need } from '../resource/attribute-tables.js'
import { sampleObjects } from '../resource/resource.js'
import { listOf, record } from '../value/record.js'
import { markup } from '../value/markup.js'
import { reference } from '../value/reference.js'
import { oneOf } from '../value/scalar.js'
import {
  defaultStreamingHosts,
  isHostedBy,
  type StreamingHost,
  type ValueContext,
  type ValueType,
} from '../value/value-type.js'
import { webAddress } from '../value/address.js'
import { text, textOf } from '../value/text.js'
import { mimetypePattern } from '../files/mimetype.js'

/** The square that thumbnails of images fit into. */
const thumbnailBox = { w: 240, h: 240 }

/** The attributes that determine the thumbnail of a medium. */
type MediumParts = {
  readonly type: 'file' | 'external' | 'embed' | null
  readonly thumb_uuid: string | null
  readonly image_uuid: string | null
  readonly file_uuid: string | null
  readonly url_type: string | null
}

type Thumbnail = { readonly url: string; readonly mimetype: string | null }

const original = (view: ViewContext, fileId: string | null): Thumbnail | null => {
  const url = downloadUrl(view, fileId)
  return url === null ? null : { url, mimetype: mimetypeOf(view, fileId) }
}

/** The image scaled down; the original if it cannot be scaled. */
const scaledDown = (view: ViewContext, fileId: string | null): Thumbnail | null => {
  const recorded = typeof fileId === 'string' ? recordedImage(view.find('files', fileId) ?? {}) : null
  const url = downloadUrl(view, fileId, thumbnailBox)
  if (recorded === null || url === null || !view.canScale(recorded)) return original(view, fileId)
  const isSmall = scaledSize(recorded, thumbnailBox) === null
  return { url, mimetype: isSmall ? mimetypeOf(view, fileId) : recorded.format }
}

const kindOf = ({ type, file_uuid, url_type }: MediumParts): ThumbnailKind => {
  if (type === 'embed') return 'embed'
  if (type === 'file') return typeof file_uuid === 'string' ? 'audio' : 'file'
  const [group] = String(url_type).split('_', 1)
  return group === 'audio' || group === 'video' ? group : 'link'
}

/** The thumbnail of a medium: its own, else its image, else the default thumbnail for its kind (docs/behaviour/slots-and-media.md#thumbnails). */
const thumbnailOf = (medium: MediumParts, view: ViewContext): Thumbnail =>
  original(view, medium.thumb_uuid) ??
  scaledDown(view, medium.image_uuid) ?? {
    url: view.links.defaultThumbnail(kindOf(medium)),
    mimetype: defaultThumbnailMimetype,
  }

const mediaTypes = ['file', 'external', 'embed'] as const

const directTypes: readonly string[] = ['audio', 'video']

const namesOf = ({ name, aliases }: StreamingHost): readonly string[] => [name, ...aliases]

/** The name of a provider, or audio or video for direct addresses; aliases are stored as the name. */
const urlType = (hosts: readonly StreamingHost[]): ValueType<string> => ({
  key: 'text',
  schema: { type: 'string', enum: [...hosts.map(({ name }) => name), ...directTypes] },
  inputSchema: { type: 'string', enum: [...hosts.flatMap(namesOf), ...directTypes] },
  decode: (value, { streamingHosts }) => {
    const host = streamingHosts.find((each) => namesOf(each).some((name) => name === value))
    if (host !== undefined) return E.right(host.name)
    return typeof value === 'string' && directTypes.includes(value)
      ? E.right(value)
      : E.left([
          fault(
            '',
            'choice',
            `must be one of ${[...streamingHosts.map(({ name }) => name), ...directTypes].join(', ')}`,
          ),
        ])
  },
})

const directUrl = record({
  url: stored(webAddress, 'Address of the file.', { required: true }),
  mimetype: stored(
    textOf({ format: 'mimetype', maxLength: 255 }, 'a MIME type such as audio/mpeg', (value) =>
      mimetypePattern.test(value.toLowerCase()) ? value : null,
    ),
    'MIME type of the file; recommended.',
  ),
})

const ofFile = { needs: ['file_uuid'], nullable: true, only: ['file'] } as const

type Illustrated = Pick<MediumParts, 'image_uuid'>
type WithFile = Pick<MediumParts, 'file_uuid'>

const attributesWith = (hosts: readonly StreamingHost[]) => ({
  type: stored(oneOf(mediaTypes), 'Media type.', { required: true }),
  title: stored(text({ max: 1000 }), 'Title.'),
  content: stored(markup({ slots: false, max: 100_000 }), 'Caption: XML-compliant HTML.'),
  slot_uuid: derived({ type: 'string', format: 'uuid' }, 'The slot it is in.', (_state, view) => view.id),
  thumb_uuid: stored(
    reference('files', { media: 'image' }),
    'Thumbnail; by default the image scaled down, or a default thumbnail for its kind.',
  ),
  thumb_url: derived(
    { type: 'string', format: 'uri' },
    'Where to download the thumbnail.',
    (state: MediumParts, view) => thumbnailOf(state, view).url,
    { needs: ['thumb_uuid', 'image_uuid'] },
  ),
  thumb_mimetype: derived(
    { type: 'string' },
    'MIME type of the thumbnail.',
    (state: MediumParts, view) => thumbnailOf(state, view).mimetype,
    { needs: ['thumb_uuid', 'image_uuid'], nullable: true },
  ),
  ...image('image', 'Image', { only: ['file', 'external'] }),
  image_mimetype: derived(
    { type: 'string' },
    'MIME type of the image.',
    (state: Illustrated, view) => mimetypeOf(view, state.image_uuid),
    { needs: ['image_uuid'], nullable: true, only: ['file', 'external'] },
  ),
  file_uuid: stored(reference('files', { media: 'audio' }), 'An audio file of the file library.', {
    only: ['file'],
  }),
  file_url: derived(
    { type: 'string', format: 'uri' },
    'Where to download the audio file.',
    (state: WithFile, view) => downloadUrl(view, state.file_uuid),
    ofFile,
  ),
  file_mimetype: derived(
    { type: 'string' },
    'MIME type of the audio file.',
    (state: WithFile, view) => mimetypeOf(view, state.file_uuid),
    ofFile,
  ),
  file_byte_size: derived(
    { type: 'integer' },
    'Size of the audio file in bytes.',
    (state: WithFile, view) => byteSizeOf(view, state.file_uuid),
    ofFile,
  ),
  embed_code: stored(text({ max: 100_000, min: 1 }), 'Markup to embed.', { only: ['embed'], required: true }),
  url_type: stored(urlType(hosts), 'Provider, or kind of direct addresses.', {
    only: ['external'],
    required: true,
  }),
  url: stored(webAddress, 'Address at the provider; required where there is one.', { only: ['external'] }),
  urls: stored(
    listOf(directUrl, 50),
    'Addresses of the same file in several codecs; required for audio and video.',
    {
      only: ['external'],
    },
  ),
})

const needsWith = (hosts: readonly StreamingHost[]): readonly Need[] => [
  { variant: 'file', oneOf: ['image_uuid', 'file_uuid'] },
  {
    variant: 'external',
    where: { attribute: 'url_type', values: hosts.flatMap(namesOf) },
    oneOf: ['url'],
  },
  { variant: 'external', where: { attribute: 'url_type', values: directTypes }, oneOf: ['urls'] },
]

/** A stored item of a slot: of the type file, external or embed. */
export type Medium = StateOf<ReturnType<typeof attributesWith>>

const hostFaults = ({ url_type, url }: Medium, { streamingHosts }: ValueContext): readonly Fault[] => {
  const host = streamingHosts.find(({ name }) => name === url_type)
  if (host === undefined || typeof url !== 'string' || isHostedBy(host, url)) return []
  const hosts = host.hosts.filter((each) => !each.startsWith('.')).join(' or ')
  return [fault('url', 'rule', `must be an address at ${hosts}, because url_type is ${host.name}`)]
}

const mediaFaults = (state: Medium, context: ValueContext): readonly Fault[] => [
  ...needFaults(needsWith(context.streamingHosts), 'type', state),
  ...(state.type === 'external' ? hostFaults(state, context) : []),
]

/** A medium of each type; none of a streaming host where a deployment has no host. */
const examplesWith = ([host]: readonly StreamingHost[]): readonly JsonObject[] => [
  { type: 'file', title: 'On its pad', image_uuid: sampleObjects.image },
  ...(host === undefined
    ? []
    : [
        {
          type: 'external',
          url_type: host.name,
          url: `https://${host.hosts[0]?.replace(/^\./, 'www.') ?? ''}/the-launch`,
          title: 'The launch',
        },
      ]),
  { type: 'embed', embed_code: '<iframe src="https://maps.example.org/embed?q=48.2,16.3"></iframe>' },
]

/**
 * An item of a slot: file, external or embed (docs/behaviour/slots-and-media.md#medium-types), with these
 * streaming hosts in its schemas.
 */
export const mediaWith = (hosts: readonly StreamingHost[]): ItemShape =>
  defineItems({
    attributes: attributesWith(hosts),
    variant: 'type',
    needs: needsWith(hosts),
    plural: 'media',
    examples: { bodies: examplesWith(hosts) },
    check: mediaFaults,
    isReturned: ({ type, image_uuid, file_uuid }) =>
      type !== 'file' || image_uuid !== null || file_uuid !== null,
  })

/** For decoding only: the rules use the streaming hosts of their context. */
export const media: ItemShape = mediaWith(defaultStreamingHosts)
