/**
 * The ICC colour profile that image data carry, and the way from its colours to sRGB. A profile that can't be applied
 * is a reason to refuse the picture: without it the colours would be wrong.
 */
import { inflateSync } from 'node:zlib'
import type { ImageFormat } from '@publishing-service/domain'

/** The largest profiles of printing presses take a few megabytes. */
const mostBytes = 8 << 20

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
    return inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: mostBytes })
  }
  return undefined
}

const profileOfWebp = (data: Buffer): Buffer | undefined => {
  // It stands right behind the chunk VP8X.
  if (data.toString('latin1', 12, 16) !== 'VP8X' || data.toString('latin1', 30, 34) !== 'ICCP')
    return undefined
  return data.subarray(38, 38 + data.readUInt32LE(34))
}

/** Throws where the data are not as the format wants them. */
export const embeddedProfile = (data: Buffer, format: ImageFormat): Buffer | undefined => {
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

/** The colour spaces of profiles, as they name them, with the samples that a pixel has. */
const spaces = { RGB: 'RGB ', grey: 'GRAY', CMYK: 'CMYK' } as const
export type ColourSpace = keyof typeof spaces

/** Turns samples of pixels into those of sRGB, 8 bits each. */
export type Conversion = (samples: Uint8ClampedArray) => Uint8ClampedArray

/** `undefined` where the profile isn't one for this space. Throws where it is broken. */
export const conversionToSrgb = async (
  profile: Buffer,
  space: ColourSpace,
): Promise<Conversion | undefined> => {
  // Most pictures come without a profile, and loading the engine takes a while.
  const { default: engine } = await import('jscolorengine')
  const read = new engine.Profile()
  read.loadBinary(new Uint8Array(profile))
  if (!read.loaded || read.header.space !== spaces[space]) return undefined
  const transform = new engine.Transform({ dataFormat: 'int8', buildLut: true })
  transform.create(read, '*sRGB', engine.eIntent.perceptual)
  return (samples) => transform.array(samples)
}
