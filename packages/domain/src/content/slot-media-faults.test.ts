/** Which media a slot takes: the tag of the slot, the values of the media, and the files that they name. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { draftItems } from '../resource/draft-attributes.js'
import type { FoundObjects } from '../resource/read-plan.js'
import { command, messages, valueContext, write } from '../testing/index.js'
import { content } from './content.js'
import { media } from './media.js'
import { slotMediaFaults } from './slot-media-faults.js'

const gallery = '00000000-0000-4000-8000-00000000000a'
const photo = '00000000-0000-4000-8000-00000000000b'
const recording = '00000000-0000-4000-8000-00000000000c'

const found: FoundObjects = new Map([
  [`files/${photo}`, { mimetype: 'image/jpeg' }],
  [`files/${recording}`, { mimetype: 'audio/mpeg' }],
])

const article = (body: string): JsonObject =>
  write(content, command('put', { content_type: 'article', title: 'Title', urlname: 'name', content: body }))
    .state

const placed = article(`<p>Text</p><slot id="${gallery}"/>`)

const faultsOf = (state: JsonObject, slotId: string | null, ...items: readonly JsonObject[]) =>
  messages(slotMediaFaults(state, slotId, draftItems(media, { items }, valueContext, 500), found))

describe('media of a slot', () => {
  it('are accepted with an image as image and an audio file as file', () => {
    expect(faultsOf(placed, gallery, { type: 'file', image_uuid: photo })).to.deep.equal({})
    expect(faultsOf(placed, gallery, { type: 'file', file_uuid: recording })).to.deep.equal({})
  })

  it('are rejected if the image is no image, or the audio file is none', () => {
    const image = 'names no file of this instance that has an image as its data'
    const audio = 'names no file of this instance that has an audio file as its data'
    expect(
      faultsOf(
        placed,
        gallery,
        { type: 'file', image_uuid: photo },
        { type: 'file', image_uuid: recording },
        { type: 'file', file_uuid: photo },
        { type: 'file', image_uuid: photo, thumb_uuid: recording },
      ),
    ).to.deep.equal({
      'items.1.image_uuid': image,
      'items.2.file_uuid': audio,
      'items.3.thumb_uuid': image,
    })
  })

  it('are rejected together with a slot whose tag is not in the body', () => {
    const faults = faultsOf(
      article('<p>Text</p>'),
      gallery,
      { type: 'embed' },
      { type: 'file', image_uuid: gallery },
    )
    expect(faults).to.have.all.keys('slot_uuid', 'items.0.embed_code', 'items.1.image_uuid')
  })

  it('of the deprecated list need no tag', () => {
    expect(faultsOf(article(''), null, { type: 'file', image_uuid: photo })).to.deep.equal({})
    expect(faultsOf(article(''), null, { type: 'file', image_uuid: recording })).to.have.all.keys(
      'items.0.image_uuid',
    )
  })
})
