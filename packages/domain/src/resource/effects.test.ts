import { expect } from 'chai'
import { describe, it } from 'mocha'
import { comment } from '../comments/comment.js'
import { content } from '../content/content.js'
import type { JsonObject } from '../json.js'
import { section } from '../sections/section.js'
import { given, objectId, patch, put } from '../testing/index.js'

const article = { content_type: 'article', title: 'A title', urlname: 'a-title' }
const other = '11111111-1111-4111-8111-111111111111'

describe('the effects of a write', () => {
  it('are a creation with a place, or none if nothing changes', () => {
    const created = given(content, null).when(put(article))
    expect(created.effects).to.deep.include({
      kind: 'created',
      publication: null,
      place: { name: 'a-title', below: { section: null } },
      dependencies: [],
      isFollowed: false,
    })
    expect(given(content, article).when(patch({ title: 'A title' })).effects).to.equal(null)
  })

  it('are a publication and a withdrawal', () => {
    const published = { ...article, state: 'published' }
    const publicationAfter = (before: JsonObject, input: JsonObject) =>
      given(content, before).when(patch(input)).effects?.publication
    expect(publicationAfter(article, { state: 'published' })).to.equal('published')
    expect(publicationAfter(published, { state: 'draft' })).to.equal('withdrawn')
    expect(publicationAfter(published, { title: 'B' })).to.equal(null)
  })

  it('are a new place only if the path changes', () => {
    const placeAfter = (input: object) => given(content, article).when(patch({ ...input })).effects?.place
    expect(placeAfter({ title: 'B' })).to.equal(null)
    expect(placeAfter({ urlname: 'A-Title' })).to.equal(null)
    expect(placeAfter({ urlname: 'b' })).to.deep.equal({ name: 'b', below: { section: null } })
    expect(placeAfter({ section_uuid: other })).to.deep.equal({ name: 'a-title', below: { section: other } })
  })

  it('are a move in the tree, and references that deletions look for', () => {
    const { effects } = given(section, { title: 'News', urlname: 'news' }).when(patch({ parent_uuid: other }))
    expect(effects?.parent).to.deep.equal({ key: 'parent_uuid', id: other })
    expect(effects?.dependencies.map(({ target, id }) => [target.collection, id])).to.deep.equal([
      ['sections', other],
    ])
  })

  it('say whether objects store what follows from others', () => {
    const reply = { parent_type: 'content', parent_uuid: objectId, comment: 'Yes.', creator: 'A' }
    expect(given(comment, null).when(put({ ...reply, title: 'A' })).effects?.isFollowed).to.equal(true)
    const draft = given(content, article)
    expect(draft.when(patch({ state: 'published' })).effects?.isFollowed).to.equal(true)
    expect(draft.when(patch({ title: 'B' })).effects?.isFollowed).to.equal(false)
  })
})
