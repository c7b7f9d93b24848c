import { expect } from 'chai'
import { describe, it } from 'mocha'
import { keyOf, objectAt, objectOf } from './object-name.js'

describe('object names', () => {
  it('can be converted back to the key', () => {
    for (const key of ['a/b', 'a/b/c', '.a/..b', `x/${'y'.repeat(198)}`])
      expect(keyOf(objectOf(key))).to.equal(key)
  })

  it('are ignored if they are not the name of a blob', () => {
    for (const name of ['', '~', '~probe', 'a~', 'a/b', 'a/b~~', 'a//b~', 'a/b c~', '/a/b~'])
      expect(keyOf(name), name).to.equal(null)
  })

  it('exist for paths of two or more segments', () => {
    expect([objectAt('a'), objectAt('a/b')]).to.deep.equal([null, 'a/b~'])
  })
})
