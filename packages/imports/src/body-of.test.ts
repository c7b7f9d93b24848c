import { checkMarkup } from '@publishing-service/domain/markup'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bodyOf } from './body-of.js'
import { derivedUuid } from './derived-uuid.js'

const slotId = (number: number): string => derivedUuid('https://example.org', 'slot', String(number))

const bodyWith = (html: string) =>
  bodyOf({
    html,
    options: { base: 'https://example.org/a/' },
    fileOf: ({ address, kind }) =>
      address.startsWith('https://example.org/')
        ? { id: address.slice(20), kind: kind === 'audio' ? 'audio' : 'image' }
        : null,
    slotId,
  })

describe('bodyOf', () => {
  it('has pictures of the import in slots, with captions, and leaves other pictures where they are', () => {
    const { markup, slots, files } = bodyWith(
      '<p>One</p><figure><img src="/b.jpg"><figcaption>A <em>boat</em></figcaption></figure>' +
        '<p>Two <img src="https://example.com/c.jpg" alt="c"></p>',
    )
    expect(slots).to.deep.equal([
      {
        id: slotId(0),
        attributes: {},
        media: [{ type: 'file', image_uuid: 'b.jpg', content: 'A <em>boat</em>' }],
      },
    ])
    expect(files).to.deep.equal(['b.jpg'])
    expect(markup).to.include(`<slot id="${slotId(0)}"/>`)
    expect(markup).to.include('https://example.com/c.jpg').and.not.include('boat')
  })

  it('has the media of a figure in one slot, and a caption that they share once', () => {
    const { slots } = bodyWith(
      '<figure><img src="/b.jpg"><img src="https://example.com/c.jpg"><audio src="/d.mp3"></audio>' +
        '<figcaption>Three</figcaption></figure>',
    )
    expect(slots[0]?.attributes).to.deep.equal({ display: 'gallery' })
    expect(slots[0]?.media).to.deep.equal([
      { type: 'file', image_uuid: 'b.jpg', content: 'Three' },
      { type: 'embed', embed_code: '<img src="https://example.com/c.jpg">' },
      { type: 'file', file_uuid: 'd.mp3' },
    ])
  })

  it('has videos and frames as external media, and frames of unknown hosts as markup', () => {
    const { slots } = bodyWith(
      '<video src="https://example.com/v.mp4"></video><iframe src="https://youtu.be/x"></iframe>' +
        '<iframe src="https://maps.example.com/?q=1&amp;z=2" width="300"></iframe><iframe src="about:blank"></iframe>',
    )
    expect(slots.map(({ media }) => media[0])).to.deep.equal([
      { type: 'external', url_type: 'video', urls: [{ url: 'https://example.com/v.mp4' }] },
      { type: 'external', url_type: 'video_host_1', url: 'https://youtu.be/x' },
      {
        type: 'embed',
        embed_code: '<iframe src="https://maps.example.com/?q=1&amp;z=2" width="300"></iframe>',
      },
    ])
  })

  it('has what does not fit into the slots of a body in the last one', () => {
    const figures = Array.from({ length: 230 }, (_, index) => `<p>x</p><img src="/${index}.jpg">`)
    const { markup, slots, notes } = bodyWith(figures.join(''))
    expect(slots.length).to.equal(200)
    expect(slots.flatMap(({ media }) => media).length).to.equal(230)
    const checked = checkMarkup(markup, { slots: true })
    expect(E.isRight(checked) && checked.right.slots).to.deep.equal(slots.map(({ id }) => id))
    expect(notes.map(({ kind }) => kind)).to.include('medium')
  })
})
