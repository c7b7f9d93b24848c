/**
 * Runs one job: decode, scale, rotate, encode. Scaling first leaves fewer pixels to rotate. The result has no metadata
 * except a colour profile.
 */
import { withJpegEnd } from '@publishing-service/image-header'
import type { DecodingJob } from '@publishing-service/imaging-pool/serve-jobs'
import { embeddedProfile, withProfile } from './colour-profile.js'
import { undefinedOnError } from './picture.js'
import { pictureCodec, resized } from './picture-codec.js'
import { upright } from './upright.js'

/** The scaled image; null if the data cannot be decoded. */
export const scaleImage = async ({ data, header, size, mebibytes }: DecodingJob): Promise<Buffer | null> => {
  const { mimetype, orientation } = header
  const codec = await pictureCodec(mimetype)
  const { buffer, byteOffset, byteLength } = withJpegEnd(data, header)
  const whole = Buffer.from(buffer, byteOffset, byteLength)
  const bitmap = await undefinedOnError(() => codec.decode(whole, header, mebibytes))
  // The limits were checked against the size in the header, so the decoded size must be the same.
  if (bitmap?.width !== header.width || bitmap.height !== header.height) return null
  const stored = orientation >= 5 ? { width: size.height, height: size.width } : size
  const shown = upright(resized(bitmap, stored), orientation)
  const profile = await embeddedProfile(whole, mimetype)
  const image = await codec.encode(shown, profile !== undefined)
  return profile === undefined ? image : withProfile(image, mimetype, profile, shown)
}
