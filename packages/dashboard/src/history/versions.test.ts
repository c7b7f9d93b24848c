import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '../describe-model.js'
import { changedAfter, differingFields, versionsIn } from './versions.js'

const versions = versionsIn({
  items: [
    { version: 4, changed: ['slots', 'title'] },
    { version: 3, changed: ['taggings'] },
    { version: 1, changed: ['title', 'related_links'] },
  ],
})

describe('changedAfter', () => {
  it('has the names that later versions changed, not those of the version itself', () => {
    const parts = ['related_links', 'slots', 'taggings']
    expect(changedAfter(parts, versions, 1)).to.deep.equal(['slots', 'taggings'])
    expect(changedAfter(parts, versions, 3)).to.deep.equal(['slots'])
    expect(changedAfter(parts, versions, 4)).to.deep.equal([])
  })
})

describe('differingFields', () => {
  const fields = describeModel().resources.find(({ collection }) => collection === 'content')?.fields ?? []
  const differing = (earlier: Parameters<typeof differingFields>[1]) =>
    differingFields(fields, earlier, { title: 'Two', kicker: null, urls: ['a', 'b'] }).map(({ name }) => name)

  it('compares values, and takes what is absent for null', () => {
    expect(differing({ title: 'Two', urls: ['a', 'b'] })).to.deep.equal([])
    expect(differing({ title: 'One', urls: ['b', 'a'], kicker: 'Fog' })).to.have.members(['title', 'kicker'])
  })
})
