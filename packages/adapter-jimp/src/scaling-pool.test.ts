/**
 * The threads: none before the first job, none after a while without one, and each that goes astray is replaced.
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

  const answers = async (opened: ScalingPool): Promise<void> => {
    const answer = await opened.run(job(behaviour.answer))
    expect(answer).to.deep.equal(E.right(Uint8Array.of(1, 2, 3)))
  }

  const left = async (opened: ScalingPool, width: number): Promise<{ _tag: string; reason: string }> => {
    const answer = await opened.run(job(width))
    if (E.isRight(answer)) throw new Error('answered bytes')
    return answer.left
  }

  it('has no thread before the first job and keeps the one that it starts', async () => {
    const opened = open()
    expect(opened.threads()).to.have.length(0)
    await answers(opened)
    const [first] = opened.threads()
    await answers(opened)
    expect(opened.threads()).to.deep.equal([first])
  })

  it('ends a thread that has had no job for a while', async () => {
    const opened = open({ idleMs: 10 })
    await answers(opened)
    const [idle] = opened.threads()
    if (idle !== undefined) await once(idle, 'exit')
    expect(opened.threads()).to.have.length(0)
    await answers(opened)
  })

  it('stops a job that takes too long, says so, and goes on with another thread', async () => {
    const opened = open({ milliseconds: 2000 })
    await answers(opened)
    const [stuck] = opened.threads()
    expect(await left(opened, behaviour.hang)).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took longer than 2 seconds.',
    })
    expect(opened.threads()).to.not.include(stuck)
    await answers(opened)
  })

  it('stops a job that fills its memory, says so, and goes on with another thread', async () => {
    const opened = open({ mebibytes: 64 })
    expect(await left(opened, behaviour.fillMemory)).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took more than 64 MB of memory.',
    })
    await answers(opened)
  })

  it('answers PortFailure when the worker fails, leaves, or cannot be loaded', async () => {
    const opened = open()
    expect(await left(opened, behaviour.fail)).to.deep.equal({
      _tag: 'PortFailure',
      part: 'imaging',
      reason: 'Error: a defect',
    })
    await answers(opened)
    expect((await left(opened, behaviour.leave))._tag).to.equal('PortFailure')
    await answers(opened)
    await opened.close()

    const missing = open({}, new URL('./no-such-worker.js', import.meta.url))
    for (const attempt of [1, 2])
      expect((await left(missing, behaviour.answer))._tag, `attempt ${attempt}`).to.equal('PortFailure')
  })

  it('answers PortFailure for the jobs that run when it closes', async () => {
    const opened = open()
    await answers(opened)
    const running = left(opened, behaviour.hang)
    await opened.close()
    expect((await running)._tag).to.equal('PortFailure')
    expect(opened.threads()).to.have.length(0)
  })

  it('takes bytes from shared memory, and those of a window of a larger buffer without the rest', async () => {
    const opened = open()
    const shared = new Uint8Array(new SharedArrayBuffer(3))
    shared.set([4, 5, 6])
    const larger = Uint8Array.of(7, 8, 9, 10)
    expect(await opened.run(job(behaviour.answer, shared))).to.deep.equal(E.right(Uint8Array.of(4, 5, 6)))
    const window = larger.subarray(1, 3)
    expect(await opened.run(job(behaviour.answer, window))).to.deep.equal(E.right(Uint8Array.of(8, 9)))
    expect(larger).to.deep.equal(Uint8Array.of(7, 8, 9, 10))
  })
})
