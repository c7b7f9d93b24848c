import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { content } from '../content/content.js'
import { location } from '../locations/location.js'
import type { JsonObject } from '../json.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { command, messages, now, storedState, withAddon } from '../testing/index.js'
import type { Steps } from '../resource/decide-write.js'
import {
  decideDraftChange,
  decidePublication,
  draftAfter,
  draftShapeOf,
  draftState,
  emptyDraft,
  publicationOf,
  remainingDraft,
  missedAt,
  withMissed,
  type ObjectDraft,
} from './object-draft.js'
import { missedBecause } from './missed-publication.js'
import type { Resource } from '../resource/resource.js'

const later = '2026-03-02T10:00:00' as NaiveDateTime
const writer = { role: 'editor', user: 'ed' } as const

type Users = ReadonlyMap<string, ReadonlySet<string | null>>

const ended = <A>(steps: Steps<A>, isTaken = false, changedBy: Users = new Map()): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const question = step.value
    if (question?.about === 'objects') question.answer(new Map())
    if (question?.about === 'first') question.answer(null)
    if (question?.about === 'changes') question.answer(changedBy)
    if (question?.about === 'taken') question.answer(new Set(isTaken ? question.states : []))
  }
}

const article = storedState(content, { content_type: 'article', title: 'One', urlname: 'a', kicker: 'K' })

/** The draft of an object at version 3 after a PATCH; throws the messages of its faults. */
const patched = (
  input: JsonObject,
  {
    resource = content,
    object = article,
    before = null,
    version = 3,
    isTaken = false,
  }: {
    resource?: Resource
    object?: JsonObject
    before?: ObjectDraft | null
    version?: number
    isTaken?: boolean
  } = {},
): ObjectDraft => {
  const previous = draftState(resource, object, before ?? emptyDraft(version))
  const sent = { ...command('patch', input, previous, writer), previous, object, version }
  const decided = ended(decideDraftChange(draftShapeOf(resource), sent), isTaken)
  if (E.isLeft(decided))
    throw new Error(
      JSON.stringify(decided.left._tag === 'BadParameters' ? messages(decided.left.faults) : decided.left),
    )
  return draftAfter(resource, { object, version, before, after: decided.right, now, user: 'ed' })
}

const published = (
  draft: ObjectDraft,
  object: JsonObject = article,
  resource: Resource = content,
  users: Users = new Map(),
) =>
  ended(
    decidePublication(resource, {
      ...writer,
      id: 'x',
      previous: object,
      now: later,
      settings: withAddon,
      draft,
    }),
    false,
    users,
  )

const publishedState = (draft: ObjectDraft, object?: JsonObject, resource?: Resource): JsonObject => {
  const outcome = published(draft, object, resource)
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right.state
}

describe('the draft of an object', () => {
  it('has what differs from the object, with the values that the object had', () => {
    const draft = patched({ title: 'Two', kicker: 'K' })
    expect(draft.changes).to.deep.equal({ title: 'Two' })
    expect(draft.base).to.deep.equal({ title: 'One' })
    expect(draft.own).to.include({ based_on: 3, draft_modified: now, draft_by: 'ed', publish_at: null })
    expect(publicationOf(draft)).to.equal(null)
    expect(draftState(content, article, draft)).to.include({ title: 'Two', kicker: 'K', title_order: 'two' })
  })

  it('shows what others change in the object, except where it has changes', () => {
    const draft = patched({ title: 'Two' })
    const changed = { ...article, title: 'Other', kicker: 'New' }
    expect(draftState(content, changed, draft)).to.include({ title: 'Two', kicker: 'New' })
  })

  it('is the same if a change changes nothing, and loses what is as in the object again', () => {
    const draft = patched({ title: 'Two' })
    expect(patched({ title: 'Two' }, { before: draft })).to.equal(draft)
    expect(patched({ title: 'One' }, { before: draft }).changes).to.deep.equal({})
  })

  it('is changed by the rules of a write', () => {
    expect(() => patched({ title: '' })).to.throw('title')
    expect(() => patched({ content: '<p>' })).to.throw('content')
    expect(() => patched({ section_uuid: '6b1f7c11-2a3d-4c5e-8f60-718293a4b504' })).to.throw('section_uuid')
    expect(() => patched({ urlname: 'b' }, { isTaken: true })).to.throw('urlname')
    expect(patched({ title: 'Two' }, { isTaken: true }).changes).to.deep.equal({ title: 'Two' })
  })

  it('has a time of publication, with the API user that has set it', () => {
    const draft = patched({ publish_at: '2026-03-02T10:00:00' })
    expect(publicationOf(draft)).to.deep.equal({ at: later, by: 'ed' })
    const sent = { object: article, version: 3, now, user: 'other' }
    const state = draftState(content, article, draft)
    const again = draftAfter(content, { ...sent, before: draft, after: { ...state, title: 'Two' } })
    expect(publicationOf(again)).to.deep.equal({ at: later, by: 'ed' })
    expect(publicationOf(again)).not.to.equal(null)
  })

  it('that was not published at its time says so until it has another time', () => {
    const draft = patched({ title: 'Two', publish_at: '2026-03-02T10:00:00' })
    expect(missedAt(draft)).to.equal(null)
    const faults = [{ path: 'urlname', code: 'taken', message: 'is taken' } as const]
    const missed = withMissed(draft, { _tag: 'BadParameters', faults })
    expect(publicationOf(missed)).to.equal(null)
    expect(missed.changes).to.deep.equal({ title: 'Two' })
    expect(missedAt(missed)).to.equal('2026-03-02T10:00:00')
    const miss = { publish_at: '2026-03-02T10:00:00', reason: 'invalid', attributes: ['urlname'] }
    expect(draftState(content, article, missed)['missed']).to.deep.equal(miss)
    const further = patched({ title: 'Three' }, { before: missed })
    expect(draftState(content, article, further)).to.deep.include({ title: 'Three', missed: miss })
    expect(missedAt(patched({ publish_at: '2026-03-03T10:00:00' }, { before: further }))).to.equal(null)
    expect(missedAt(patched({ missed: null }, { before: further }))).to.equal('2026-03-02T10:00:00')
  })

  it('names why it was not published', () => {
    const reasons = [
      [
        { _tag: 'Forbidden', reason: 'role' },
        { reason: 'forbidden', attributes: [] },
      ],
      [
        { _tag: 'DraftConflict', attributes: ['title'], own: [] },
        { reason: 'conflict', attributes: ['title'] },
      ],
      [
        { _tag: 'TooLarge', limit: 1 },
        { reason: 'refused', attributes: [] },
      ],
    ] as const
    for (const [problem, expected] of reasons) expect(missedBecause(problem)).to.deep.equal(expected)
  })

  it('of a contributor does not publish', () => {
    const previous = draftState(content, { ...article, created_by: 'c' }, emptyDraft(1))
    const decide = (input: JsonObject) =>
      ended(
        decideDraftChange(draftShapeOf(content), {
          ...command('patch', input, previous, { role: 'contributor', user: 'c' }),
          previous,
          object: previous,
          version: 1,
        }),
      )
    expect(E.isRight(decide({ title: 'Two' }))).to.equal(true)
    expect(decide({ state: 'published' })).to.deep.equal(E.left({ _tag: 'Forbidden', reason: 'publication' }))
  })
})

