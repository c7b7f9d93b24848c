/** Runs the jobs of a scaling process one after the other, until the service closes the connection. */
import { E } from '@publishing-service/domain/fp'
import {
  scaledSize,
  storedOnly,
  unreadablePixels,
  type ImageFormat,
  type MadeFormat,
  type Rendering,
  type Size,
} from '@publishing-service/domain/images'
import {
  readImageHeader,
  scalingRefusal,
  uprightSize,
  type ImageHeader,
} from '@publishing-service/image-header'
import { averageColour } from './average-colour.js'
import { readOriginal } from './read-original.js'
import type { ScaleJob, ScaleResult } from './imaging-in-processes.js'

type Format = ImageFormat | MadeFormat

/** A job of an adapter that writes the formats `F`. */
export type DecodingJob<F extends Format> = {
  readonly data: Uint8Array
  readonly header: ImageHeader
  /** How the image is made, from the upright original. */
  readonly rendering: Rendering
  /** The format of the result. */
  readonly format: F
  /** The deployment's memory limit for a job. */
  readonly mebibytes: number
}

/** An image of a few pixels, for a summary. */
export type SmallImage = {
  /** Red, green, blue and alpha of each pixel, a byte each. */
  readonly pixels: Uint8Array
  /** Whether all pixels of the original are opaque. */
  readonly isOpaque: boolean
  readonly webp: Uint8Array
}

/** The reason is for the client. After `OutOfMemory`, the process is killed. */
export type NotScaled = { readonly _tag: 'Unreadable' | 'OutOfMemory'; readonly reason: string }

/** The scaled image, or why there is none; null if the pixels cannot be read. */
export type Scaled = Uint8Array | NotScaled | null

/** How an adapter scales images. */
export type Scaler<F extends Format> = {
  readonly reads: (format: ImageFormat) => boolean
  readonly writes: (format: Format) => format is F
  /** An estimate of the mebibytes that a job needs at its peak, from the header alone. */
  readonly memoryMb: (header: ImageHeader, dataBytes: number, rendering: Rendering, format: F) => number
  readonly scale: (job: DecodingJob<F>) => Promise<Scaled>
  /** The image in the size and quality of the rendering, for a summary. */
  readonly summarise: (job: DecodingJob<F>) => Promise<SmallImage | NotScaled | null>
}

/** The longest side of the image of a summary, in pixels. */
const summarySide = 16

const summaryOf = (header: ImageHeader): Rendering => {
  const whole: Size = uprightSize(header)
  const size = scaledSize(whole, { w: summarySide, h: summarySide }) ?? whole
  return { size, region: null, format: 'image/webp', quality: 'low' }
}

const resultOf = async <F extends Format>(
  data: Uint8Array,
  { rendering: requested, mebibytes }: ScaleJob,
  { reads, writes, memoryMb, scale, summarise }: Scaler<F>,
): Promise<ScaleResult> => {
  const read = readImageHeader(data)
  if (E.isLeft(read)) return { _tag: 'Unreadable', reason: read.left }
  const header = read.right
  const rendering = requested ?? summaryOf(header)
  const format = rendering.format ?? header.mimetype
  if (!reads(header.mimetype) || !writes(format)) return { _tag: 'Unreadable', reason: storedOnly }
  const needed = memoryMb(header, data.length, rendering, format)
  const refusal = scalingRefusal(header, data, { mebibytes }, needed)
  if (refusal !== null) return { _tag: 'Unreadable', reason: refusal }
  const job = { data, header, rendering, format, mebibytes }
  const done = await (requested === null ? summarise(job) : scale(job))
  if (done === null) return { _tag: 'Unreadable', reason: unreadablePixels }
  if (done instanceof Uint8Array) return { _tag: 'Scaled', data: done }
  if ('_tag' in done) return done
  const { pixels, isOpaque, webp } = done
  const picture = Buffer.from(webp.buffer, webp.byteOffset, webp.length).toString('base64')
  return { _tag: 'Summarised', summary: { colour: averageColour(pixels), isOpaque, picture } }
}

export const serveJobs = <F extends Format>(scaler: Scaler<F>): void => {
  const send = (result: ScaleResult): void => void process.send?.(result)
  // A terminal and some supervisors signal the whole group; running jobs are finished, and the service ends this
  // process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    const job = message as ScaleJob
    resultOf(readOriginal(job.bytes), job, scaler).then(send, (error: unknown) =>
      send({ _tag: 'Defect', reason: String(error) }),
    )
  })
}
