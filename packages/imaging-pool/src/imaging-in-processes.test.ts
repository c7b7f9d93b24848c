/**
 * The processes: none before the first job, none when idle, and failed ones are replaced without harm to other jobs.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { E, TE } from '@publishing-service/domain/fp'
import type { Rendering } from '@publishing-service/domain/images'
import { imageUnreadable, portFailure, type SizedBody } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import { scalingPool, type ScalingOptions, type ScalingPool } from './imaging-in-processes.js'
import { behaviour } from './imaging-in-processes.test-program.js'

const program = new URL('./imaging-in-processes.test-program.js', import.meta.url)
const { bodyOf, gifOf } = imagingFixtures
const image = gifOf(4, 4, [1])
const renderingFor = (behaves: keyof typeof behaviour): Rendering => ({
  size: { width: behaviour[behaves], height: 1 },
  region: null,
  format: null,
  quality: 'high',
})

type Settings = Partial<ScalingOptions & ScalingOptions['job']> & {
  readonly limitsHeap?: boolean
  readonly module?: URL
}

const untilAtMost = async ({ pids }: ScalingPool, most: number): Promise<void> => {
  while (pids().length > most) await nextIteration()
}

const result = (pool: ScalingPool, behaves: keyof typeof behaviour): Promise<unknown> =>
  pool.run(bodyOf(image), renderingFor(behaves))

const expectScaled = async (pool: ScalingPool): Promise<void> => {
  expect(await result(pool, 'respond')).to.deep.equal(E.right({ _tag: 'Scaled', data: image }))
}

describe('the pool of scaling processes', function () {
  this.timeout(20_000)
  let opened: ScalingPool | undefined
  afterEach(() => opened?.close())

  const open = ({ limitsHeap = false, module = program, ...settings }: Settings = {}): ScalingPool => {
    const { parallel = 1, idleMs = 60_000, ...limits } = settings
    const job = { milliseconds: 20_000, mebibytes: 512, ...limits }
    opened = scalingPool({ parallel, idleMs, job }, { program: module, limitsHeap })
    return opened
  }

  it('starts a process for the first job, uses it for the next, and replaces one that was killed while idle', async () => {
    const pool = open()
    expect(pool.pids()).to.deep.equal([])
    await expectScaled(pool)
    const [first = 0, ...others] = pool.pids()
    expect(others).to.deep.equal([])
    await expectScaled(pool)
    expect(pool.pids()).to.deep.equal([first])
    process.kill(first, 'SIGKILL')
    await untilAtMost(pool, 0)
    await expectScaled(pool)
  })

  const unopened = (bytes: number): SizedBody<never> => ({
    bytes,
    open: async () => {
      throw new Error('opened')
    },
  })

  it('rejects a size that is none, and opens no original', async () => {
    const pool = open()
    const noSize = { ...renderingFor('respond'), size: { width: 0, height: 2 } }
    const thrown = await pool.run(unopened(10), noSize).catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(RangeError)
    expect(pool.pids()).to.deep.equal([])
  })

  it('rejects the image of an original with too many bytes, which it does not open', async () => {
    const pool = open()
    for (const rendering of [renderingFor('respond'), null])
      expect(await pool.run(unopened(Number.MAX_SAFE_INTEGER), rendering)).to.have.nested.property(
        'left._tag',
        imageUnreadable('')._tag,
      )
    expect(pool.pids()).to.deep.equal([])
  })

  it('returns PortFailure after it was closed', async () => {
    const pool = open()
    const closing = pool.close()
    for (const rendering of [renderingFor('respond'), null])
      expect(await pool.run(unopened(10), rendering)).to.deep.equal(E.left(portFailure('imaging', 'closed')))
    await closing
  })

  it('ends idle processes', async () => {
    const pool = open({ idleMs: 10 })
    await expectScaled(pool)
    await untilAtMost(pool, 0)
    await expectScaled(pool)
  })

  it('starts at most `parallel` processes, and further jobs wait', async () => {
    const pool = open({ parallel: 2 })
    await Promise.all([1, 2, 3, 4].map(() => expectScaled(pool)))
    expect(pool.pids()).to.have.length(2)
  })

  const expectReplaced = async (
    pool: ScalingPool,
    behaves: keyof typeof behaviour,
    reason: string,
  ): Promise<void> => {
    await expectScaled(pool)
    const [first] = pool.pids()
    expect(await result(pool, behaves)).to.deep.equal(E.left(imageUnreadable(reason)))
    await expectScaled(pool)
    expect(pool.pids(), behaves).to.have.length(1).and.not.include(first)
  }

  it('rejects the image of a job that takes too long, and replaces its process', async () => {
    const pool = open({ milliseconds: 3000 })
    await expectReplaced(pool, 'hang', 'Scaling the image took longer than 3 seconds.')
  })

  // Each of the next two tests uses one pool, since most of the time is that of the starts of processes.
  it('rejects the image of a job that exceeds its memory, and replaces its process', async () => {
    const pool = open({ limitsHeap: true, mebibytes: 64 })
    await expectReplaced(pool, 'outOfMemory', 'Too much memory.')
    await expectReplaced(pool, 'fillHeap', 'Scaling the image took more than 64 MB of memory.')
  })

  it('returns PortFailure for a job whose process fails, and only for that job', async () => {
    const pool = open({ parallel: 2 })
    for (const [behaves, reason] of [
      ['fail', 'Error: a defect'],
      ['exit', 'Error: the scaling process ended with 3'],
      ['crash', 'Error: the scaling process ended with SIGSEGV'],
      ['partialResult', 'Error: the scaling process ended with SIGKILL'],
    ] as const) {
      const [failed] = await Promise.all([result(pool, behaves), expectScaled(pool)])
      expect(failed).to.deep.equal(E.left(portFailure('imaging', reason)))
      await expectScaled(pool)
    }
  })

  it('returns PortFailure if the process cannot be started', async () => {
    const pool = open({ module: new URL('./no-such-program.js', import.meta.url) })
    for (const attempt of [1, 2])
      expect(await result(pool, 'respond'), `attempt ${attempt}`).to.have.nested.property(
        'left._tag',
        'PortFailure',
      )
  })

  it('does not count the time in which the original arrives', async () => {
    const pool = open({ milliseconds: 6000 })
    await expectScaled(pool)
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (const part of [0, 1, 2]) {
        await delay(2100)
        yield image.subarray(part * 10, part === 2 ? undefined : part * 10 + 10)
      }
    }
    const body = { bytes: image.length, open: TE.right(slow()) }
    expect(await pool.run(body, renderingFor('respond'))).to.deep.equal(
      E.right({ _tag: 'Scaled', data: image }),
    )
  })

  it('closes the source of the original if the process is killed', async () => {
    const pool = open()
    let isClosed = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        // Continues until the end of the process is known; the body never reaches its stated length.
        for (;;) {
          for (const pid of pool.pids()) process.kill(pid, 'SIGKILL')
          await nextIteration()
          yield new Uint8Array(1)
        }
      } finally {
        isClosed = true
      }
    }
    const body: SizedBody<never> = { bytes: 2 ** 28, open: TE.right(endless()) }
    expect(await pool.run(body, renderingFor('respond'))).to.deep.equal(
      E.left(portFailure('imaging', 'Error: the scaling process ended with SIGKILL')),
    )
    expect(isClosed).to.equal(true)
    await expectScaled(pool)
  })

  it('returns PortFailure for jobs that run while it is closed, and ends all processes', async () => {
    const pool = open({ parallel: 2 })
    await expectScaled(pool)
    const running = result(pool, 'hang')
    await pool.close()
    const closed = E.left(portFailure('imaging', 'closed'))
    expect(await running).to.deep.equal(closed)
    expect(pool.pids()).to.deep.equal([])
    expect(await result(pool, 'respond')).to.deep.equal(closed)
  })

  if (process.platform === 'linux')
    it('does not pass on the environment of the service, and lowers the priority of a process', async () => {
      const pool = open()
      await expectScaled(pool)
      const [pid = 0] = pool.pids()
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).to.match(
        /^MALLOC_ARENA_MAX=1\0NODE_CHANNEL_FD=\d+\0NODE_CHANNEL_SERIALIZATION_MODE=advanced\0$/,
      )
      expect(getPriority(pid)).to.be.above(0)
    })
})
