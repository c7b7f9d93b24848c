import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { given, now, patch, storedState, withAddon } from '../testing/index.js'
import { changeMark, publicEffect, type PublicEffect } from './change-feed.js'

describe('the mark of a change', () => {
  it('is of a publication, of a withdrawal, or of neither', () => {
    const draft = { content_type: 'article', title: 'A title', urlname: 'a-title' }
    const published = { ...draft, state: 'published' }
    const effectOf = (stored: typeof draft, change: object): PublicEffect | null => {
      const after = given(content, stored).when(patch({ ...change })).state
      const mark = changeMark(content, 'replace', storedState(content, stored), after, now)
      return publicEffect({ resource: content, mark, object: null, created: '' }, withAddon)
    }
    expect(effectOf(draft, { state: 'published' })).to.equal('shown')
    expect(effectOf(published, { state: 'draft' })).to.equal('hidden')
    expect(effectOf(published, { title: 'B' })).to.equal('changed')
    expect(effectOf(draft, { title: 'B' })).to.equal(null)
  })
})
