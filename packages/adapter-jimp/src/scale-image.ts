/**
 * Runs one job: decode, crop, scale, rotate, encode. Scaling first leaves fewer pixels to rotate. The result has no
 * metadata except a colour profile.
 */
import type { ImageFormat } from '@publishing-service/domain/images'
import { withJpegEnd } from '@publishing-service/image-header'
import type { DecodingJob, SmallImage } from '@publishing-service/imaging-pool/serve-jobs'
import { embeddedProfile, withProfile } from './colour-profile.js'
import { undefinedOnError, type Bitmap } from './picture.js'
import { cropped, isOpaque, pictureCodec, resized } from './picture-codec.js'
import { storedRegion, upright } from './upright.js'

type Job = DecodingJob<ImageFormat>

const wholeData = ({ data, header }: Job): Buffer => {
  const { buffer, byteOffset, byteLength } = withJpegEnd(data, header)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The pixels as they are stored; null if the data cannot be decoded. */
const decoded = async (whole: Buffer, { header, mebibytes }: Job): Promise<Bitmap | null> => {
  const codec = await pictureCodec(header.mimetype)
  const bitmap = await undefinedOnError(() => codec.decode(whole, header, mebibytes))
  // The limits were checked against the size in the header, so the decoded size must be the same.
  return bitmap?.width === header.width && bitmap.height === header.height ? bitmap : null
}

/** The upright pixels in the size of the result. */
const shownOf = (bitmap: Bitmap, { header: { orientation }, rendering: { size, region } }: Job): Bitmap => {
  const stored = orientation >= 5 ? { width: size.height, height: size.width } : size
  const part = region === null ? bitmap : cropped(bitmap, storedRegion(region, orientation, bitmap))
  return upright(resized(part, stored), orientation)
}

/** The scaled image; null if the data cannot be decoded. */
export const scaleImage = async (job: Job): Promise<Buffer | null> => {
  const { header, format, rendering } = job
  const whole = wholeData(job)
  const bitmap = await decoded(whole, job)
  if (bitmap === null) return null
  const shown = shownOf(bitmap, job)
  const profile = await embeddedProfile(whole, header.mimetype)
  const { encode } = await pictureCodec(format)
  const image = await encode(shown, { quality: rendering.quality, keepsColour: profile !== undefined })
  return profile === undefined ? image : withProfile(image, format, profile, shown)
}

/** The image in a few pixels; null if the data cannot be decoded. */
export const summariseImage = async (job: Job): Promise<SmallImage | null> => {
  const bitmap = await decoded(wholeData(job), job)
  if (bitmap === null) return null
  // Jimp puts the scaled pixels into the same object.
  const opaque = isOpaque(bitmap)
  const shown = shownOf(bitmap, job)
  const { encode } = await pictureCodec(job.format)
  const webp = await encode(shown, { quality: job.rendering.quality, keepsColour: false })
  return { pixels: shown.data, isOpaque: opaque, webp }
}
