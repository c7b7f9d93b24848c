/** The limits that follow from the machine, and those that are configured. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { scalingLimits, thisMachine } from './job-limits.js'

describe('the limits of scaling jobs', () => {
  const unset = { SCALING_JOBS: null, SCALING_MEMORY: null, SCALING_SECONDS: 30, WORKERS: 1 }
  const on = (cores: number, memoryMb: number, given = {}): readonly [number, number] => {
    const { parallel, job } = scalingLimits({ ...unset, ...given }, { cores, memoryMb })
    return [parallel, job.mebibytes]
  }

  it('use every core and leave half of the memory to others', () => {
    expect(on(1, 1024)).to.deep.equal([1, 512])
    expect(on(2, 24_576)).to.deep.equal([2, 2048])
    expect(on(4, 16_384)).to.deep.equal([4, 2048])
    expect(on(8, 4096)).to.deep.equal([4, 512])
    expect(on(1, 256)).to.deep.equal([1, 256])
  })

  it('can be configured', () => {
    expect(on(8, 16_384, { SCALING_JOBS: 3 })).to.deep.equal([3, 2048])
    expect(on(8, 4096, { SCALING_MEMORY: 1024 })).to.deep.equal([2, 1024])
    expect(on(1, 256, { SCALING_JOBS: 5, SCALING_MEMORY: 4000 })).to.deep.equal([5, 4000])
    expect(
      scalingLimits({ ...unset, SCALING_SECONDS: 7 }, { cores: 1, memoryMb: 1024 }).job.milliseconds,
    ).to.equal(7000)
  })

  it('are divided among workers, each of which can scale one image', () => {
    expect(on(8, 16_384, { WORKERS: 2 })).to.deep.equal([4, 1024])
    expect(on(2, 16_384, { WORKERS: 2 })).to.deep.equal([1, 2048])
    expect(on(2, 4096, { WORKERS: 8 })).to.deep.equal([1, 256])
    expect(on(8, 16_384, { WORKERS: 2, SCALING_JOBS: 5 })).to.deep.equal([2, 2048])
    expect(on(8, 16_384, { WORKERS: 4, SCALING_JOBS: 1 })).to.deep.equal([1, 2048])
  })

  it('know this machine', () => {
    const { cores, memoryMb } = thisMachine()
    expect(cores).to.be.at.least(1)
    expect(memoryMb).to.be.at.least(128)
  })
})
