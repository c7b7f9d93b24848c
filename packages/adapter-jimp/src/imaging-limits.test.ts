/**
 * The limits that follow from the machine, and those that are given.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { imagingLimits, thisMachine } from './imaging-limits.js'

describe('the limits of imaging', () => {
  const on = (cores: number, memoryMb: number): readonly [number, number] => {
    const { workers, jobMemoryMb } = imagingLimits({}, { cores, memoryMb })
    return [workers, jobMemoryMb]
  }

  it('leave a core to the service and half of the memory to others', () => {
    expect(on(1, 1024)).to.deep.equal([1, 512])
    expect(on(2, 24_576)).to.deep.equal([1, 2048])
    expect(on(4, 16_384)).to.deep.equal([3, 2048])
    expect(on(8, 4096)).to.deep.equal([2, 1024])
    expect(on(1, 256)).to.deep.equal([1, 256])
  })

  it('can be given', () => {
    const given = { workers: 5, queue: 6, jobTimeoutMs: 7, jobMemoryMb: 8, maxPixels: 9, idleMs: 10 }
    expect(imagingLimits(given, { cores: 2, memoryMb: 100 })).to.deep.equal(given)
  })

  it('know this machine', () => {
    const { cores, memoryMb } = thisMachine()
    expect(cores).to.be.at.least(1)
    expect(memoryMb).to.be.at.least(128)
  })
})