describe('the publication of a draft', () => {
  it('writes its changes, and nothing else', () => {
    const draft = patched({ title: 'Two' })
    const changed = { ...article, kicker: 'New' }
    const state = publishedState(draft, changed)
    expect(state).to.deep.equal({
      ...changed,
      title: 'Two',
      title_order: 'two',
      modified: later,
      touched_at: later,
    })
  })

  it('sets what follows from it at its time', () => {
    const draft = patched({ state: 'published' })
    expect(draft.changes).to.deep.equal({ state: 'published' })
    expect(publishedState(draft)).to.include({ state: 'published', issued: later })
  })

  it('removes a coupon with its image, as a PATCH does', () => {
    const image = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'
    const listing = storedState(location, {
      title: 'L',
      urlname: 'l',
      is_listing: true,
      coupon_img_uuid: image,
      coupon_title: 'C',
    })
    const draft = patched(
      { coupon_img_uuid: null, is_listing: true },
      { resource: location, object: listing },
    )
    expect(publishedState(draft, listing, location)).to.include({ coupon_img_uuid: null, coupon_title: null })
  })

  it('is refused with what both have changed, and with nothing else', () => {
    const draft = patched({ title: 'Two', kicker: null, sub_title: 'S' })
    const changed = { ...article, title: 'Other', kicker: 'L', sub_title: 'S', meta_title: 'M' }
    expect(published(draft, changed)).to.deep.equal(
      E.left({ _tag: 'DraftConflict', attributes: ['title', 'kicker'], own: [] }),
    )
  })

  it('is refused although the draft is changed again, until it is based on the present version', () => {
    const first = patched({ title: 'Two' })
    const object = { ...article, title: 'Other' }
    const again = patched({ title: 'Three' }, { object, before: first, version: 4 })
    expect(E.isLeft(published(again, object))).to.equal(true)
    expect(() => patched({ based_on: 2 }, { object, before: again, version: 4 })).to.throw('based_on')
    const confirmed = patched({ based_on: 4 }, { object, before: again, version: 4 })
    expect(confirmed.own).to.include({ based_on: 4 })
    expect(publishedState(confirmed, object)).to.include({ title: 'Three' })
  })

  it('names what nobody but the caller has changed since', () => {
    const draft = patched({ title: 'Two', kicker: 'L', sub_title: 'S' })
    const changed = { ...article, title: 'Other', kicker: 'M', sub_title: 'T' }
    const users = new Map([
      ['title', new Set(['ed'])],
      ['kicker', new Set(['ed', null])],
    ])
    expect(published(draft, changed, content, users)).to.deep.equal(
      E.left({ _tag: 'DraftConflict', attributes: ['title', 'sub_title', 'kicker'], own: ['title'] }),
    )
  })

  it('is based on what was published already, where it is changed further', () => {
    const first = patched({ title: 'Two', kicker: 'L' })
    const object = publishedState(first)
    const further = patched({ title: 'Three' }, { object, before: first, version: 4 })
    expect(publishedState(further, object)).to.include({ title: 'Three', kicker: 'L' })
    expect(E.isLeft(published(further, { ...object, title: 'Other' }))).to.equal(true)
    const meanwhile = patched({ title: 'Three', sub_title: 'S' }, { before: first })
    const remaining = remainingDraft(meanwhile, first)
    expect(publishedState(remaining, object)).to.include({ title: 'Three', kicker: 'L', sub_title: 'S' })
    expect(E.isLeft(published(remaining, { ...object, title: 'Other' }))).to.equal(true)
    expect(E.isLeft(published(remaining, { ...object, sub_title: 'Other' }))).to.equal(true)
  })

  it('changes nothing if the object has its changes already', () => {
    const draft = patched({ title: 'Two' })
    const object = publishedState(draft)
    expect(published(draft, object)).to.deep.equal(E.right({ state: object, effects: null }))
  })
})
