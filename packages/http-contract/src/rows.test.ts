import { expect } from 'chai'
import { describe, it } from 'mocha'
import { fieldsOf } from '@publishing-service/domain/lists'
import { endpoints } from './endpoints.js'
import { queryableOf } from './index.js'

describe('rows', () => {
  it('have values of fields that they have, also if a request names none', () => {
    for (const endpoint of endpoints) {
      const rows = queryableOf(endpoint)
      if (rows === undefined) continue
      const { initialFields = ['url'] } = rows
      expect([...fieldsOf(rows).keys()], endpoint.id).to.include.members([...initialFields])
    }
  })
})
