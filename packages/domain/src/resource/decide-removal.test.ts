import { expect } from 'chai'
import { describe, it } from 'mocha'
import { comment } from '../comment/comment.js'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { firstHomepage, homepage } from '../homepage/homepage.js'
import { section } from '../section/section.js'
import { now, objectId, storedState } from '../testing/index.js'
import { writeProblem, type Writer } from '../role/write-problem.js'
import { decideRemoval, preventionOf } from './decide-removal.js'

const article = storedState(content, {
  content_type: 'article',
  title: 'A',
  urlname: 'a',
  state: 'published',
})
const news = storedState(section, { title: 'News', urlname: 'news' })
const reply = storedState(comment, {
  parent_type: 'content',
  parent_uuid: objectId,
  title: 'A',
  comment: 'Yes.',
  creator: 'A',
})

describe('a removal', () => {
  it('removes an object to which nothing refers', () => {
    for (const [resource, state] of [
      [section, news],
      [comment, reply],
    ] as const)
      expect(decideRemoval(resource, state, null, now)).to.deep.equal(E.right({ how: 'removed' }))
  })

  it('is refused while something refers to the object', () => {
    expect(decideRemoval(section, news, 'content', now)).to.deep.equal(
      E.left({ _tag: 'InUse', by: 'content' }),
    )
  })

  it('leaves a placeholder of a comment with replies, once', () => {
    const decision = decideRemoval(comment, reply, 'replies', now)
    if (E.isLeft(decision) || decision.right.how !== 'replaced') return expect.fail('is not replaced')
    const placeholder = decision.right.state
    expect(placeholder).to.deep.include({ deleted: true, creator: null })
    expect(decideRemoval(comment, placeholder ?? {}, 'replies', now)).to.deep.equal(
      E.right({ how: 'replaced', state: null }),
    )
  })

  it('is permitted by role, and to contributors for their own drafts', () => {
    const contributor = { role: 'contributor', user: objectId } as const
    const problemOf = (writer: Writer) => writeProblem(content, writer, { before: article, after: null })
    expect(problemOf({ role: 'editor', user: null })).to.equal(null)
    expect(problemOf({ role: 'reader', user: null })).to.deep.include({
      reason: 'role',
    })
    expect(problemOf(contributor)).to.deep.include({ reason: 'object of another' })
  })

  it('of the default homepage is prevented', () => {
    expect(preventionOf(homepage, firstHomepage.id)).to.deep.include({ _tag: 'MethodNotAllowed' })
    expect(preventionOf(section, firstHomepage.id)).to.equal(null)
  })
})
