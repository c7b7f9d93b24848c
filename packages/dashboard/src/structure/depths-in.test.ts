import { expect } from 'chai'
import { describe, it } from 'mocha'
import { depthsIn } from './depths-in.js'

describe('depthsIn', () => {
  it('counts the listed ancestors', () => {
    const rows = [
      { uuid: 'a', parent: 'content' },
      { uuid: 'b', parent: 'a' },
      { uuid: 'c', parent: 'b' },
      { uuid: 'd', parent: 'a' },
      { uuid: 'e', parent: 'on another page' },
    ]
    expect([...depthsIn(rows, 'parent')]).to.deep.equal([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 1],
      ['e', 0],
    ])
  })
})
