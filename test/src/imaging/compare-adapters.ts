/** Scales the same images with both imaging adapters, and measures the difference of the results. */
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { jimpImaging } from '@publishing-service/adapter-jimp'
import { sharpImaging } from '@publishing-service/adapter-sharp'
import { imagingFixtures } from '@publishing-service/conformance'
import { E, scaledSize, type Size } from '@publishing-service/domain'
import { readImageHeader, uprightSize } from '@publishing-service/image-header'
import type { Imaging } from '@publishing-service/ports'

const {
  edgeCases,
  exifBlock,
  joined,
  jpegOf,
  photograph,
  photographs,
  quarters,
  seededBytes,
  storedWithOrientation,
  otherFormats,
  withExif,
} = imagingFixtures

export type Comparison = {
  readonly name: string
  readonly size: Size
  readonly sizes: readonly [jimp: string, sharp: string]
  /** The share of pixels with a visible difference, by pixelmatch at its threshold of 0.1. */
  readonly differing: number
  /** The mean difference of a sample, 0 to 255. */
  readonly distance: number
}

/** Smaller colour differences do not count. The measure of pixelmatch, from 0 to 1, and its default. */
const threshold = 0.1

export type Picture = { readonly name: string; readonly data: () => Promise<Uint8Array> }

const picture = (name: string, data: Uint8Array): Picture => ({ name, data: async () => data })

export const pictures: readonly Picture[] = [
  ...photographs.map(({ file }) => ({ name: file, data: () => photograph(file) })),
  ...Object.entries({ ...edgeCases, ...otherFormats }).map(([name, { data }]) => picture(name, data)),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) =>
    picture(
      `a JPEG of orientation ${orientation}`,
      withExif(jpegOf(storedWithOrientation(orientation, quarters(96, 64))), exifBlock(orientation, true)),
    ),
  ),
  {
    name: 'a photograph with trailing bytes',
    data: async () => joined(await photograph('rocket.jpg'), seededBytes(5000, 8)),
  },
  {
    name: 'a photograph as a progressive JPEG',
    data: async () =>
      sharp(await photograph('coffee.png'))
        .jpeg({ progressive: true })
        .toBuffer(),
  },
  {
    name: 'a photograph in grey',
    data: async () =>
      sharp(await photograph('chelsea.png'))
        .greyscale()
        .jpeg()
        .toBuffer(),
  },
  {
    name: 'a photograph in Display P3',
    data: async () =>
      sharp(await photograph('coffee.png'))
        .withIccProfile('p3')
        .jpeg({ quality: 95 })
        .toBuffer(),
  },
  {
    name: 'a photograph as WebP',
    data: async () =>
      sharp(await photograph('astronaut.png'))
        .webp({ quality: 90 })
        .toBuffer(),
  },
  {
    name: 'a photograph as GIF',
    data: async () =>
      sharp(await photograph('chelsea.png'))
        .gif()
        .toBuffer(),
  },
  {
    name: 'a photograph of 16 bits',
    data: async () =>
      sharp(await photograph('coffee.png'))
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
  },
]

/** A third of the width, or of the height if the image is taller than wide. */
const targetOf = (data: Uint8Array): Size => {
  const header = readImageHeader(data)
  if (E.isLeft(header)) throw new Error(header.left)
  const size = uprightSize(header.right)
  const box =
    size.width >= size.height
      ? { w: Math.ceil(size.width / 3), h: null }
      : { w: null, h: Math.ceil(size.height / 3) }
  return scaledSize(size, box) ?? size
}

/** The pixels in sRGB, after the colour profile is applied. */
const pixelsOf = async (image: Uint8Array): Promise<Buffer> =>
  sharp(image).toColourspace('srgb').ensureAlpha().raw().toBuffer()

const scaledBy = async (imaging: Imaging, data: Uint8Array, size: Size): Promise<Uint8Array> => {
  const result = await imaging.scale(imagingFixtures.bodyOf(new Uint8Array(data)), size)()
  if (E.isLeft(result)) throw new Error(`${imaging.version}: ${result.left.reason}`)
  return result.right
}

const sizeOf = (data: Uint8Array): string => {
  const header = readImageHeader(data)
  return E.isLeft(header)
    ? header.left
    : `${header.right.width} × ${header.right.height}, ${header.right.mimetype}`
}

export type BothAdapters = {
  readonly compare: (picture: Picture) => Promise<Comparison>
  readonly close: () => Promise<void>
}

export const openBothAdapters = (): BothAdapters => {
  const limits = { parallel: 1, job: { milliseconds: 60_000, mebibytes: 1024 } }
  const [jimp, vips] = [jimpImaging(limits), sharpImaging(limits)]
  return {
    compare: async ({ name, data: load }) => {
      const data = await load()
      const size = targetOf(data)
      const [byJimp, bySharp] = [await scaledBy(jimp, data, size), await scaledBy(vips, data, size)]
      const [jimpPixels, sharpPixels] = [await pixelsOf(byJimp), await pixelsOf(bySharp)]
      const differing = pixelmatch(jimpPixels, sharpPixels, undefined, size.width, size.height, { threshold })
      const sum = jimpPixels.reduce(
        (total, sample, at) => total + Math.abs(sample - (sharpPixels[at] ?? 0)),
        0,
      )
      return {
        name,
        size,
        sizes: [sizeOf(byJimp), sizeOf(bySharp)],
        differing: differing / (size.width * size.height),
        distance: sum / jimpPixels.length,
      }
    },
    close: async () => {
      await Promise.all([jimp.close(), vips.close()])
    },
  }
}
