/** Media as clients may send them, of each type, with the addresses that the type requires. */
import fc from 'fast-check'
import type { JsonObject } from '../json.js'
import { media } from '../content/media.js'
import { inputFor } from './input-for.js'
import { jsonOf } from './json-of.js'

const addresses: Readonly<Record<string, string>> = {
  video_host_1: 'https://www.youtube.com/watch?v=1',
  youtube: 'https://youtu.be/1',
  video_host_2: 'https://vimeo.com/1',
  vimeo: 'https://player.vimeo.com/video/1',
  audio_host_1: 'https://soundcloud.com/a/b',
  soundcloud: 'https://w.soundcloud.com/player/?url=x',
}

const file = fc.tuple(inputFor(media, 'file'), fc.uuid()).map(([input, id]) => {
  const { image_uuid = null, file_uuid = null } = input
  return image_uuid === null && file_uuid === null ? { ...input, image_uuid: id } : input
})

const hosted = fc
  .tuple(inputFor(media, 'external'), fc.constantFrom(...Object.keys(addresses)))
  .map(([input, name]) => ({ ...input, url_type: name, url: addresses[name] ?? '' }))

const direct = fc
  .tuple(
    inputFor(media, 'external'),
    fc.constantFrom('audio', 'video'),
    fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 }),
  )
  .map(([input, name, urls]) => ({ ...input, url_type: name, urls: urls.map((url) => ({ url })) }))

/** One medium of any type. */
export const medium: fc.Arbitrary<JsonObject> = fc.oneof(file, hosted, direct, inputFor(media, 'embed'))

/** The attributes of a medium, any of which can be wrong or missing. */
export const almostMedium: fc.Arbitrary<JsonObject> = fc.record(
  Object.fromEntries(
    Object.entries(media.attributes).map(([name, attribute]) => [
      name,
      attribute.kind === 'stored'
        ? fc.oneof(
            jsonOf(attribute.type.schema),
            fc.constantFrom(null, '', 'x', 7, true),
            fc.constant([]),
            fc.constant({}),
          )
        : fc.constantFrom(null, 'x'),
    ]),
  ),
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<JsonObject>
