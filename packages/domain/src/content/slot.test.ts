/** Slots and their media in the content's state (docs/behaviour/slots-and-media.md). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import { draftItems } from '../resource/draft-attributes.js'
import { viewOf } from '../resource/read-plan.js'
import { medium } from '../testing/arbitraries.js'
import { command, objectId as contentId, valueContext, viewOn, write } from '../testing/index.js'
import { content } from './content.js'
import { media } from './media.js'
import {
  clearSlot,
  configureSlot,
  implicitSlot,
  isPlaced,
  isReadable,
  listedSlots,
  placedSlots,
  replaceListedMedia,
  replaceMedia,
  slot,
  mediaTextFaults,
  slotLimits,
  slotOf,
  slotState,
} from './slot.js'

const [a, b, c] = [
  '00000000-0000-4000-8000-00000000000a',
  '00000000-0000-4000-8000-00000000000b',
  '00000000-0000-4000-8000-00000000000c',
] as const

const right = <A>(result: Either<readonly Fault[], A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const pathsOf = (result: Either<readonly Fault[], unknown>): readonly string[] =>
  E.isLeft(result) ? result.left.map(({ path }) => path) : []

const bodyWith = (ids: readonly string[]): string =>
  `<p>x</p>${ids.map((id) => `<slot id="${id}"/>`).join('')}`

const article = (...ids: readonly string[]): JsonObject =>
  write(
    content,
    command('put', { content_type: 'article', title: 't', urlname: 'u', content: bodyWith(ids) }, null),
  ).state

const withBody = (state: JsonObject, ...ids: readonly string[]): JsonObject =>
  write(content, command('patch', { content: bodyWith(ids) }, state)).state

const embed = (code: string): JsonObject => ({
  type: 'embed',
  title: null,
  content: null,
  thumb_uuid: null,
  embed_code: code,
})

const filled = right(
  replaceMedia(right(configureSlot(article(a, b), a, 'put', { relevance: 'aside' }, valueContext)), a, [
    embed('1'),
    embed('2'),
  ]),
)

const slotView = (state: JsonObject, id: string): JsonObject => {
  const shown = slotState(state, id)
  return viewOf(slot, shown, viewOn(slot, shown))
}

describe('a slot', () => {
  it('exists if its tag is in the body, with defaults until it is configured', () => {
    expect(placedSlots(article(b, a))).to.deep.equal([b, a])
    expect(slotView(article(a), a)).to.deep.equal({
      uuid: a,
      url: `/1/content/${contentId}/slots/${a}`,
      content_uuid: contentId,
      content_url: `/1/content/${contentId}`,
      relevance: 'inline',
      display: null,
    })
  })

  it('is found in the body regardless of the position of the id in its tag, and not in comments', () => {
    const placed = (body: string): readonly string[] =>
      placedSlots(
        write(
          content,
          command('put', { content_type: 'article', title: 't', urlname: 'u', content: body }, null),
        ).state,
      )
    expect(placed(`<div><slot class="x" id="${b}"/><p><slot id='${a}'/></p></div>`)).to.deep.equal([b, a])
    expect(placed(`<!-- <slot id="${c}"/> --><slot id="${a}"/><!-- <slot id="${b}"/> -->`)).to.deep.equal([a])
    expect(placed(`<slot\n data-id="${c}" id="${a}"/>`)).to.deep.equal([a])
  })

  it('can be configured only if its tag is in the body', () => {
    expect(pathsOf(configureSlot(article(a), b, 'put', {}, valueContext))).to.deep.equal(['slot_uuid'])
    expect(pathsOf(configureSlot(article(a), b, 'put', { display: 7 }, valueContext))).to.deep.equal([
      'slot_uuid',
      'display',
    ])
    const state = right(
      configureSlot(article(a), a, 'put', { relevance: 'inline', display: 'gallery' }, valueContext),
    )
    expect(slotOf(state, a)).to.deep.equal({ relevance: 'inline', display: 'gallery', media: [] })
    expect(slotOf(right(configureSlot(state, a, 'put', {}, valueContext)), a)).to.include({
      relevance: 'inline',
      display: null,
    })
  })

  it('has a display with either relevance', () => {
    for (const relevance of ['inline', 'aside'])
      for (const display of ['gallery', 'carousel', null])
        expect(
          slotOf(right(configureSlot(article(a), a, 'put', { relevance, display }, valueContext)), a),
        ).to.include({ relevance, display })
    expect(pathsOf(configureSlot(article(a), a, 'put', { display: 'grid' }, valueContext))).to.deep.equal([
      'display',
    ])
    expect(
      pathsOf(configureSlot(article(a), a, 'put', { relevance: 'left', display: 7 }, valueContext)),
    ).to.have.members(['relevance', 'display'])
  })

  it('can be sent back as it was read, without a change', () => {
    const settings = fc.constantFrom(
      {},
      { relevance: 'aside' },
      { display: 'gallery' },
      { relevance: 'inline', display: 'carousel' },
    )
    fc.assert(
      fc.property(settings, (input) => {
        const state = right(configureSlot(filled, a, 'put', input, valueContext))
        const context = { ...valueContext, strict: true }
        expect(right(configureSlot(state, a, 'put', slotView(state, a), context))).to.deep.equal(state)
      }),
    )
  })

  it('rejects the UUID of another slot in the request body', () => {
    expect(pathsOf(configureSlot(article(a, b), a, 'put', { uuid: b }, valueContext))).to.deep.equal(['uuid'])
    expect(
      pathsOf(configureSlot(article(a), a, 'put', { uuid: a.toUpperCase() }, valueContext)),
    ).to.deep.equal([])
  })

  it('keeps its media when it is configured, and loses them when it is cleared', () => {
    const state = right(configureSlot(filled, a, 'put', { display: 'gallery' }, valueContext))
    expect(slotOf(state, a).media).to.have.lengthOf(2)
    const cleared = clearSlot(state, a)
    expect(slotOf(cleared, a)).to.deep.equal({ relevance: 'inline', display: null, media: [] })
    expect(isPlaced(cleared, a)).to.equal(true)
    expect(clearSlot(cleared, a)).to.deep.equal(cleared)
  })

  it('disappears with its tag, and reappears with it unchanged', () => {
    const gone = withBody(filled, b)
    expect(placedSlots(gone)).to.deep.equal([b])
    expect(isPlaced(gone, a)).to.equal(false)
    const back = withBody(gone, b, a)
    expect(placedSlots(back)).to.deep.equal([b, a])
    expect(slotOf(back, a)).to.deep.equal(slotOf(filled, a))
  })

  it('is unchanged by a PUT and a PATCH of the content', () => {
    const view = viewOf(content, filled, viewOn(content, filled))
    expect(view).not.to.have.any.keys('slots', 'placed_slots')
    const state = write(content, command('put', { ...view, slots: {}, placed_slots: [] }, filled)).state
    expect(slotOf(state, a)).to.deep.equal(slotOf(filled, a))
  })

  it('has at most 500 media, and all slots together have a maximum size', () => {
    const many = Array.from({ length: slotLimits.media + 1 }, (_, index) => embed(String(index)))
    expect(pathsOf(replaceMedia(article(a), a, many))).to.deep.equal(['items'])
    expect(pathsOf(replaceMedia(article(a), a, many.slice(1)))).to.deep.equal([])
    const large = Array.from({ length: 13 }, () => embed('x'.repeat(100_000)))
    expect(pathsOf(replaceMedia(article(a), a, large))).to.deep.equal(['items'])
    const half = right(replaceMedia(article(a, b), a, large.slice(0, 7)))
    expect(pathsOf(replaceMedia(half, b, large.slice(0, 7)))).to.deep.equal(['items'])
  })

  it('that already exceeds a limit can shrink but not grow', () => {
    const many = Array.from({ length: 30 }, () => embed('x'.repeat(100_000)))
    const former: JsonObject = {
      ...article(a),
      slots: { [a]: { relevance: 'inline', display: null, media: many } },
    }
    expect(slotOf(former, a).media).to.have.lengthOf(30)
    expect(pathsOf(replaceMedia(former, a, many.slice(0, 20)))).to.deep.equal([])
    expect(pathsOf(replaceMedia(former, a, [...many, embed('y')]))).to.deep.equal(['items'])
  })

  it('rejects media whose texts are longer than all slots may be', () => {
    const texts = (length: number): JsonObject => ({
      items: Array.from({ length: 12 }, () => ({ type: 'embed', embed_code: 'x'.repeat(length) })),
    })
    expect(mediaTextFaults(texts(slotLimits.characters / 12))).to.deep.equal([])
    expect(mediaTextFaults(texts(slotLimits.characters / 12 + 1)).map(({ path }) => path)).to.deep.equal([
      'items',
    ])
    expect(mediaTextFaults({ items: 'none' })).to.deep.equal([])
  })
})

/** The deprecated list as clients read it. */
const listed = (state: JsonObject): readonly JsonObject[] =>
  listedSlots(state, contentId).flatMap((id) =>
    slotOf(state, id).media.map((item) => viewOf(media, item, { ...viewOn(media, item), id })),
  )

