import { expect } from 'chai'
import { describe, it } from 'mocha'
import { defaultStreamingHosts } from '@publishing-service/domain/declare'
import { describeMedia } from '../describe-model.js'
import { faultsByMedium, mediumToSend, movedItem, slotIdsIn } from './slot-media.js'

describe('slotIdsIn', () => {
  it('finds the ids in the order of the body, in both quotes', () => {
    const body = `<p>A</p><p><slot id="AA-1"/></p><slot class="x" id='b-2'></slot><p>slot id="c"</p>`
    expect(slotIdsIn(body)).to.deep.equal(['aa-1', 'b-2'])
  })
})

describe('mediumToSend', () => {
  const media = describeMedia(defaultStreamingHosts).fields

  it('leaves out what is derived, empty, or of another type', () => {
    const medium = {
      type: 'file',
      title: 'A',
      content: null,
      image_uuid: 'u',
      image_url: 'http://x',
      url: 'y',
    }
    expect(mediumToSend(media, medium)).to.deep.equal({ type: 'file', title: 'A', image_uuid: 'u' })
    expect(mediumToSend(media, { ...medium, type: 'embed', embed_code: '<b/>' })).to.deep.equal({
      type: 'embed',
      title: 'A',
      embed_code: '<b/>',
    })
  })
})

describe('faultsByMedium', () => {
  it('groups faults by the medium, and those of the list', () => {
    const faults = faultsByMedium({
      'items.1.url': 'is required',
      'items.1.urls.0.url': 'bad',
      items: 'too many',
    })
    expect([...faults]).to.deep.equal([
      [1, { url: 'is required', urls: 'bad' }],
      [-1, { items: 'too many' }],
    ])
  })
})

describe('movedItem', () => {
  it('moves in both directions', () => {
    expect(movedItem(['a', 'b', 'c'], 0, 2)).to.deep.equal(['b', 'c', 'a'])
    expect(movedItem(['a', 'b', 'c'], 2, 0)).to.deep.equal(['c', 'a', 'b'])
    expect(movedItem(['a'], 5, 0)).to.deep.equal(['a'])
  })
})
