import { fault, type Fault } from '../fault.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { derived, stored, type AttributeTable } from '../resource/attribute.js'
import type { ItemShape } from '../resource/draft-items.js'
import { downloadUrl, image, mimetypeOf } from '../resource/image-attributes.js'
import { listOf } from '../value/list.js'
import { markup } from '../value/markup.js'
import { record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { oneOf } from '../value/scalar.js'
import { defaultStreamingHosts, isHostedBy } from '../value/streaming-host.js'
import { text, textOf, webAddress } from '../value/text.js'
import type { ValueContext, ValueType } from '../value/value-type.js'
import { mimetypePattern } from '../file/mimetype.js'

export const mediaTypes = ['file', 'external', 'embed'] as const

/** Side of the square, in pixels, that thumbnails made from an image of the file library fit into. */
const thumbnailBox = 240

const directTypes = ['audio', 'video'] as const
const isDirect = (urlType: unknown): boolean => (directTypes as readonly unknown[]).includes(urlType)

/** A provider's name, or audio or video for direct addresses; aliases read back under the specification's name. */
const urlType: ValueType<string> = {
  key: 'text',
  schema: { type: 'string', enum: [...defaultStreamingHosts.map(({ name }) => name), ...directTypes] },
  taken: {
    type: 'string',
    enum: [...defaultStreamingHosts.flatMap(({ name, aliases }) => [name, ...aliases]), ...directTypes],
  },
  decode: (value, { streamingHosts }) => {
    const host = streamingHosts.find(
      ({ name, aliases }) => value === name || aliases.some((alias) => value === alias),
    )
    if (host !== undefined) return E.right(host.name)
    return isDirect(value) && typeof value === 'string'
      ? E.right(value)
      : E.left([
          fault(
            '',
            `must be one of ${[...streamingHosts.map(({ name }) => name), ...directTypes].join(', ')}`,
          ),
        ])
  },
}

const directUrl = record({
  url: stored(webAddress, 'Address of the file.', { required: true }),
  mimetype: stored(
    textOf({ format: 'mimetype', maxLength: 255 }, 'a MIME type such as audio/mpeg', (value) =>
      mimetypePattern.test(value.toLowerCase()) ? value : null,
    ),
    'MIME type of the file; advised.',
  ),
})

const attributes: AttributeTable = {
  type: stored(oneOf(mediaTypes), 'Media type.', { required: true }),
  title: stored(text({ max: 1000 }), 'Title.'),
  content: stored(markup({ slots: false, max: 100_000 }), 'Caption: XML-compliant HTML.'),
  slot_uuid: derived({ type: 'string', format: 'uuid' }, 'The slot it is in.', (_state, view) => view.id),
  thumb_uuid: stored(
    reference('files', { media: 'image' }),
    'Thumbnail; the image scaled down, unless sent.',
  ),
  thumb_url: derived(
    { type: 'string', format: 'uri' },
    'Where to download the thumbnail.',
    (state, view) =>
      downloadUrl(view, state['thumb_uuid']) ?? downloadUrl(view, state['image_uuid'], thumbnailBox),
    { needs: ['thumb_uuid', 'image_uuid'], nullable: true },
  ),
  thumb_mimetype: derived(
    { type: 'string' },
    'MIME type of the thumbnail.',
    (state, view) => mimetypeOf(view, state['thumb_uuid']) ?? mimetypeOf(view, state['image_uuid']),
    { needs: ['thumb_uuid', 'image_uuid'], nullable: true },
  ),
  ...image('image', 'Image', { only: ['file', 'external'] }),
  image_mimetype: derived(
    { type: 'string' },
    'MIME type of the image.',
    (state, view) => mimetypeOf(view, state['image_uuid']),
    { needs: ['image_uuid'], nullable: true, only: ['file', 'external'] },
  ),
  file_uuid: stored(reference('files', { media: 'audio' }), 'An audio file of the file library.', {
    only: ['file'],
  }),
  embed_code: stored(text({ max: 100_000, min: 1 }), 'Markup to embed.', { only: ['embed'], required: true }),
  url_type: stored(urlType, 'Provider, or kind of direct addresses.', { only: ['external'], required: true }),
  url: stored(webAddress, 'Address at the provider.', { only: ['external'] }),
  urls: stored(listOf(directUrl, 50), 'Addresses of the same file in several codecs.', {
    only: ['external'],
  }),
}

const externalFaults = (
  { url_type, url, urls }: JsonObject,
  { streamingHosts }: ValueContext,
): readonly Fault[] => {
  if (isDirect(url_type))
    return Array.isArray(urls) && urls.length > 0
      ? []
      : [fault('urls', `needs at least one address for ${String(url_type)}`)]
  const host = streamingHosts.find(({ name }) => name === url_type)
  if (host === undefined) return []
  if (typeof url !== 'string') return [fault('url', `is required for ${host.name}`)]
  return isHostedBy(host, url)
    ? []
    : [
        fault(
          'url',
          `must be an address at ${host.hosts.filter((each) => !each.startsWith('.')).join(' or ')} for ${host.name}`,
        ),
      ]
}

const mediaFaults = (state: JsonObject, context: ValueContext): readonly Fault[] => {
  if (state['type'] === 'external') return externalFaults(state, context)
  return state['type'] === 'file' && state['image_uuid'] === null && state['file_uuid'] === null
    ? [fault('image_uuid', 'is required for type file, unless file_uuid is given')]
    : []
}

/** An item of a slot: file, external or embed (specification, Media; decisions §8). */
export const media: ItemShape = {
  attributes,
  variant: 'type',
  plural: 'media',
  check: mediaFaults,
  stands: (view) => view['type'] !== 'file' || view['image_uuid'] !== null || view['file_uuid'] !== null,
}
