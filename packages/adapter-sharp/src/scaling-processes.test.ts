/**
 * The processes: none before the first job, none after a while without one, and each that goes astray or is struck
 * down is replaced, without harm to others.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { E, TE, type Size } from '@publishing-service/domain'
import { readImageHeader } from '@publishing-service/image-header'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp, { type PngOptions } from 'sharp'
import { portFailure, type SizedBody } from '@publishing-service/ports'
import { scalingProcesses, type ScalingOptions, type ScalingProcesses } from './scaling-processes.js'
import { behaviour } from './scaling-processes.test-program.js'

const program = new URL('./scaling-processes.test-program.js', import.meta.url)
const libvips = new URL('./scaling-program.js', import.meta.url)
const trustful = new URL('./trustful.test-program.js', import.meta.url)
const { bodyOf } = imagingFixtures

type Job = { readonly original: SizedBody<never>; readonly size: Size }

const jobOf = (width: number, data: Uint8Array = Uint8Array.of(1, 2, 3)): Job => ({
  original: bodyOf(data),
  size: { width, height: 1 },
})

/** Resolves once there are no more than so many; the event that ends a process comes when it is gone. */
const untilFewer = async ({ pids }: ScalingProcesses, most: number): Promise<void> => {
  while (pids().length > most) await new Promise((resolve) => setImmediate(resolve))
}

