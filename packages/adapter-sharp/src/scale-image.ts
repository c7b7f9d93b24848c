/**
 * Runs one job in libvips: decode, rotate, crop, scale, convert to sRGB, encode. Returns null if the image cannot be
 * decoded.
 */
import { encoderQuality, type Quality, type Rendering } from '@publishing-service/domain/images'
import type { SmallImage } from '@publishing-service/imaging-pool/serve-jobs'
import sharp, { type Sharp } from 'sharp'
import type { WrittenFormat } from './scaled-formats.js'

/** The effort of AVIF: more takes ten times as long and saves few bytes. */
const avifEffort = 2

const writers: Readonly<Record<WrittenFormat, (picture: Sharp, quality: Quality) => Sharp>> = {
  'image/jpeg': (picture, quality) =>
    picture
      .flatten({ background: '#fff' })
      .jpeg({ quality: encoderQuality('image/jpeg', quality), chromaSubsampling: '4:4:4' }),
  'image/png': (picture) => picture.png({ compressionLevel: 6 }),
  'image/gif': (picture) => picture.gif(),
  'image/webp': (picture, quality) => picture.webp({ quality: encoderQuality('image/webp', quality) }),
  'image/avif': (picture, quality) =>
    picture.avif({ quality: encoderQuality('image/avif', quality), effort: avifEffort }),
}

/** libvips reads more formats, which the service does not need and which attackers could use. */
const readers = ['JpegBuffer', 'PngBuffer', 'NsgifBuffer', 'WebpBuffer'].map(
  (name) => `VipsForeignLoad${name}`,
)

// A process scales one image at a time, and the same image is not scaled again.
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: readers })

const opened = (data: Uint8Array): Sharp =>
  sharp(data, { failOn: 'warning', limitInputPixels: false, sequentialRead: true, pages: 1 })

const pictureOf = (data: Uint8Array, { size, region }: Rendering): Sharp => {
  const upright = opened(data).autoOrient()
  return (
    (region === null ? upright : upright.extract(region))
      // The kernel with the result nearest to the mean of the area, which is how Jimp scales.
      .resize({ ...size, fit: 'fill', kernel: 'cubic' })
      .toColourspace('srgb')
  )
}

/** Null if libvips fails: the data is damaged. */
const nullOnError = async <A>(work: () => Promise<A>): Promise<A | null> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

export const scaleImage = (
  data: Uint8Array,
  format: WrittenFormat,
  rendering: Rendering,
): Promise<Uint8Array | null> =>
  nullOnError(() => writers[format](pictureOf(data, rendering), rendering.quality).toBuffer())

const isOpaque = async (data: Uint8Array): Promise<boolean> => {
  const { hasAlpha } = await opened(data).metadata()
  if (!hasAlpha) return true
  const alpha = await opened(data).toColourspace('srgb').extractChannel('alpha').raw().toBuffer()
  return alpha.every((value) => value === 255)
}

export const summariseImage = (data: Uint8Array, rendering: Rendering): Promise<SmallImage | null> =>
  nullOnError(async () => {
    const picture = pictureOf(data, rendering).ensureAlpha()
    const { data: pixels, info } = await picture.raw().toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    const small = sharp(pixels, { raw: { width, height, channels } })
    return {
      pixels,
      isOpaque: await isOpaque(data),
      webp: await writers['image/webp'](small, rendering.quality).toBuffer(),
    }
  })
