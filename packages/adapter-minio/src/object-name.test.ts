import { expect } from 'chai'
import { describe, it } from 'mocha'
import { keyOf, objectAt, objectOf } from './object-name.js'

describe('Names of objects', () => {
  it('lead back to the key', () => {
    for (const key of ['a/b', 'a/b/c', '.a/..b', `x/${'y'.repeat(198)}`])
      expect(keyOf(objectOf(key))).to.equal(key)
  })

  it('are none of the store’s own where they hold anything else', () => {
    for (const name of ['', '~', '~probe', 'a~', 'a/b', 'a/b~~', 'a//b~', 'a/b c~', '/a/b~'])
      expect(keyOf(name), name).to.equal(null)
  })

  it('stand at paths of two segments and more', () => {
    expect([objectAt('a'), objectAt('a/b')]).to.deep.equal([null, 'a/b~'])
  })
})
