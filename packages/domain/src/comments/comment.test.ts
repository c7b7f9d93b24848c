/** The rules of comments: what a public_user reads, what is counted, what a deletion leaves. */
import { isVisibleTo } from '../resource/resource.js'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { placeholderOf } from '../resource/effects.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { draftWrite } from '../resource/draft-write.js'
import { withComputed } from '../resource/with-computed.js'
import { viewOf } from '../resource/read-plan.js'
import type { Role } from '../role/permissions.js'
import { command, later, now, objectId, viewer, viewOn, write } from '../testing/index.js'
import { comment } from './comment.js'
import { countedUnder } from './comments-count.js'
import { maxCommentDepth, treePath } from './tree-path.js'

const parent = 'aaaaaaaa-0000-4000-8000-000000000001'
const story = 'bbbbbbbb-0000-4000-8000-000000000001'

const sent: JsonObject = {
  parent_type: 'content',
  parent_uuid: story,
  comment: 'First!',
  title: 'Title',
  email: 'ada@example.org',
}
const stateOf = (more: JsonObject = {}): JsonObject =>
  write(comment, command('put', { ...sent, ...more }, null)).state
const readBy = (role: Role, state: JsonObject): JsonObject =>
  viewOf(comment, state, viewOn(comment, state, { role }))

const derivedFrom = (input: JsonObject, found: JsonObject) => {
  const state = stateOf(input)
  const change = { ...command('put', input, null), supplied: new Set<string>() }
  return comment.visibleWith?.derive(state, change, (_collection, id) => (id === parent ? found : undefined))
}
const reply: JsonObject = { parent_type: 'comment', parent_uuid: parent }

describe('a comment', () => {
  it('is a draft by default', () => {
    expect(stateOf()).to.include({ state: 'draft', deleted: false })
    expect(isVisibleTo(comment, viewer('reader'), stateOf())).to.equal(true)
  })

  it('is hidden from a public_user while it, its content or a comment above it is not published', () => {
    type Above = JsonObject | null | undefined
    const isVisible = (state: string, live_from: string | null, above: Above): boolean => {
      const answer = { ...stateOf({ state }), content_uuid: story, reply_to: above === null ? null : parent }
      const followed = comment.visibleWith?.follow(answer, (collection) =>
        collection === 'content' ? { live_from } : (above ?? undefined),
      )
      const whole = withComputed(comment, followed ?? {})
      return isVisibleTo(comment, viewer('public_user'), whole)
    }
    const published = { state: 'published' }
    for (const since of ['0', '2026-01-01T00:00:00', now])
      expect(isVisible('published', since, null)).to.equal(true)
    expect(isVisible('published', '0', published)).to.equal(true)
    expect(isVisible('draft', '0', null)).to.equal(false)
    for (const since of [null, later])
      expect(isVisible('published', since, null), String(since)).to.equal(false)
    for (const above of [{ state: 'draft' }, { ...published, hidden_above: true }, undefined])
      expect(isVisible('published', '0', above), JSON.stringify(above)).to.equal(false)
  })

  it('is returned as edited to public_user only', () => {
    const edited = stateOf({ edited_title: '', edited_comment: 'Kind words.' })
    expect(readBy('public_user', edited)).to.include({
      title: '',
      comment: 'Kind words.',
      edited_title: null,
      edited_comment: null,
      email: null,
    })
    expect(readBy('reader', edited)).to.include({
      title: 'Title',
      comment: 'First!',
      edited_comment: 'Kind words.',
      email: 'ada@example.org',
    })
    expect(readBy('public_user', stateOf())).to.include({ title: 'Title', comment: 'First!' })
  })

  it('is ordered by the title that a public_user reads', () => {
    expect(stateOf()['title_order']).to.equal('title')
    expect(stateOf({ edited_title: 'Ä' })['title_order']).to.equal(stateOf({ title: 'Ä' })['title_order'])
  })

  it('is counted while it and the comments above it are published and it is not deleted', () => {
    const published = stateOf({ state: 'published' })
    expect(published[countedUnder]).to.deep.equal(['published'])
    expect(stateOf()[countedUnder]).to.deep.equal([])
    const below = withComputed(comment, { ...published, hidden_above: true })
    expect(below[countedUnder]).to.deep.equal([])
    const deleted = placeholderOf(comment)?.by.of(published, later) ?? {}
    expect(withComputed(comment, deleted)[countedUnder]).to.deep.equal([])
  })

  it('has neither text nor author after its deletion, and accepts none', () => {
    const deleted =
      placeholderOf(comment)?.by.of(stateOf({ edited_comment: 'x', creator: 'Ada', fb_uid: 'ada' }), later) ??
      {}
    expect(deleted).to.include({
      comment: '—',
      title: null,
      edited_comment: null,
      creator: null,
      email: null,
      fb_uid: null,
      deleted: true,
      modified: later,
      parent_uuid: story,
    })
    const faults = (input: JsonObject) =>
      draftWrite(comment, command('patch', input, deleted)).faults.map(({ path }) => path)
    expect(faults({ comment: 'x', creator: 'y', state: 'published' })).to.deep.equal(['comment', 'creator'])
    expect(faults({ state: 'published' })).to.deep.equal([])
  })

  it('cannot change its parent', () => {
    const { faults } = draftWrite(comment, command('patch', { parent_uuid: parent }, stateOf()))
    expect(faults.map(({ path }) => path)).to.deep.equal(['parent_uuid'])
    const { parent_uuid: _parent, ...rest } = sent
    expect(draftWrite(comment, command('put', rest, stateOf()))).to.deep.include({ faults: [] })
    expect(draftWrite(comment, command('put', rest, null)).faults.map(({ path }) => path)).to.deep.equal([
      'parent_uuid',
    ])
  })
})

describe('the parent of a comment', () => {
  it('is its content, or the comment that it replies to', () => {
    expect(derivedFrom({}, {})).to.deep.equal(
      E.right({ ...stateOf(), content_uuid: story, tree: '', content_live_from: '~' }),
    )
    const tree = treePath('', now, null, parent)
    const found = { content_uuid: story, tree, deleted: false, content_live_from: now, hidden_above: false }
    expect(derivedFrom(reply, found)).to.deep.equal(
      E.right({
        ...stateOf(reply),
        content_uuid: story,
        reply_to: parent,
        tree,
        content_live_from: now,
        hidden_above: true,
      }),
    )
  })

  it('is not a deleted comment, and not at the last level', () => {
    let tree = ''
    for (let level = 0; level < maxCommentDepth; level += 1) tree = treePath(tree, now, null, objectId)
    for (const found of [
      { tree, deleted: false },
      { tree: '', deleted: true },
    ]) {
      const refused = derivedFrom(reply, { ...found, content_uuid: story })
      expect(refused?._tag === 'Left' && refused.left.map(({ path }) => path)).to.deep.equal(['parent_uuid'])
    }
  })
})
