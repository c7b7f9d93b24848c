import { expect } from 'chai'
import { describe, it } from 'mocha'
import { maxAppendedBytes } from '@publishing-service/ports'
import { asAppended, pendingOf } from './appended-documents.js'

const append = (bytes: number) => ({
  collection: 'things',
  instance: 1,
  document: { id: 'a', position: 1, version: 3, unique: null, value: { '$set.a': 'x'.repeat(bytes) } },
})

describe('appended documents in the changed one', () => {
  it('are read back equal, and are different in each write', () => {
    const appended = [append(3), append(0)]
    const [first, second] = [pendingOf(appended), pendingOf(appended)]
    expect(first?.appended.map(asAppended)).to.deep.equal(appended)
    expect(first?.moving).not.to.equal(second?.moving)
    expect(pendingOf([])).to.equal(null)
  })

  it('have at most the size for which a document has room', () => {
    expect(pendingOf([append(maxAppendedBytes)])?.appended).to.have.length(1)
    expect(() => pendingOf(Array.from({ length: 4 }, () => append(maxAppendedBytes)))).to.throw('larger than')
  })
})
