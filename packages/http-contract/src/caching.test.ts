import { expect } from 'chai'
import { describe, it } from 'mocha'
import { cacheControl, vary } from './caching.js'
import { endpoints } from './endpoints.js'

describe('how long answers may be kept', () => {
  it('is as decided for each kind of answer', () => {
    expect(cacheControl).to.deep.equal({
      object: 'private, max-age=60',
      settings: 'private, max-age=300',
      download: 'private, max-age=31536000, immutable',
      documentation: 'public, max-age=300',
      none: 'no-store',
    })
    expect(vary).to.equal('Accept, Authorization')
  })

  it('is something for each GET of data, of descriptions and of pages, and nothing for writes, tokens and health', () => {
    for (const { method, path, caching } of endpoints)
      expect(caching === 'none', `${method} ${path}`).to.equal(
        method !== 'GET' || path.startsWith('/health/'),
      )
  })
})
