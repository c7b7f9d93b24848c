import { expect } from 'chai'
import { describe, it } from 'mocha'
import { derivedUuid } from './derived-uuid.js'

describe('derivedUuid', () => {
  it('is the same for the same object, and another for every other', () => {
    const uuid = derivedUuid('https://example.org', 'post', '17')
    expect(uuid).to.match(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(derivedUuid('https://example.org', 'post', '17')).to.equal(uuid)
    for (const [site, kind, id] of [
      ['https://example.com', 'post', '17'],
      ['https://example.org', 'page', '17'],
      ['https://example.org', 'post', '1\n7'],
    ] as const)
      expect(derivedUuid(site, kind, id)).to.not.equal(uuid)
  })
})
