/**
 * Copies the ICC colour profile of an original into its scaled image. Pixels are not converted, so the profile applies
 * to both.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import type { ImageFormat, Size } from '@publishing-service/domain/images'
import { pngChunk } from './png-critical-chunks.js'
import { undefinedOnError } from './picture.js'
import { riffChunk, webpCanvas } from './webp-first-frame.js'

/** Larger profiles are ignored. Most have a few kilobytes; those with large tables have about a megabyte. */
const maxProfileBytes = 2 ** 21

const profileSignature = Buffer.from('ICC_PROFILE\0', 'latin1')

/** A segment has at most 64 KB, so a profile is stored in numbered parts. */
const readJpegProfile = (data: Buffer): Buffer | undefined => {
  const parts: Buffer[] = []
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff && data[at + 1] !== 0xda;) {
    if (data[at + 1] === 0xff) {
      at += 1
      continue
    }
    const length = data.readUInt16BE(at + 2)
    const content = data.subarray(at + 4, at + 2 + length)
    if (
      data[at + 1] === 0xe2 &&
      content.subarray(0, profileSignature.length).equals(profileSignature) &&
      content.length > 14
    )
      parts[content.readUInt8(12)] = content.subarray(14)
    at += 2 + length
  }
  const whole = Buffer.concat(parts.filter(Boolean))
  return whole.length === 0 ? undefined : whole
}

const readPngProfile = (data: Buffer): Buffer | undefined => {
  for (let at = 8; at + 12 <= data.length; at += data.readUInt32BE(at) + 12) {
    const type = data.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT' || type === 'IEND') return undefined
    if (type !== 'iCCP') continue
    const content = data.subarray(at + 8, at + 8 + data.readUInt32BE(at))
    // The data follows the name, a zero byte and the compression method, which is always 0.
    return inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: maxProfileBytes })
  }
  return undefined
}

const readWebpProfile = (data: Buffer): Buffer | undefined => {
  // The profile follows the chunk VP8X.
  if (data.toString('latin1', 12, 16) !== 'VP8X' || data.toString('latin1', 30, 34) !== 'ICCP')
    return undefined
  return data.subarray(38, 38 + data.readUInt32LE(34))
}

const readProfile = (data: Buffer, format: ImageFormat): Buffer | undefined => {
  switch (format) {
    case 'image/jpeg':
      return readJpegProfile(data)
    case 'image/png':
      return readPngProfile(data)
    case 'image/webp':
      return readWebpProfile(data)
    case 'image/gif':
    case 'image/bmp':
      return undefined
  }
}

const headerBytes = 128

/** The colour space in the header of a profile; undefined if the profile is incomplete. */
const colourSpaceOf = (profile: Buffer): string | undefined =>
  profile.length >= headerBytes &&
  profile.readUInt32BE(0) === profile.length &&
  profile.toString('latin1', 36, 40) === 'acsp'
    ? profile.toString('latin1', 16, 20)
    : undefined

/** The RGB profile of an original; undefined if it has none or a damaged one. */
export const embeddedProfile = async (data: Buffer, format: ImageFormat): Promise<Buffer | undefined> => {
  const profile = await undefinedOnError(() => readProfile(data, format))
  return profile !== undefined && profile.length <= maxProfileBytes && colourSpaceOf(profile) === 'RGB '
    ? Buffer.from(profile)
    : undefined
}

/** Bytes of a profile in one segment of a JPEG. */
const jpegPartBytes = 65_000

const jpegSegments = (profile: Buffer): Buffer => {
  const count = Math.ceil(profile.length / jpegPartBytes)
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const part = profile.subarray(index * jpegPartBytes, (index + 1) * jpegPartBytes)
      const head = Buffer.from([0xff, 0xe2, 0, 0])
      head.writeUInt16BE(2 + profileSignature.length + 2 + part.length, 2)
      return Buffer.concat([head, profileSignature, Buffer.of(index + 1, count), part])
    }),
  )
}

const insertAt = (image: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([image.subarray(0, at), part, image.subarray(at)])

/** Length of the signature of a PNG and its first chunk, IHDR. */
const pngHeaderBytes = 33
const riffHeaderBytes = 12
const canvasChunkBytes = 18
const profileFlag = 0x20

const webpWithProfile = (image: Buffer, profile: Buffer, size: Size): Buffer => {
  const parts = image.subarray(riffHeaderBytes)
  const isExtended = parts.toString('latin1', 0, 4) === 'VP8X'
  const canvas = isExtended ? Buffer.from(parts.subarray(0, canvasChunkBytes)) : webpCanvas(size, 0)
  canvas.writeUInt8(canvas.readUInt8(8) | profileFlag, 8)
  const rest = isExtended ? parts.subarray(canvasChunkBytes) : parts
  return riffChunk(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP', 'latin1'), canvas, riffChunk('ICCP', profile), rest]),
  )
}

/** Inserts a profile into an encoded image. */
export const withProfile = (image: Buffer, format: ImageFormat, profile: Buffer, size: Size): Buffer => {
  switch (format) {
    case 'image/jpeg':
      // After the segment APP0, which the encoder writes first.
      return insertAt(image, 4 + image.readUInt16BE(4), jpegSegments(profile))
    case 'image/png':
      return insertAt(
        image,
        pngHeaderBytes,
        pngChunk('iCCP', Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)])),
      )
    case 'image/webp':
      return webpWithProfile(image, profile, size)
    case 'image/gif':
    case 'image/bmp':
      return image
  }
}
