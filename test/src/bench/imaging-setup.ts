/** A service with one imaging adapter and a photograph of twelve megapixels, for the imaging rows. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { imagingFixtures } from '@publishing-service/conformance'
import type { Size } from '@publishing-service/domain'
import { readImageHeader } from '@publishing-service/image-header'
import type { BareQuestion, Library } from './bare-scaling-process.js'
import { createAgent, exchange } from './exchange.js'
import type { Opened, RowRequest, Reply } from './imaging-process.js'
import { uploadTo, writerFor } from './publication.js'

export type ImagingSetup = {
  /** Seconds until the whole of the photograph, scaled to this width, was there. */
  readonly download: (width: number) => Promise<number>
  /** Seconds that the library alone needs, in a separate warm process. */
  readonly bare: (width: number) => Promise<number>
  readonly ask: (request: RowRequest) => Promise<Reply>
  readonly close: () => Promise<void>
}

const photographSize: Size = { width: 4000, height: 3000 }

/** A photograph in detail and in bytes: an enlarged one, with the grain of a film. */
export const largePhotograph = async (): Promise<Uint8Array> => {
  const source = await imagingFixtures.photograph('hubble_deep_field.jpg')
  const { width, height } = photographSize
  const grain = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const noise = await sharp({ create: { width, height, channels: 3, noise: grain, background: '#808080' } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(source)
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: noise, blend: 'overlay' }])
    .jpeg({ quality: 90 })
    .toBuffer()
}

const heightFor = (width: number): number =>
  Math.round((width * photographSize.height) / photographSize.width)

const programOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Concurrent jobs; null for the default of the service. */
export const openImagingSetup = async (
  library: Library,
  jobs: number | null,
  photograph: Uint8Array,
): Promise<ImagingSetup> => {
  const directory = await mkdtemp(join(tmpdir(), 'publishing-bench-imaging-'))
  const options = {
    serialization: 'advanced',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' },
  } as const
  const child = fork(
    programOf('imaging-process.js'),
    [directory, library, jobs === null ? '' : String(jobs)],
    options,
  )
  const bare = fork(programOf('bare-scaling-process.js'), options)
  const askBare = (request: BareQuestion): void => void bare.send(request)
  askBare({ library, data: photograph })
  const end = (): void => [child, bare].forEach((each) => each.kill('SIGKILL'))
  process.once('exit', end)
  const [opened] = (await once(child, 'message')) as [Opened]
  const { url, instance, token } = opened
  const path = await uploadTo(
    writerFor(url, token),
    instance,
    1,
    'photo.jpg',
    Buffer.from(photograph),
    'image/jpeg',
  )
  const agent = createAgent(64)
  const ask = async (request: RowRequest): Promise<Reply> => {
    child.send(request)
    const [reply] = (await once(child, 'message')) as [Reply]
    return reply
  }
  return {
    ask,
    bare: async (width) => {
      askBare({ width, height: heightFor(width) })
      const [seconds] = (await once(bare, 'message')) as [number]
      return seconds
    },
    download: async (width) => {
      const headers = { Authorization: `Bearer ${token}` }
      const started = performance.now()
      const request = { method: 'GET', path: `${path}?w=${width}`, headers, body: null }
      let { status, body } = await exchange(url, request, agent, 600_000)
      // On a busy machine the queue is sent to come again, as any client is.
      while (status === 503) ({ status, body } = await exchange(url, request, agent, 600_000))
      const seconds = (performance.now() - started) / 1000
      const header = readImageHeader(body)
      const isRight = status === 200 && 'right' in header && header.right.width === width
      if (!isRight)
        throw new Error(`scaling to ${width} gave ${status}: ${body.toString('latin1').slice(0, 300)}`)
      return seconds
    },
    close: async () => {
      agent.destroy()
      process.off('exit', end)
      for (const each of [bare, child]) {
        each.disconnect()
        if (each.exitCode === null) await once(each, 'exit')
      }
      await rm(directory, { recursive: true, force: true })
    },
  }
}
