/**
 * One job from end to end: decode, scale, turn upright, encode. It runs in a worker, where it may take its time; a
 * picture that can't be decoded is an answer, anything else that fails is thrown.
 */
import { brokenPixels, type ImageHeader } from './image-header.js'
import { pictureCodec, type PictureCodec, resized } from './picture-codec.js'
import { type Bitmap, upright } from './upright.js'

export type ScaleJob = {
  readonly data: Uint8Array
  readonly header: Pick<ImageHeader, 'mimetype' | 'width' | 'height' | 'orientation'>
  /** The size asked for, of the upright picture. */
  readonly width: number
  readonly height: number
  readonly maxMemoryMb: number
}

/** The scaled picture's bytes, or why the data can't be decoded. */
export type ScaleOutcome = Uint8Array | { readonly reason: string }

const decoded = (codec: PictureCodec, job: ScaleJob): Bitmap | undefined => {
  try {
    const bitmap = codec.decode(
      Buffer.from(job.data.buffer, job.data.byteOffset, job.data.byteLength),
      job.maxMemoryMb,
    )
    // What was refused or let through went by the header's size, so the decoder must have found the same.
    return bitmap?.width === job.header.width && bitmap.height === job.header.height ? bitmap : undefined
  } catch (error) {
    // The decoders throw strings, assertion errors, range errors and type errors over bad data.
    if (error instanceof Error || typeof error === 'string') return undefined
    throw error
  }
}

export const scaleImage = async (job: ScaleJob): Promise<ScaleOutcome> => {
  const codec = await pictureCodec(job.header.mimetype)
  const bitmap = decoded(codec, job)
  if (bitmap === undefined) return { reason: brokenPixels }
  const onItsSide = job.header.orientation >= 5
  const storedSize = onItsSide
    ? { width: job.height, height: job.width }
    : { width: job.width, height: job.height }
  const scaled = upright(resized(bitmap, storedSize), job.header.orientation)
  return codec.encode(scaled)
}
