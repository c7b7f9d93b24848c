import { expect } from 'chai'
import { describe, it } from 'mocha'
import { linksFor } from './response.js'

describe('links of an instance', () => {
  const links = linksFor('https://api.example.org/base', 7)

  it('are addresses of collections, objects, slots and data below the base', () => {
    const below = 'https://api.example.org/base/7'
    expect(links.root).to.equal(below)
    expect(links.collection('content')).to.equal(`${below}/content`)
    expect(links.object('content', 'u')).to.equal(`${below}/content/u`)
    expect(links.slot('u', 's')).to.equal(`${below}/content/u/slots/s`)
    expect(links.download('u', 3)).to.equal(`${below}/files/u/download/3`)
    expect(links.download('u', 3, { w: 90, h: 80 })).to.equal(`${below}/files/u/download/3?w=90&h=80`)
    expect(links.download('u', 3, { w: null, h: 80 })).to.equal(`${below}/files/u/download/3?h=80`)
  })
})
