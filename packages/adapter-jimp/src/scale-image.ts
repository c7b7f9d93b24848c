/**
 * One job from end to end: decode, scale, bring to sRGB, turn upright, encode. It runs in a worker, where it may take
 * its time; a picture that can't be decoded is an answer, anything else that fails is thrown.
 */
import { brokenPixels, type ImageHeader, type Size } from '@publishing-service/domain'
import { blackInkAlone, inksOf } from './cmyk-jpeg.js'
import { embeddedProfile } from './colour-profile.js'
import { inksInSrgb, inSrgb } from './colours.js'
import type { Bitmap, PictureCodec } from './picture.js'
import { pictureCodec, resized } from './picture-codec.js'
import { unlessBroken } from './unless-broken.js'
import { upright } from './upright.js'

export type ScaleJob = {
  readonly data: Uint8Array
  readonly header: ImageHeader
  /** The size asked for, of the upright picture. */
  readonly size: Size
  readonly maxMemoryMb: number
}

/** The scaled picture's bytes, or why the data can't be decoded. */
export type ScaleOutcome = Uint8Array | { readonly reason: string }

const scaledPixels = async (
  codec: PictureCodec,
  data: Buffer,
  { header, size, maxMemoryMb }: ScaleJob,
): Promise<Bitmap | undefined> => {
  const bitmap = await unlessBroken(() => codec.decode(data, header, maxMemoryMb))
  // What was refused or let through went by the header's size, so the decoder must have found the same.
  if (bitmap?.width !== header.width || bitmap.height !== header.height) return undefined
  const { width, height } = size
  return resized(bitmap, header.orientation >= 5 ? { width: height, height: width } : size)
}

const picture = async (codec: PictureCodec, data: Buffer, job: ScaleJob): Promise<Bitmap | undefined> => {
  const scaled = await scaledPixels(codec, data, job)
  if (scaled === undefined) return undefined
  const profile = await unlessBroken(() => embeddedProfile(data, job.header.mimetype))
  if (job.header.mimetype !== 'image/jpeg' || job.header.components !== 4) return inSrgb(scaled, profile)
  const ofBlack = blackInkAlone(data)
  const black = ofBlack && (await scaledPixels(codec, ofBlack, job))
  return black && inksInSrgb(scaled, inksOf(scaled, black), profile)
}

export const scaleImage = async (job: ScaleJob): Promise<ScaleOutcome> => {
  const codec = await pictureCodec(job.header.mimetype)
  const data = Buffer.from(job.data.buffer, job.data.byteOffset, job.data.byteLength)
  const shown = await picture(codec, data, job)
  return shown === undefined ? { reason: brokenPixels } : codec.encode(upright(shown, job.header.orientation))
}
