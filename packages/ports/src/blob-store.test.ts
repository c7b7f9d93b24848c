import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkBlobKey, checkBlobPath, isBlobKey } from './blob-store.js'

const keys = ['a/b', 'a/b/c/d/e/f', '.a/..b', '.../a', 'A_1.-/x', `x/${'y'.repeat(198)}`]
const pathsOnly = ['a', '...', 'y'.repeat(200)]
const neither = [
  '',
  '/',
  '/a/b',
  'a/b/',
  'a//b',
  '.',
  '..',
  './a',
  'a/..',
  'a/./b',
  'a/b c',
  'a/b~',
  'a/ä',
  'a/b\n',
  'a/b/c/d/e/f/g',
  `x/${'y'.repeat(199)}`,
]

describe('the syntax of blob keys', () => {
  it('accepts two to six segments as a key and as a path', () => {
    for (const key of keys) {
      expect(isBlobKey(key), key).to.equal(true)
      checkBlobKey(key)
      checkBlobPath(key)
    }
  })

  it('accepts one segment only as a path', () => {
    for (const path of pathsOnly) {
      expect(isBlobKey(path), path).to.equal(false)
      expect(() => checkBlobKey(path)).to.throw(TypeError, 'not a key of a blob')
      checkBlobPath(path)
    }
  })

  it('throws a TypeError for any other text', () => {
    for (const text of neither) {
      expect(isBlobKey(text), text).to.equal(false)
      expect(() => checkBlobKey(text), text).to.throw(TypeError, JSON.stringify(text))
      expect(() => checkBlobPath(text), text).to.throw(TypeError, JSON.stringify(text))
    }
  })
})
