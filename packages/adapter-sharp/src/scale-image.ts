/**
 * Runs one job in libvips: decode, rotate, scale, convert to sRGB, encode. Returns null if the image cannot be decoded.
 */
import type { Size } from '@publishing-service/domain/images'
import sharp, { type Sharp } from 'sharp'
import type { ScaledFormat } from './scaled-formats.js'

const quality = 82

const writers: Readonly<Record<ScaledFormat, (picture: Sharp) => Sharp>> = {
  'image/jpeg': (picture) => picture.jpeg({ quality, chromaSubsampling: '4:4:4' }),
  'image/png': (picture) => picture.png({ compressionLevel: 6 }),
  'image/gif': (picture) => picture.gif(),
  'image/webp': (picture) => picture.webp({ quality }),
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

export const scaleImage = async (
  data: Uint8Array,
  format: ScaledFormat,
  { width, height }: Size,
): Promise<Uint8Array | null> => {
  const picture = sharp(data, { failOn: 'warning', limitInputPixels: false, sequentialRead: true, pages: 1 })
    .autoOrient()
    // The kernel with the result nearest to the mean of the area, which is how Jimp scales.
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .toColourspace('srgb')
  try {
    return await writers[format](picture).toBuffer()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}
