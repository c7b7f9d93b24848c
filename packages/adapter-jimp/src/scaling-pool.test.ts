/**
 * The threads: none before the first job, none when idle, and failed ones are replaced.
 */
import { E } from '@publishing-service/domain'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { once } from 'node:events'
import type { ScaleJob } from './scale-image.js'
import { scalingPool, type PoolOptions, type ScalingPool } from './scaling-pool.js'
import { behaviour } from './scaling-pool.test-worker.js'

const worker = new URL('./scaling-pool.test-worker.js', import.meta.url)

const job = (width: number, data: Uint8Array = Uint8Array.of(1, 2, 3)): ScaleJob => ({
  data,
  header: { mimetype: 'image/gif', width: 9, height: 9, orientation: 1, leastBytes: 0 },
  size: { width, height: 1 },
  maxMemoryMb: 64,
})

describe('the pool of scaling workers', function () {
  this.timeout(20_000)
  let pool: ScalingPool | undefined
  afterEach(() => pool?.close())

  const open = (
    options: Partial<PoolOptions['job']> & { readonly idleMs?: number } = {},
    module = worker,
  ): ScalingPool => {
    const { idleMs = 60_000, ...limits } = options
    pool = scalingPool(
      { parallel: 1, idleMs, job: { milliseconds: 20_000, mebibytes: 512, ...limits } },
      module,
    )
    return pool
  }

  const expectScaled = async (opened: ScalingPool): Promise<void> => {
    const result = await opened.run(job(behaviour.respond))
    expect(result).to.deep.equal(E.right(Uint8Array.of(1, 2, 3)))
  }

  const failureOf = async (opened: ScalingPool, width: number): Promise<{ _tag: string; reason: string }> => {
    const result = await opened.run(job(width))
    if (E.isRight(result)) throw new Error('the image was scaled')
    return result.left
  }

  it('starts a thread for the first job and uses it for the next', async () => {
    const opened = open()
    expect(opened.threads()).to.have.length(0)
    await expectScaled(opened)
    const [first] = opened.threads()
    await expectScaled(opened)
    expect(opened.threads()).to.deep.equal([first])
  })

  it('ends an idle thread', async () => {
    const opened = open({ idleMs: 10 })
    await expectScaled(opened)
    const [idle] = opened.threads()
    if (idle !== undefined) await once(idle, 'exit')
    expect(opened.threads()).to.have.length(0)
    await expectScaled(opened)
  })

  it('stops a job that takes too long and starts another thread', async () => {
    const opened = open({ milliseconds: 2000 })
    await expectScaled(opened)
    const [hanging] = opened.threads()
    expect(await failureOf(opened, behaviour.hang)).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took longer than 2 seconds.',
    })
    expect(opened.threads()).to.not.include(hanging)
    await expectScaled(opened)
  })

  it('stops a job that exceeds its memory and starts another thread', async () => {
    const opened = open({ mebibytes: 64 })
    expect(await failureOf(opened, behaviour.fillMemory)).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took more than 64 MB of memory.',
    })
    await expectScaled(opened)
  })

  it('returns PortFailure if the worker throws, exits, or cannot be loaded', async () => {
    const opened = open()
    expect(await failureOf(opened, behaviour.fail)).to.deep.equal({
      _tag: 'PortFailure',
      part: 'imaging',
      reason: 'Error: a defect',
    })
    await expectScaled(opened)
    expect((await failureOf(opened, behaviour.exit))._tag).to.equal('PortFailure')
    await expectScaled(opened)
    await opened.close()

    const missing = open({}, new URL('./no-such-worker.js', import.meta.url))
    for (const attempt of [1, 2])
      expect((await failureOf(missing, behaviour.respond))._tag, `attempt ${attempt}`).to.equal('PortFailure')
  })

  it('returns PortFailure for jobs that run while it is closed', async () => {
    const opened = open()
    await expectScaled(opened)
    const running = failureOf(opened, behaviour.hang)
    await opened.close()
    expect((await running)._tag).to.equal('PortFailure')
    expect(opened.threads()).to.have.length(0)
  })

  it('accepts shared memory, and a view of a larger buffer, which stays usable', async () => {
    const opened = open()
    const shared = new Uint8Array(new SharedArrayBuffer(3))
    shared.set([4, 5, 6])
    const larger = Uint8Array.of(7, 8, 9, 10)
    expect(await opened.run(job(behaviour.respond, shared))).to.deep.equal(E.right(Uint8Array.of(4, 5, 6)))
    const window = larger.subarray(1, 3)
    expect(await opened.run(job(behaviour.respond, window))).to.deep.equal(E.right(Uint8Array.of(8, 9)))
    expect(larger).to.deep.equal(Uint8Array.of(7, 8, 9, 10))
  })
})
