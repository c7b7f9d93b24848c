/** The rules of content: when it goes live, where its name is unique, what an event's times are, which slots it places. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { isVisibleTo } from '../resource/resource.js'
import { viewOf } from '../resource/read-plan.js'
import { stateOf } from '../testing/arbitraries.js'
import { command, later, messages, now, storedState, viewOn, write, viewer } from '../testing/index.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { contentTypePlurals, contentTypes } from './content-type.js'
import { content } from './content.js'
import { slotLimits } from './slot.js'

const article = { content_type: 'article', title: 'Title', urlname: 'name' }
const event = { content_type: 'event', title: 'Title', urlname: 'name', dtstart: '2026-05-01T20:00' }
const first = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const second = '00000000-0000-4000-8000-000000000001'

const make = (input: JsonObject): JsonObject => storedState(content, input)

const change = (state: JsonObject, input: JsonObject): JsonObject =>
  write(content, command('patch', input, state, { now: later })).state

const faultsOf = (
  input: JsonObject,
  previous: JsonObject | null = null,
): Readonly<Record<string, string>> => {
  const { draft } = write(content, command(previous === null ? 'put' : 'patch', input, previous))
  return messages(draft.faults)
}

const isLive = (state: JsonObject, at: NaiveDateTime): boolean =>
  isVisibleTo(content, viewer('public_user', { now: at }), state)

describe('content', () => {
  it('needs its type, title and urlname, an event also its start', () => {
    expect(Object.keys(faultsOf({}))).to.include.members(['content_type', 'title', 'urlname'])
    expect(Object.keys(faultsOf({ ...event, dtstart: null }))).to.deep.equal(['dtstart'])
    for (const type of contentTypes.filter((each) => each !== 'event'))
      expect(faultsOf({ ...article, content_type: type })).to.deep.equal({})
  })

  it('accepts the maximum number of slots, and keeps a stored body with more', () => {
    const body = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) => `<slot id="00000000-0000-4000-8000-${String(index).padStart(12, '0')}"/>`,
      ).join('')
    const { slots } = slotLimits
    expect(faultsOf({ ...article, content: body(slots) })).to.deep.equal({})
    expect(faultsOf({ ...article, content: body(slots + 1) })).to.have.all.keys('content')
    const former = { ...make(article), content: body(slots + 100) }
    expect(faultsOf({ content: body(slots + 100), title: 'Other' }, former)).to.deep.equal({})
  })

  it('keeps its type', () => {
    const state = make(article)
    expect(faultsOf({ content_type: 'recipe' }, state)).to.have.all.keys('content_type')
    expect(faultsOf({ content_type: 'article' }, state)).to.deep.equal({})
  })

  it('of an unknown type is rejected, and types are case-sensitive', () => {
    for (const content_type of ['video', 'Article', '', 7, 'toString', null])
      expect(faultsOf({ ...article, content_type })).to.have.property('content_type')
  })

  it('ignores attributes of other types, and never stores them', () => {
    const state = make({ ...article, rating: '9', dtstart: 'x', recipe_yield: 7 })
    for (const name of ['rating', 'dtstart', 'recipe_yield']) expect(state).not.to.have.property(name)
  })

  it('of every type accepts empty roundup lists', () => {
    for (const type of contentTypes) {
      const input = { ...event, content_type: type, roundup_locations: [], roundup_content_targets: [] }
      expect(faultsOf(input)).to.deep.equal({})
    }
  })

  it('has the attributes that old clients expect, as null', () => {
    const state = make(article)
    expect(viewOf(content, state, viewOn(content, state))).to.include({
      feature_image_url: null,
      feature_image_caption: null,
      feature_image_alttext: null,
      feature_thumb_url: null,
      video_uuid: null,
    })
  })

  it('has the addresses of its images while they exist', () => {
    const state = make({ ...article, teaser_image_uuid: first, header_image_uuid: second })
    expect(viewOf(content, state, viewOn(content, state))).to.include({
      teaser_image_url: `/1/files/${first}/download/7`,
      header_image_uuid: second,
    })
    const view = viewOf(content, state, viewOn(content, state, { isDead: ({ id }) => id === first }))
    expect(view).to.include({ teaser_image_uuid: null, teaser_image_url: null, header_image_uuid: second })
  })
})

describe('publishing', () => {
  it('sets issued to now when content is first published without one', () => {
    expect(make(article)['issued']).to.equal(null)
    expect(make({ ...article, state: 'published' })['issued']).to.equal(now)
    expect(change(make(article), { state: 'published' })['issued']).to.equal(later)
  })

  it('keeps an existing issue date', () => {
    const issued = '2030-01-01T00:00:00'
    expect(make({ ...article, state: 'published', issued })['issued']).to.equal(issued)
    const withdrawn = change(make({ ...article, state: 'published' }), { state: 'draft' })
    expect(change(withdrawn, { state: 'published' })['issued']).to.equal(now)
  })

  it('sets issued to now when a plan ends before its time', () => {
    const planned = make({ ...article, state: 'published', issued: '2030-01-01T00:00:00' })
    expect(change(planned, { issued: null })).to.include({ state: 'published', issued: later })
    expect(change(planned, { state: 'draft', issued: null })).to.include({ state: 'draft', issued: null })
  })

  it('accepts a published object whose issue date was cleared', () => {
    const cleared = change(make({ ...article, state: 'published' }), { issued: null })
    expect(cleared).to.include({ state: 'published', issued: null })
    expect(isLive(cleared, now)).to.equal(true)
  })

  it('is live from its issue date on, to the second, and a draft never is', () => {
    const issued = '2026-03-01T13:00:00'
    const state = make({ ...article, state: 'published', issued })
    expect(isLive(state, '2026-03-01T12:59:59.999' as NaiveDateTime)).to.equal(false)
    expect(isLive(state, issued as NaiveDateTime)).to.equal(true)
    expect(isLive(change(state, { state: 'draft' }), later)).to.equal(false)
  })

  it('is hidden only from public_user', () => {
    const state = make(article)
    for (const role of ['reader', 'editor', 'admin'] as const)
      expect(isVisibleTo(content, viewer(role), state)).to.equal(true)
    expect(isLive(state, now)).to.equal(false)
  })
})

describe('the scope of an urlname', () => {
  const scopeOf = (input: JsonObject) => content.uniqueText(make(input))

  it('is the section, the top level, the blog, and for events all events', () => {
    expect(scopeOf(article)).to.equal('section:root/name')
    expect(scopeOf({ ...article, section_uuid: first })).to.equal(`section:${first}/name`)
    expect(scopeOf({ ...article, section_uuid: first, blog_uuid: second })).to.equal(`blog:${second}/name`)
    expect(scopeOf(event)).to.equal('event/name')
    expect(scopeOf({ ...event, section_uuid: first })).to.equal('event/name')
  })

  it('has the message that clients know', () => {
    const messageOf = (input: JsonObject) => content.unique?.(make(input))?.message
    expect(messageOf(article)).to.equal('urlname not unique within section')
    expect(messageOf({ ...article, blog_uuid: second })).to.equal('urlname must be unique within blog')
    expect(messageOf(event)).to.equal('urlname must be unique for events')
  })

  it('is equal only for objects that must differ in their urlname', () => {
    fc.assert(
      fc.property(stateOf(content, 'article'), stateOf(content, 'article'), (a, b) => {
        const same =
          a['blog_uuid'] === b['blog_uuid'] &&
          (a['blog_uuid'] !== null || a['section_uuid'] === b['section_uuid'])
        expect(content.uniqueText(a) === content.uniqueText(b)).to.equal(
          same && a['urlname'] === b['urlname'],
        )
      }),
    )
  })
})

describe('an event', () => {
  it('does not end before it starts, whichever of the two is sent', () => {
    expect(faultsOf({ ...event, dtend: '2026-05-01T19:59' })).to.deep.equal({
      dtend: 'must not be before dtstart',
    })
    expect(faultsOf({ ...event, dtend: '2026-05-01T20:00' })).to.deep.equal({})
    const state = make({ ...event, dtend: '2026-05-02' })
    expect(faultsOf({ dtstart: '2026-05-03' }, state)).to.have.all.keys('dtend')
    expect(faultsOf({ dtstart: '2026-05-03', dtend: null }, state)).to.deep.equal({})
  })

  it('compares times regardless of the form in which they were sent', () => {
    expect(
      faultsOf({ ...event, dtstart: '2026-05-01T20:00Z', dtend: '2026-05-01T20:30+02:00' }),
    ).to.have.all.keys('dtend')
    expect(
      faultsOf({ ...event, dtstart: '2026-05-01T20:00:00.5', dtend: '2026-05-01 20:00:00.50' }),
    ).to.deep.equal({})
  })

  it('recurs until a day or a number of times, not both', () => {
    const rule = { freq: 'MONTHLY', byday: ['MO', '-1FR'], interval: 2 }
    expect(make({ ...event, rrule: { ...rule, count: 3 } })['rrule']).to.include({
      freq: 'MONTHLY',
      count: 3,
      until: null,
    })
    expect(faultsOf({ ...event, rrule: { ...rule, count: 3, until: '2027-01-01' } })).to.have.all.keys(
      'rrule.until',
    )
    expect(faultsOf({ ...event, rrule: {} })).to.deep.equal({ 'rrule.freq': 'is required' })
    expect(
      faultsOf({ ...event, rrule: { freq: 'weekly', byday: ['FR', 'X'], bymonth: [13] } }),
    ).to.have.all.keys('rrule.freq', 'rrule.byday.1', 'rrule.bymonth.0')
    for (const rrule of ['FREQ=DAILY', [], 7]) expect(faultsOf({ ...event, rrule })).to.have.all.keys('rrule')
  })

  it('reports the index of a wrong date or link in a list', () => {
    expect(
      faultsOf({
        ...event,
        rdates: ['2026-05-08', '2026-02-30'],
        ticket_urls: [{ url: 'https://a' }, { link_text: 'x' }, 7],
      }),
    ).to.have.all.keys('rdates.1', 'ticket_urls.1.url', 'ticket_urls.2')
  })
})

describe('the body', () => {
  const body = `<p>a</p><slot id="${second}"/><slot id="${first.toUpperCase()}"/>`

  it('places slots, in its order and in lower case', () => {
    expect(make({ ...article, content: body })['placed_slots']).to.deep.equal([second, first])
    expect(make(article)['placed_slots']).to.deep.equal([])
    const spelt = `<slot\n id = '${second}'></slot><p>x</p><slot id="&#${first.charCodeAt(0)};${first.slice(1)}" />`
    expect(make({ ...article, content: spelt })['placed_slots']).to.deep.equal([second, first])
    expect(change(make({ ...article, content: body }), { content: null })['placed_slots']).to.deep.equal([])
  })

  it('is rejected with line and column, and stored unchanged if it is valid', () => {
    expect(faultsOf({ ...article, content: '<p>a</p>\n<main/>' })['content']).to.match(/line 2, column 1/)
    const text = '  <p>&#233; “ü” 😀</p>\r\n<hr />\n'
    expect(make({ ...article, content: text })['content']).to.equal(text)
  })

  it('of a roundup entry places no slots', () => {
    const entry = { target_uuid: first, content: body }
    expect(
      faultsOf({ ...article, content_type: 'roundup_content', roundup_content_targets: [entry] }),
    ).to.have.all.keys('roundup_content_targets.0.content')
  })
})

describe('content types', () => {
  it('each have a plural name, and «reviews» and «roundups» are groups', () => {
    const meant = new Set(Object.values(contentTypePlurals).flat())
    expect([...meant]).to.have.members([...contentTypes])
    expect(contentTypePlurals['reviews']).to.have.lengthOf(5)
    expect(contentTypePlurals['roundups']).to.have.lengthOf(2)
    for (const type of contentTypes)
      expect(
        Object.values(contentTypePlurals).filter((types) => types.length === 1 && types[0] === type),
      ).to.have.lengthOf(1)
  })
})
