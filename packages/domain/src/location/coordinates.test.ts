/** A place on the globe: two numbers within the bounds of the globe. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { valueContext } from '../testing/index.js'
import { coordinates } from './coordinates.js'

const read = (value: unknown) => coordinates.decode(value, valueContext)

const pathsOf = (value: unknown): readonly string[] => {
  const result = read(value)
  return E.isLeft(result) ? result.left.map(({ path }) => path) : ['taken']
}

describe('coords', () => {
  it('are latitude and longitude, the bounds included', () => {
    for (const pair of [
      [48.2082, 16.3738],
      [90, 180],
      [-90, -180],
      [0, 0],
    ])
      expect(read(pair)).to.deep.equal(E.right(pair))
    expect(read([-0, 0])).to.deep.equal(E.right([0, 0]))
    expect(read(['48.2082', '-180'])).to.deep.equal(E.right([48.2082, -180]))
  })

  it('have a fault at the index that is out of bounds or not a number', () => {
    expect(pathsOf([90.0001, 0])).to.deep.equal(['0'])
    expect(pathsOf([0, -180.0001])).to.deep.equal(['1'])
    expect(pathsOf([91, 181])).to.deep.equal(['0', '1'])
    expect(pathsOf(['48.2 N', 16])).to.deep.equal(['0'])
    expect(pathsOf([null, NaN])).to.deep.equal(['0', '1'])
  })

  it('are a list of two', () => {
    for (const value of [[], [1], [1, 2, 3], '48,16', { lat: 1, long: 2 }, null, 1])
      expect(pathsOf(value)).to.deep.equal([''])
  })
})
