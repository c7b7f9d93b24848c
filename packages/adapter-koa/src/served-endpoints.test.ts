import { endpoints } from '@publishing-service/http-contract'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { servedEndpoints } from './served-endpoints.js'

describe('the endpoints that are served', () => {
  it('are all that are documented, each once', () => {
    const ids = servedEndpoints.map(({ id }) => id).toSorted()
    expect(ids).to.deep.equal(endpoints.map(({ id }) => id).toSorted())
  })
})
