import { expect } from 'chai'
import { describe, it } from 'mocha'
import { cacheControl, vary } from './caching.js'
import { endpoints } from './endpoints.js'

describe('the caching of responses', () => {
  it('has the expected Cache-Control for each class', () => {
    expect(cacheControl).to.deep.equal({
      object: 'private, max-age=60',
      settings: 'private, max-age=300',
      download: 'private, max-age=31536000, immutable',
      documentation: 'public, max-age=300',
      none: 'no-store',
    })
    expect(vary).to.equal('Accept, Authorization')
  })

  it('is enabled for each GET of data, documents and pages, and disabled for writes, tokens, health and administration', () => {
    for (const { method, path, caching, deployment } of endpoints)
      expect(caching === 'none', `${method} ${path}`).to.equal(
        method !== 'GET' ||
          path.startsWith('/health/') ||
          path === '/{iid}/audit' ||
          deployment !== undefined,
      )
  })
})
