/**
 * Runs one job: decode, scale, rotate, encode. It runs in a worker, so it blocks no request. An image that cannot be
 * decoded is a result; any other failure is thrown.
 */
import { unreadablePixels, type Size } from '@publishing-service/domain'
import { withJpegEnd, type ImageHeader } from '@publishing-service/image-header'
import { embeddedProfile, withProfile } from './colour-profile.js'
import { undefinedOnError, type Bitmap, type PictureCodec } from './picture.js'
import { pictureCodec, resized } from './picture-codec.js'
import { upright } from './upright.js'

export type ScaleJob = {
  readonly data: Uint8Array
  readonly header: ImageHeader
  /** The requested size of the upright image. */
  readonly size: Size
  readonly maxMemoryMb: number
}

/** The scaled image, or why the data cannot be decoded. */
export type ScaleOutcome = Uint8Array | { readonly reason: string }

const scaledPixels = async (
  codec: PictureCodec,
  data: Buffer,
  { header, size, maxMemoryMb }: ScaleJob,
): Promise<Bitmap | undefined> => {
  const bitmap = await undefinedOnError(() => codec.decode(data, header, maxMemoryMb))
  // The limits were checked against the size in the header, so the decoded size must be the same.
  if (bitmap?.width !== header.width || bitmap.height !== header.height) return undefined
  const { width, height } = size
  return resized(bitmap, header.orientation >= 5 ? { width: height, height: width } : size)
}

export const scaleImage = async (job: ScaleJob): Promise<ScaleOutcome> => {
  const { mimetype, orientation } = job.header
  const codec = await pictureCodec(mimetype)
  const whole = withJpegEnd(job.data, job.header)
  const data = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  const scaled = await scaledPixels(codec, data, job)
  if (scaled === undefined) return { reason: unreadablePixels }
  const shown = upright(scaled, orientation)
  const profile = await embeddedProfile(data, mimetype)
  const image = await codec.encode(shown, profile !== undefined)
  return profile === undefined ? image : withProfile(image, mimetype, profile, shown)
}
