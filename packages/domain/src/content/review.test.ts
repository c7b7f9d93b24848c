import { expect } from 'chai'
import { given, patch, put } from '../testing/index.js'
import type { JsonObject } from '../json.js'
import type { Role } from '../role/permissions.js'
import { later, now } from '../testing/circumstances.js'
import { content } from './content.js'

const author = '11111111-1111-4111-8111-111111111111'
const chief = '22222222-2222-4222-8222-222222222222'
const guest = '33333333-3333-4333-8333-333333333333'
const roles = new Map<string, Role>([
  [author, 'contributor'],
  [chief, 'editor'],
  [guest, 'reader'],
])

const article = { content_type: 'article', title: 'One', urlname: 'one' }
const requested = { ...article, review: 'requested', review_note: 'Please', review_assignee: chief }
const none = {
  review: null,
  review_note: null,
  review_assignee: null,
  review_by: null,
  review_at: null,
}

const after = (role: Role, stored: JsonObject, sent: ReturnType<typeof patch>) =>
  given(content, stored, { by: { role, user: author }, now: later, others: { roles } }).when(sent)

const contributor = (stored: JsonObject, change: JsonObject) => after('contributor', stored, patch(change))
const editor = (stored: JsonObject, change: JsonObject) => after('editor', stored, patch(change))

// docs/behaviour/review.md
describe('the review of a draft', () => {
  it('is requested and withdrawn by a contributor, with who did it and when', () => {
    const { state } = contributor(article, {
      review: 'requested',
      review_note: 'Please',
      review_assignee: chief,
    })
    expect(state).to.include({
      review: 'requested',
      review_note: 'Please',
      review_assignee: chief,
      review_by: author,
      review_at: later,
    })
    expect(contributor(requested, { review: null }).state).to.include(none)
  })

  for (const answer of ['approved', 'changes_requested']) {
    it(`is answered with ${answer} by an editor, and not by a contributor`, () => {
      expect(contributor(requested, { review: answer }).faults).to.have.all.keys('review')
      expect(editor(requested, { review: answer }).state).to.include({ review: answer, state: 'draft' })
    })

    it(`is, once it is ${answer}, changed by a contributor only by another request`, () => {
      const answered = { ...requested, review: answer }
      expect(contributor(answered, { review_note: 'Thanks' }).faults).to.have.all.keys('review_note')
      expect(contributor(answered, { title: 'Two' }).state).to.include({ review: answer, title: 'Two' })
      const again = { review: 'requested', review_note: 'Done' }
      expect(contributor(answered, again).state).to.include(again)
    })
  }

  it('has a note and an assignee only while there is one', () => {
    const details = { review_note: 'Please', review_assignee: chief }
    expect(contributor(article, details).faults).to.have.all.keys('review_note', 'review_assignee')
    expect(contributor(requested, { review: null, review_note: null }).state).to.include(none)
  })

  it('is assigned to an API user who may edit on the instance', () => {
    const assigned = (review_assignee: string) => editor(requested, { review_assignee })
    expect(assigned(author).state).to.include({ review_assignee: author })
    expect(assigned(guest).faults).to.have.all.keys('review_assignee')
    expect(assigned('44444444-4444-4444-8444-444444444444').faults).to.have.all.keys('review_assignee')
    expect(editor({ ...requested, review_assignee: author }, { title: 'Two' }).state).to.include({
      review_assignee: author,
    })
  })

  it('ends with publication, and what is published has none', () => {
    const published = { ...requested, review: 'approved', state: 'published' }
    expect(after('editor', requested, put(published)).state).to.include({ ...none, state: 'published' })
    expect(editor(published, { review: 'requested' }).faults).to.have.all.keys('review')
    expect(editor(published, { review_note: 'Please' }).faults).to.have.all.keys('review')
    expect(editor(published, { state: 'draft', review: 'requested' }).state).to.include({
      review: 'requested',
    })
  })

  it('stays through a PUT without it, and through changes of other attributes', () => {
    const stayed = { review: 'requested', review_note: 'Please', review_assignee: chief, review_at: later }
    expect(after('contributor', requested, put({ ...article, title: 'Two' })).state).to.include(stayed)
    expect(now).to.not.equal(later)
  })
})