describe('the processes that scale', function () {
  this.timeout(20_000)
  let opened: ScalingProcesses | undefined
  afterEach(() => opened?.close())

  const open = (
    { parallel = 1, idleMs = 60_000, ...limits }: Partial<ScalingOptions & ScalingOptions['job']> = {},
    module = program,
  ): ScalingProcesses => {
    const job = { milliseconds: 20_000, mebibytes: 512, ...limits }
    opened = scalingProcesses({ parallel, idleMs, job }, module)
    return opened
  }

  const answers = async (processes: ScalingProcesses): Promise<void> => {
    const { original, size } = jobOf(behaviour.answer)
    expect(await processes.run(original, size)).to.deep.equal(E.right(Uint8Array.of(1, 2, 3)))
  }

  const left = async (
    processes: ScalingProcesses,
    { original, size }: Job,
  ): Promise<{ _tag: string; reason: string }> => {
    const answer = await processes.run(original, size)
    if (E.isRight(answer)) throw new Error('answered bytes')
    return answer.left
  }

  it('are none before the first job, and the one that it starts is kept', async () => {
    const processes = open()
    expect(processes.pids()).to.deep.equal([])
    await answers(processes)
    const first = processes.pids()
    expect(first).to.have.length(1)
    await answers(processes)
    expect(processes.pids()).to.deep.equal(first)
  })

  it('end when they have had no job for a while', async () => {
    const processes = open({ idleMs: 10 })
    await answers(processes)
    await untilFewer(processes, 0)
    await answers(processes)
  })

  it('are as many as may run side by side, and jobs on top wait', async () => {
    const processes = open({ parallel: 2 })
    await Promise.all([answers(processes), answers(processes), answers(processes), answers(processes)])
    expect(processes.pids()).to.have.length(2)
  })

  it('are stopped when a job takes too long, which is said, and replaced', async () => {
    const processes = open({ milliseconds: 1000 })
    await answers(processes)
    const stuck = processes.pids()
    expect(await left(processes, jobOf(behaviour.hang))).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took longer than 1 seconds.',
    })
    await answers(processes)
    expect(processes.pids()).to.have.length(1).and.not.deep.equal(stuck)
  })

  it('are stopped when a job fills their memory, which is said, and replaced', async () => {
    const processes = open()
    await answers(processes)
    const full = processes.pids()
    expect(await left(processes, jobOf(behaviour.fillMemory))).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'That was too much.',
    })
    await answers(processes)
    expect(processes.pids()).to.have.length(1).and.not.deep.equal(full)
  })

  for (const [how, width, ending] of [
    ['leaves', behaviour.leave, '3'],
    ['has a fault', behaviour.fault, 'SIGSEGV'],
    ['is killed in the middle of its answer', behaviour.halfAnAnswer, 'SIGKILL'],
  ] as const)
    it(`a job whose process ${how} answers PortFailure, and the next one works`, async () => {
      const processes = open()
      expect(await left(processes, jobOf(width))).to.deep.equal({
        _tag: 'PortFailure',
        part: 'imaging',
        reason: `Error: the scaling process ended with ${ending}`,
      })
      await answers(processes)
    })

  it('a job whose process cannot be started answers PortFailure', async () => {
    const processes = open({}, new URL('./no-such-program.js', import.meta.url))
    for (const attempt of [1, 2])
      expect((await left(processes, jobOf(behaviour.answer)))._tag, `attempt ${attempt}`).to.equal(
        'PortFailure',
      )
  })

  it('an original that is not there, fails or has another length ends its job alone', async () => {
    const processes = open()
    const { size } = jobOf(behaviour.answer)
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1)
      throw portFailure('blob store', 'gone')
    }
    const isAnswered = async (original: SizedBody<unknown>, failure: unknown): Promise<void> => {
      expect(await processes.run(original, size)).to.deep.equal(E.left(failure))
      await answers(processes)
    }
    await isAnswered({ bytes: 3, open: TE.left('not there') }, 'not there')
    await isAnswered({ bytes: 3, open: TE.right(breaking()) }, portFailure('blob store', 'gone'))
    for (const bytes of [2, 4])
      await isAnswered(
        { ...bodyOf(Uint8Array.of(1, 2, 3)), bytes },
        portFailure('blob store', `a body of ${bytes} bytes has ${bytes === 2 ? 'more' : 'only 3'}`),
      )
  })

  it('time that an original takes to come is not the job’s', async () => {
    const processes = open({ milliseconds: 400 })
    await answers(processes)
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (let byte = 1; byte <= 3; byte += 1) {
        await new Promise((resolve) => {
          setTimeout(resolve, 250)
        })
        yield Uint8Array.of(byte)
      }
    }
    const { size } = jobOf(behaviour.answer)
    expect(await processes.run({ bytes: 3, open: TE.right(slow()) }, size)).to.deep.equal(
      E.right(Uint8Array.of(1, 2, 3)),
    )
  })

  it('what an original is read from is let go when its process is struck down', async () => {
    const processes = open()
    let isFreed = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield new Uint8Array(65_536)
        // Never all that it said, however long it takes until the end of the process is known.
        for (;;) {
          for (const pid of processes.pids()) process.kill(pid, 'SIGKILL')
          await nextTurn()
          yield new Uint8Array(1)
        }
      } finally {
        isFreed = true
      }
    }
    const { size } = jobOf(behaviour.answer)
    expect(await processes.run({ bytes: 2 ** 30, open: TE.right(endless()) }, size)).to.deep.equal(
      E.left(portFailure('imaging', new Error('the scaling process ended with SIGKILL'))),
    )
    expect(isFreed).to.equal(true)
    await answers(processes)
  })

  it('a process that dies while it rests costs nobody anything', async () => {
    const processes = open()
    await answers(processes)
    for (const pid of processes.pids()) process.kill(pid, 'SIGKILL')
    await untilFewer(processes, 0)
    await answers(processes)
  })

  it('jobs that run when it closes answer PortFailure, and no process stays', async () => {
    const processes = open({ parallel: 2 })
    await answers(processes)
    const running = left(processes, jobOf(behaviour.hang))
    await processes.close()
    expect(await running).to.deep.equal({ _tag: 'PortFailure', part: 'imaging', reason: 'closed' })
    expect(processes.pids()).to.deep.equal([])
    expect((await left(processes, jobOf(behaviour.answer))).reason).to.equal('closed')
  })

  describe('with libvips', () => {
    const large = async (png: PngOptions = {}): Promise<Job> => ({
      original: bodyOf(
        await sharp(await imagingFixtures.photograph('hubble_deep_field.jpg'))
          .resize({ width: 4000, height: 4000, fit: 'fill' })
          .png({ compressionLevel: 1, ...png })
          .toBuffer(),
      ),
      size: { width: 2000, height: 2000 },
    })
    const small = (): Job => ({
      original: bodyOf(imagingFixtures.palettePng(40)),
      size: { width: 4, height: 4 },
    })
    const isScaled = async (processes: ScalingProcesses, { original, size }: Job): Promise<void> => {
      const answer = await processes.run(original, size)
      if (E.isLeft(answer)) throw new Error(answer.left.reason)
      expect(readImageHeader(answer.right)).to.deep.include({ _tag: 'Right' })
    }

    it('a process that is killed in the middle of a picture harms no other job', async () => {
      const processes = open({ parallel: 2 }, libvips)
      const job = await large()
      await isScaled(processes, small())
      const [struck = 0] = processes.pids()
      const running = left(processes, job)
      // The process that was there scales the large picture; a second process starts for the other job.
      const other = isScaled(processes, small())
      while (processes.pids().length < 2) await nextTurn()
      expect(processes.pids()).to.include(struck)
      process.kill(struck, 'SIGSEGV')
      expect((await running).reason).to.equal('Error: the scaling process ended with SIGSEGV')
      await other
      await isScaled(processes, job)
    })

    it('a picture that takes more memory than it may is stopped while it is made', async () => {
      const processes = open({ mebibytes: 32 }, trustful)
      expect(await left(processes, await large({ progressive: true }))).to.deep.equal({
        _tag: 'ImageUnreadable',
        reason: 'Scaling the image took more than 32 MB of memory.',
      })
      await isScaled(processes, small())
    })

    if (process.platform === 'linux')
      it('a process has nothing of the service’s environment, and goes behind who waits for an answer', async () => {
        const processes = open({}, libvips)
        await isScaled(processes, small())
        const [pid = 0] = processes.pids()
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).to.match(
          /^MALLOC_ARENA_MAX=1\0NODE_CHANNEL_FD=\d+\0NODE_CHANNEL_SERIALIZATION_MODE=advanced\0$/,
        )
        expect(getPriority(pid)).to.be.above(0)
      })
  })
})
