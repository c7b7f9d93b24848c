/**
 * ICC colour profiles: read from an original, written into its scaled image. Pixels are not converted: the profile says
 * which colours they mean, as in the original.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import type { ImageFormat, Size } from '@publishing-service/domain'
import { pngChunk } from './png-critical-chunks.js'
import { unlessBroken } from './picture.js'
import { riffChunk, webpCanvas } from './webp-first-frame.js'

/** The largest profile that is read; most have a few kilobytes, with large tables a megabyte. */
const maxProfileBytes = 2 ** 21

const lead = Buffer.from('ICC_PROFILE\0', 'latin1')

/** A profile comes in numbered parts, since a segment holds 64 KB. */
const profileOfJpeg = (data: Buffer): Buffer | undefined => {
  const parts: Buffer[] = []
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff && data[at + 1] !== 0xda;) {
    if (data[at + 1] === 0xff) {
      at += 1
      continue
    }
    const length = data.readUInt16BE(at + 2)
    const content = data.subarray(at + 4, at + 2 + length)
    if (data[at + 1] === 0xe2 && content.subarray(0, lead.length).equals(lead) && content.length > 14)
      parts[content.readUInt8(12)] = content.subarray(14)
    at += 2 + length
  }
  const whole = Buffer.concat(parts.filter(Boolean))
  return whole.length === 0 ? undefined : whole
}

const profileOfPng = (data: Buffer): Buffer | undefined => {
  for (let at = 8; at + 12 <= data.length; at += data.readUInt32BE(at) + 12) {
    const type = data.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT' || type === 'IEND') return undefined
    if (type !== 'iCCP') continue
    const content = data.subarray(at + 8, at + 8 + data.readUInt32BE(at))
    // A name, its end, and the method of compression, of which there is one.
    return inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: maxProfileBytes })
  }
  return undefined
}

const profileOfWebp = (data: Buffer): Buffer | undefined => {
  // It follows the chunk VP8X.
  if (data.toString('latin1', 12, 16) !== 'VP8X' || data.toString('latin1', 30, 34) !== 'ICCP')
    return undefined
  return data.subarray(38, 38 + data.readUInt32LE(34))
}

const storedProfile = (data: Buffer, format: ImageFormat): Buffer | undefined => {
  switch (format) {
    case 'image/jpeg':
      return profileOfJpeg(data)
    case 'image/png':
      return profileOfPng(data)
    case 'image/webp':
      return profileOfWebp(data)
    case 'image/gif':
    case 'image/bmp':
      return undefined
  }
}

const headerBytes = 128

/** The colour space of a profile, as its header names it; undefined where it is not a whole profile. */
const spaceOf = (profile: Buffer): string | undefined =>
  profile.length >= headerBytes &&
  profile.readUInt32BE(0) === profile.length &&
  profile.toString('latin1', 36, 40) === 'acsp'
    ? profile.toString('latin1', 16, 20)
    : undefined

/** The profile of an original whose pixels are red, green and blue; undefined where it has none, or a broken one. */
export const embeddedProfile = async (data: Buffer, format: ImageFormat): Promise<Buffer | undefined> => {
  const profile = await unlessBroken(() => storedProfile(data, format))
  return profile !== undefined && profile.length <= maxProfileBytes && spaceOf(profile) === 'RGB '
    ? Buffer.from(profile)
    : undefined
}

/** Bytes of a profile that one segment of a JPEG holds. */
const jpegPartBytes = 65_000

const jpegSegments = (profile: Buffer): Buffer => {
  const count = Math.ceil(profile.length / jpegPartBytes)
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const part = profile.subarray(index * jpegPartBytes, (index + 1) * jpegPartBytes)
      const head = Buffer.from([0xff, 0xe2, 0, 0])
      head.writeUInt16BE(2 + lead.length + 2 + part.length, 2)
      return Buffer.concat([head, lead, Buffer.of(index + 1, count), part])
    }),
  )
}

const insertedAt = (image: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([image.subarray(0, at), part, image.subarray(at)])

/** Length of the signature of a PNG and its first chunk, IHDR. */
const pngHead = 33
const riffHead = 12
const canvasChunk = 18
const profileFlag = 0x20

const webpWithProfile = (image: Buffer, profile: Buffer, size: Size): Buffer => {
  const parts = image.subarray(riffHead)
  const isExtended = parts.toString('latin1', 0, 4) === 'VP8X'
  const canvas = isExtended ? Buffer.from(parts.subarray(0, canvasChunk)) : webpCanvas(size, 0)
  canvas.writeUInt8(canvas.readUInt8(8) | profileFlag, 8)
  const rest = isExtended ? parts.subarray(canvasChunk) : parts
  return riffChunk(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP', 'latin1'), canvas, riffChunk('ICCP', profile), rest]),
  )
}

/** The encoded image with this profile. */
export const withProfile = (image: Buffer, format: ImageFormat, profile: Buffer, size: Size): Buffer => {
  switch (format) {
    case 'image/jpeg':
      // After the segment APP0, with which the encoder begins.
      return insertedAt(image, 4 + image.readUInt16BE(4), jpegSegments(profile))
    case 'image/png':
      return insertedAt(
        image,
        pngHead,
        pngChunk('iCCP', Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)])),
      )
    case 'image/webp':
      return webpWithProfile(image, profile, size)
    case 'image/gif':
    case 'image/bmp':
      return image
  }
}
