/** Brings the pixels of a picture to sRGB, by the colour profile that it carries. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { conversionToSrgb, type ColourSpace, type Conversion } from './colour-profile.js'
import type { Bitmap } from './picture.js'
import { unlessBroken } from './unless-broken.js'

/** «Chemical proof» by Graeme Gill, in the public domain: for CMYK without a profile, as in libvips. */
const inkProfile = new URL('../profiles/chemical-proof.icm', import.meta.url)

/** The bitmap with other colours, out of three samples a pixel. */
const recoloured = (bitmap: Bitmap, colours: Uint8ClampedArray): Bitmap => {
  const data = Buffer.from(bitmap.data)
  for (let pixel = 0; pixel < data.length / 4; pixel += 1)
    for (let sample = 0; sample < 3; sample += 1) data[pixel * 4 + sample] = colours[pixel * 3 + sample] ?? 0
  return { ...bitmap, data }
}

/** The first samples of each pixel. */
const samplesOf = ({ data }: Bitmap, count: number): Uint8ClampedArray => {
  const samples = new Uint8ClampedArray((data.length / 4) * count)
  for (let at = 0; at < samples.length; at += 1)
    samples[at] = data[Math.floor(at / count) * 4 + (at % count)] ?? 0
  return samples
}

const isGrey = ({ data }: Bitmap): boolean => {
  for (let at = 0; at < data.length; at += 4)
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** Most pictures come with one of a few profiles, and making a conversion takes longer than using it. */
const conversions = new Map<string, Promise<Conversion | undefined>>()
const mostConversions = 8

/** A profile that is broken, or made for other colours than the picture's, counts as none, as in browsers. */
const conversion = (profile: Buffer, space: ColourSpace): Promise<Conversion | undefined> => {
  const name = `${space} ${createHash('sha256').update(profile).digest('base64')}`
  const made = conversions.get(name) ?? unlessBroken(() => conversionToSrgb(profile, space))
  conversions.delete(name)
  conversions.set(name, made)
  const [oldest] = conversions.keys()
  if (conversions.size > mostConversions && oldest !== undefined) conversions.delete(oldest)
  return made
}

/** Red, green and blue, or grey, by the profile; as they are where there is none. */
export const inSrgb = async (bitmap: Bitmap, profile: Buffer | undefined): Promise<Bitmap> => {
  if (profile === undefined) return bitmap
  const colours = await conversion(profile, 'RGB')
  if (colours !== undefined) return recoloured(bitmap, colours(samplesOf(bitmap, 3)))
  const greys = isGrey(bitmap) ? await conversion(profile, 'grey') : undefined
  return greys === undefined ? bitmap : recoloured(bitmap, greys(samplesOf(bitmap, 1)))
}

/** Inks, four samples a pixel, by their profile or the one that stands for all presses. */
export const inksInSrgb = async (
  bitmap: Bitmap,
  inks: Uint8ClampedArray,
  profile: Buffer | undefined,
): Promise<Bitmap> => {
  const own = profile && (await conversion(profile, 'CMYK'))
  const convert = own ?? (await conversion(await readFile(inkProfile), 'CMYK'))
  if (convert === undefined) throw new Error('the profile for inks is no such profile')
  return recoloured(bitmap, convert(inks))
}
