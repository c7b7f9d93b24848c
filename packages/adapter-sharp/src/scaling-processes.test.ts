/**
 * The processes: none before the first job, none after a while without one, and each that goes astray or is struck
 * down is replaced, without harm to others.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { E, readImageHeader } from '@publishing-service/domain'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import sharp from 'sharp'
import type { ScaleJob } from './scale-job.js'
import { scalingProcesses, type ScalingOptions, type ScalingProcesses } from './scaling-processes.js'
import { behaviour } from './scaling-processes.test-program.js'

const program = new URL('./scaling-processes.test-program.js', import.meta.url)
const libvips = new URL('./scaling-program.js', import.meta.url)

const jobOf = (width: number, data: Uint8Array = Uint8Array.of(1, 2, 3)): ScaleJob => ({
  data,
  format: 'image/gif',
  size: { width, height: 1 },
  mebibytes: 64,
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
    expect(await processes.run(jobOf(behaviour.answer))).to.deep.equal(E.right(Uint8Array.of(1, 2, 3)))
  }

  const left = async (
    processes: ScalingProcesses,
    job: ScaleJob,
  ): Promise<{ _tag: string; reason: string }> => {
    const answer = await processes.run(job)
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
      reason: 'Scaling the image took more than 64 MB of memory.',
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
        reason: `Error: the process that scales ended with ${ending}`,
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
    const large = async (): Promise<ScaleJob> => ({
      data: await sharp(await imagingFixtures.photograph('hubble_deep_field.jpg'))
        .resize({ width: 4000, height: 4000, fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toBuffer(),
      format: 'image/png',
      size: { width: 2000, height: 2000 },
      mebibytes: 1024,
    })
    const small = (): ScaleJob => ({
      data: imagingFixtures.palettePng(40),
      format: 'image/png',
      size: { width: 4, height: 4 },
      mebibytes: 192,
    })
    const isScaled = async (processes: ScalingProcesses, job: ScaleJob): Promise<void> => {
      const answer = await processes.run(job)
      if (E.isLeft(answer)) throw new Error(answer.left.reason)
      expect(readImageHeader(answer.right)).to.deep.include({ _tag: 'Right' })
    }

    it('a process that is killed in the middle of a picture harms no other job', async () => {
      const processes = open({ parallel: 2 }, libvips)
      const job = await large()
      await isScaled(processes, small())
      const [struck = 0] = processes.pids()
      const running = left(processes, job)
      // The one that was there took the large picture; a second one starts beside it.
      const beside = isScaled(processes, small())
      await beside
      expect(processes.pids()).to.have.length(2).and.to.include(struck)
      process.kill(struck, 'SIGSEGV')
      expect((await running).reason).to.equal('Error: the process that scales ended with SIGSEGV')
      await isScaled(processes, job)
    })

    it('a picture that takes more memory than it may is stopped while it is made', async () => {
      const processes = open({}, libvips)
      const job = await large()
      const interlaced = await sharp(job.data).png({ progressive: true, compressionLevel: 1 }).toBuffer()
      expect(await left(processes, { ...job, data: interlaced, mebibytes: 32 })).to.deep.equal({
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
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).to.equal('MALLOC_ARENA_MAX=1\0')
        expect(getPriority(pid)).to.be.above(0)
      })
  })
})
