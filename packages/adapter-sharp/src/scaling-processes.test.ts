/**
 * The processes: none before the first job, none when idle, and failed ones are replaced without harm to other jobs.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { E, TE, type Size } from '@publishing-service/domain'
import { readImageHeader } from '@publishing-service/image-header'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { setImmediate as nextIteration } from 'node:timers/promises'
import sharp, { type PngOptions } from 'sharp'
import { portFailure, type SizedBody } from '@publishing-service/ports'
import { scalingProcesses, type ScalingOptions, type ScalingProcesses } from './scaling-processes.js'
import { behaviour } from './scaling-processes.test-program.js'

const program = new URL('./scaling-processes.test-program.js', import.meta.url)
const libvips = new URL('./scaling-program.js', import.meta.url)
const withoutEstimate = new URL('./without-estimate.test-program.js', import.meta.url)
const { bodyOf } = imagingFixtures

type Job = { readonly original: SizedBody<never>; readonly size: Size }

const jobOf = (width: number, data: Uint8Array = Uint8Array.of(1, 2, 3)): Job => ({
  original: bodyOf(data),
  size: { width, height: 1 },
})

/** Resolves when at most this number of processes is running. */
const untilAtMost = async ({ pids }: ScalingProcesses, most: number): Promise<void> => {
  while (pids().length > most) await new Promise((resolve) => setImmediate(resolve))
}

