import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { parseCollectionQuery } from '@publishing-service/domain/lists'
import { viewer } from '@publishing-service/domain/testing'
import { auditRows } from './administration-shapes.js'

describe('the filter of the audit log by objects', () => {
  const idsIn = (objects: string) => {
    const query = parseCollectionQuery(auditRows, { objects }, viewer('admin'), false)
    return E.isLeft(query) ? query.left[0]?.message : query.right.where
  }

  it('accepts several ids separated by underscores, and a key that contains underscores', () => {
    const oneOf = ['1', 'a-b', '1_a-b']
    expect(idsIn('1_a-b')).to.deep.equal([{ key: 'object', oneOf }])
    expect(idsIn('_a__')).to.deep.equal([{ key: 'object', oneOf: ['a', '_a__'] }])
    expect(idsIn('7')).to.deep.equal([{ key: 'object', oneOf: ['7'] }])
    for (const text of ['', 'ä', '1,2', '1_'.repeat(2000)])
      expect(idsIn(text)).to.include('separated by underscores')
  })
})
