/** The generated parts of documents are up to date. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readDocument } from './documents.js'
import { generatedDocuments } from './generated.js'

describe('generated parts of documents', () => {
  it('are up to date (`npm run docs` updates them)', () => {
    const generated = generatedDocuments()
    expect(generated.size).to.be.greaterThan(2)
    for (const [path, text] of generated) expect(readDocument(path).text, path).to.equal(text)
  })
})
