import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '../describe-model.js'
import { isLive, usersOf } from './uses.js'

describe('the uses of an object', () => {
  const { resources } = describeModel()
  const users = (collection: string) =>
    Object.fromEntries(
      usersOf(resources, collection).map(({ resource, filter }) => [resource.collection, filter]),
    )

  it('are found by the filters of lists', () => {
    expect(users('files')).to.include({
      content: 'files',
      sections: 'files',
      locations: 'files',
      tags: 'files',
    })
    expect(users('tags')).to.deep.equal({ content: 'tags', locations: 'tags', files: 'tags' })
    expect(users('sections')).to.deep.equal({ sections: 'parent', content: 'sections' })
    expect(users('content')).to.deep.equal({ comments: 'content' })
    expect(users('redirects')).to.deep.equal({})
  })

  it('are live if the public sees them', () => {
    const now = '2026-11-25T08:00:00'
    expect(isLive({}, now)).to.equal(true)
    expect(isLive({ state: 'approved' }, now)).to.equal(true)
    expect(isLive({ state: 'published', issued: '2026-11-24T08:00:00' }, now)).to.equal(true)
    expect(isLive({ state: 'published', issued: '2026-11-26T08:00:00' }, now)).to.equal(false)
    expect(isLive({ state: 'draft' }, now)).to.equal(false)
  })
})
