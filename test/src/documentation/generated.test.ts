/** What documents show of the code is what the code says now. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { readDocument } from './documents.js'
import { generatedDocuments } from './generated.js'

describe('parts of the documents that are made from the code', function () {
  this.timeout(60_000)
  let generated: ReadonlyMap<string, string> = new Map()

  before(async () => {
    generated = await generatedDocuments()
  })

  it('are up to date; else run `npm run docs`', () => {
    expect(generated.size).to.be.greaterThan(2)
    for (const [path, text] of generated) expect(readDocument(path).text, path).to.equal(text)
  })
})
