import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { cellsAround, distanceBetween, nearFilter, nearKeys, nearLimits, parseCircle } from './near.js'

const vienna = { latitude: 48.2082, longitude: 16.3738 }
const cellsOf = (latitude: number, longitude: number): readonly unknown[] => {
  const cells = nearKeys.cells.compute({ coords: [latitude, longitude] })
  return Array.isArray(cells) ? cells : []
}
const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(-90, -89.9999, 0, 89.9999, 90),
)
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, -179.9999, 0, 179.9999, 180),
)
const radius = fc.oneof(
  fc.double({ min: nearLimits.min, max: nearLimits.max, noNaN: true }),
  fc.constantFrom(nearLimits.min, 0.5, 1, 2, 8, 32, 128, 512, nearLimits.max),
)

describe('distanceBetween', () => {
  it('returns kilometres on the sphere', () => {
    const graz = { latitude: 47.0707, longitude: 15.4395 }
    expect(distanceBetween(vienna, graz)).to.be.closeTo(144.7, 0.5)
    expect(distanceBetween(vienna, vienna)).to.equal(0)
    expect(
      distanceBetween({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }),
    ).to.be.closeTo(111.2, 0.1)
    expect(distanceBetween({ latitude: 90, longitude: 0 }, { latitude: 90, longitude: 120 })).to.be.closeTo(
      0,
      1e-9,
    )
  })
})

describe('cells', () => {
  it('around a circle contain a cell of every location in it, at the poles and the antimeridian too', () => {
    fc.assert(
      fc.property(
        latitude,
        longitude,
        radius,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (at, along, kilometres, share, bearing) => {
          // A point at a share of the radius, in a direction.
          const angle = (kilometres * share) / 6371.0088
          const from = (at * Math.PI) / 180
          const sine = Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing)
          const to = Math.asin(Math.max(-1, Math.min(1, sine)))
          const turn = Math.atan2(
            Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
            Math.cos(angle) - Math.sin(from) * Math.sin(to),
          )
          const east = ((((along + (turn * 180) / Math.PI + 540) % 360) + 360) % 360) - 180
          const point = { latitude: (to * 180) / Math.PI, longitude: east }
          const circle = { latitude: at, longitude: along, kilometres }
          if (distanceBetween(point, circle) > kilometres) return
          expect(cellsAround(circle)).to.include.oneOf([...cellsOf(point.latitude, point.longitude)])
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('around a circle are few', () => {
    fc.assert(
      fc.property(latitude, longitude, radius, (at, along, kilometres) => {
        expect(cellsAround({ latitude: at, longitude: along, kilometres }).length).to.be.at.most(60)
      }),
      { numRuns: 1000 },
    )
  })

  it('of a location without coordinates are none', () => {
    expect(nearKeys.cells.compute({ coords: null })).to.deep.equal([])
    expect(cellsOf(48.2, 16.3)).to.have.length(6)
  })
})

describe('near', () => {
  it('is a point and a radius', () => {
    expect(parseCircle('48.2082,16.3738,5')).to.deep.equal(E.right({ ...vienna, kilometres: 5 }))
    expect(parseCircle('-90,-180,0.001')).to.deep.equal(
      E.right({ latitude: -90, longitude: -180, kilometres: 0.001 }),
    )
    for (const wrong of [
      '',
      '1,2',
      '1,2,3,4',
      '90.1,0,1',
      '0,180.1,1',
      '0,0,0',
      '0,0,1000.1',
      '0,0,-1',
      '1e1,0,1',
      '+1,0,1',
    ])
      expect(E.isLeft(parseCircle(wrong)), wrong).to.equal(true)
  })

  it('tests the exact distance', () => {
    const test = nearFilter.refine?.('48.2082,16.3738,1') ?? (() => false)
    expect(test({ coords: [48.2082, 16.3738] })).to.equal(true)
    expect(test({ coords: [48.2082, 16.38] })).to.equal(true)
    expect(test({ coords: [48.2082, 16.39] })).to.equal(false)
    expect(test({ coords: null })).to.equal(false)
    expect(test({})).to.equal(false)
  })
})