describe('scalingProcesses', function () {
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

  const expectScaled = async (processes: ScalingProcesses): Promise<void> => {
    const { original, size } = jobOf(behaviour.respond)
    expect(await processes.run(original, size)).to.deep.equal(E.right(Uint8Array.of(1, 2, 3)))
  }

  const failureOf = async (
    processes: ScalingProcesses,
    { original, size }: Job,
  ): Promise<{ _tag: string; reason: string }> => {
    const result = await processes.run(original, size)
    if (E.isRight(result)) throw new Error('the image was scaled')
    return result.left
  }

  it('starts a process for the first job and uses it for the next', async () => {
    const processes = open()
    expect(processes.pids()).to.deep.equal([])
    await expectScaled(processes)
    const first = processes.pids()
    expect(first).to.have.length(1)
    await expectScaled(processes)
    expect(processes.pids()).to.deep.equal(first)
  })

  it('ends idle processes', async () => {
    const processes = open({ idleMs: 10 })
    await expectScaled(processes)
    await untilAtMost(processes, 0)
    await expectScaled(processes)
  })

  it('starts at most `parallel` processes, and further jobs wait', async () => {
    const processes = open({ parallel: 2 })
    await Promise.all([
      expectScaled(processes),
      expectScaled(processes),
      expectScaled(processes),
      expectScaled(processes),
    ])
    expect(processes.pids()).to.have.length(2)
  })

  it('kills and replaces a process whose job takes too long', async () => {
    const processes = open({ milliseconds: 1000 })
    await expectScaled(processes)
    const hanging = processes.pids()
    expect(await failureOf(processes, jobOf(behaviour.hang))).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Scaling the image took longer than 1 seconds.',
    })
    await expectScaled(processes)
    expect(processes.pids()).to.have.length(1).and.not.deep.equal(hanging)
  })

  it('kills and replaces a process that exceeds its memory', async () => {
    const processes = open()
    await expectScaled(processes)
    const full = processes.pids()
    expect(await failureOf(processes, jobOf(behaviour.fillMemory))).to.deep.equal({
      _tag: 'ImageUnreadable',
      reason: 'Too much memory.',
    })
    await expectScaled(processes)
    expect(processes.pids()).to.have.length(1).and.not.deep.equal(full)
  })

  for (const [how, width, ending] of [
    ['exits', behaviour.exit, '3'],
    ['crashes', behaviour.crash, 'SIGSEGV'],
    ['is killed while it sends its result', behaviour.partialResult, 'SIGKILL'],
  ] as const)
    it(`returns PortFailure if the process ${how}, and runs the next job`, async () => {
      const processes = open()
      expect(await failureOf(processes, jobOf(width))).to.deep.equal({
        _tag: 'PortFailure',
        part: 'imaging',
        reason: `Error: the scaling process ended with ${ending}`,
      })
      await expectScaled(processes)
    })

  it('returns PortFailure if the process cannot be started', async () => {
    const processes = open({}, new URL('./no-such-program.js', import.meta.url))
    for (const attempt of [1, 2])
      expect((await failureOf(processes, jobOf(behaviour.respond)))._tag, `attempt ${attempt}`).to.equal(
        'PortFailure',
      )
  })

  it('fails only the job of an original that is missing, fails or has another length', async () => {
    const processes = open()
    const { size } = jobOf(behaviour.respond)
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1)
      throw portFailure('blob store', 'interrupted')
    }
    const expectFailure = async (original: SizedBody<unknown>, failure: unknown): Promise<void> => {
      expect(await processes.run(original, size)).to.deep.equal(E.left(failure))
      await expectScaled(processes)
    }
    await expectFailure({ bytes: 3, open: TE.left('missing') }, 'missing')
    await expectFailure({ bytes: 3, open: TE.right(breaking()) }, portFailure('blob store', 'interrupted'))
    for (const bytes of [2, 4])
      await expectFailure(
        { ...bodyOf(Uint8Array.of(1, 2, 3)), bytes },
        portFailure('blob store', `a body of ${bytes} bytes has ${bytes === 2 ? 'more' : 'only 3'}`),
      )
  })

  it('does not count the time in which the original arrives', async () => {
    const processes = open({ milliseconds: 400 })
    await expectScaled(processes)
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (let byte = 1; byte <= 3; byte += 1) {
        await new Promise((resolve) => {
          setTimeout(resolve, 250)
        })
        yield Uint8Array.of(byte)
      }
    }
    const { size } = jobOf(behaviour.respond)
    expect(await processes.run({ bytes: 3, open: TE.right(slow()) }, size)).to.deep.equal(
      E.right(Uint8Array.of(1, 2, 3)),
    )
  })

  it('closes the source of the original if the process is killed', async () => {
    const processes = open()
    let isClosed = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield new Uint8Array(65_536)
        // Continues until the end of the process is known; the body never reaches its stated length.
        for (;;) {
          for (const pid of processes.pids()) process.kill(pid, 'SIGKILL')
          await nextIteration()
          yield new Uint8Array(1)
        }
      } finally {
        isClosed = true
      }
    }
    const { size } = jobOf(behaviour.respond)
    expect(await processes.run({ bytes: 2 ** 30, open: TE.right(endless()) }, size)).to.deep.equal(
      E.left(portFailure('imaging', new Error('the scaling process ended with SIGKILL'))),
    )
    expect(isClosed).to.equal(true)
    await expectScaled(processes)
  })

  it('replaces a process that was killed while idle', async () => {
    const processes = open()
    await expectScaled(processes)
    for (const pid of processes.pids()) process.kill(pid, 'SIGKILL')
    await untilAtMost(processes, 0)
    await expectScaled(processes)
  })

  it('returns PortFailure for jobs that run while it is closed, and ends all processes', async () => {
    const processes = open({ parallel: 2 })
    await expectScaled(processes)
    const running = failureOf(processes, jobOf(behaviour.hang))
    await processes.close()
    expect(await running).to.deep.equal({ _tag: 'PortFailure', part: 'imaging', reason: 'closed' })
    expect(processes.pids()).to.deep.equal([])
    expect((await failureOf(processes, jobOf(behaviour.respond))).reason).to.equal('closed')
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
      const result = await processes.run(original, size)
      if (E.isLeft(result)) throw new Error(result.left.reason)
      expect(readImageHeader(result.right)).to.deep.include({ _tag: 'Right' })
    }

    it('fails only the job of a process that is killed', async () => {
      const processes = open({ parallel: 2 }, libvips)
      const job = await large()
      await isScaled(processes, small())
      const [first = 0] = processes.pids()
      const running = failureOf(processes, job)
      // The first process scales the large image, and a second one starts for the other job.
      const other = isScaled(processes, small())
      while (processes.pids().length < 2) await nextIteration()
      expect(processes.pids()).to.include(first)
      process.kill(first, 'SIGSEGV')
      expect((await running).reason).to.equal('Error: the scaling process ended with SIGSEGV')
      await other
      await isScaled(processes, job)
    })

    it('stops a job that exceeds its memory', async () => {
      const processes = open({ mebibytes: 32 }, withoutEstimate)
      expect(await failureOf(processes, await large({ progressive: true }))).to.deep.equal({
        _tag: 'ImageUnreadable',
        reason: 'Scaling the image took more than 32 MB of memory.',
      })
      await isScaled(processes, small())
    })

    if (process.platform === 'linux')
      it('does not pass on the environment of the service, and lowers the priority of a process', async () => {
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
