import { expect } from 'chai'
import { describe, it } from 'mocha'
import { confirmationFault } from './deletion.js'

describe('confirmationFault', () => {
  it('is null only for exactly the title', () => {
    expect(confirmationFault({ title: 'Der Böte' }, 'Der Böte')).to.equal(null)
    for (const wrong of ['', 'der böte', 'Der Böte ', 'Der Bote'])
      expect(confirmationFault({ title: 'Der Böte' }, wrong)).to.have.property('path', 'title')
  })
})