const sendList = (state: JsonObject, items: readonly JsonObject[]): JsonObject => {
  const input = { items }
  return right(
    replaceListedMedia(
      state,
      contentId,
      input,
      draftItems(media, input, valueContext, slotLimits.media).items,
    ),
  )
}

describe('the deprecated list of media', () => {
  const state = right(
    replaceMedia(right(replaceMedia(filled, b, [embed('3')])), implicitSlot(contentId), [embed('4')]),
  )

  it('contains the media of the slots in order, then those without a slot', () => {
    expect(listed(state).map((item) => [item['slot_uuid'], item['embed_code']])).to.deep.equal([
      [a, '1'],
      [a, '2'],
      [b, '3'],
      [contentId, '4'],
    ])
  })

  it('can be sent back as it was read and changes nothing', () => {
    const lists = fc.array(fc.array(medium, { maxLength: 2 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(lists, (drawn) => {
        const full = [a, b, c, implicitSlot(contentId)].reduce(
          (result, id, index) =>
            right(
              replaceMedia(
                result,
                id,
                draftItems(media, { items: drawn[index] ?? [] }, valueContext, slotLimits.media).items,
              ),
            ),
          article(c, a, b),
        )
        expect(sendList(full, listed(full))).to.deep.equal(full)
        // Media in a slot whose tag was removed are not listed, and remain.
        const hidden = withBody(full, b)
        expect(sendList(hidden, listed(hidden))).to.deep.equal(hidden)
      }),
      { numRuns: 50 },
    )
  })

  it('writes only the implicit slot: items of slots in the body are ignored', () => {
    const items = [
      embed('5'),
      { ...embed('6'), slot_uuid: c },
      { ...embed('7'), slot_uuid: 'x' },
      { ...embed('8'), slot_uuid: b.toUpperCase() },
    ]
    const sent = sendList(state, items)
    expect(slotOf(sent, implicitSlot(contentId)).media.map((item) => item['embed_code'])).to.deep.equal([
      '5',
      '6',
      '7',
    ])
    expect(slotOf(sent, b)).to.deep.equal(slotOf(state, b))
    expect(slotOf(sent, a)).to.deep.equal(slotOf(state, a))
    expect(slotOf(sendList(state, []), a)).to.deep.equal(slotOf(state, a))
  })

  it('writes the implicit slot also if its tag is in the body', () => {
    const placed = sendList(withBody(state, implicitSlot(contentId), b), [embed('5')])
    expect(sendList(placed, listed(placed))).to.deep.equal(placed)
    expect(slotOf(placed, implicitSlot(contentId)).media).to.have.lengthOf(1)
  })

  it('can be read, but not written, as a slot with the UUID of the content while it has media', () => {
    const empty = sendList(state, [])
    expect(isReadable(empty, contentId, implicitSlot(contentId))).to.equal(false)
    expect(isReadable(sendList(empty, [embed('5')]), contentId, implicitSlot(contentId))).to.equal(true)
    expect(isReadable(sendList(empty, [embed('5')]), contentId, c)).to.equal(false)
    expect(isReadable(empty, contentId, a)).to.equal(true)
  })
})
