/**
 * How each format is decoded and encoded with Jimp. A codec is loaded when the first picture of its format comes, so
 * that a worker starts quickly and an installation without GIFs never loads the quantizer.
 */
// Jimp's parts rather than the package `jimp`: that brings every plugin, 85 MB of a production install, and takes
// twice as long to load.
import { createJimp } from '@jimp/core'
import { methods as resizing } from '@jimp/plugin-resize'
import type { ImageFormat, Size } from '@publishing-service/domain'
import { gifFirstFrame } from './gif-first-frame.js'

import { hasTooManyScans } from './jpeg-scans.js'
import { pngCriticalChunks } from './png-critical-chunks.js'
import type { Bitmap, PictureCodec } from './picture.js'

const quality = 82

const jpegCodec = async (): Promise<PictureCodec> => {
  const { default: jpeg } = await import('@jimp/js-jpeg')
  const Jimp = createJimp({ formats: [jpeg] })
  return {
    // Sizes were capped from the header; the decoder's own caps would refuse what the configuration allows.
    decode: (data, _, maxMemoryMb) =>
      hasTooManyScans(data)
        ? undefined
        : jpeg().decode(data, { maxMemoryUsageInMB: maxMemoryMb, maxResolutionInMP: Infinity }),
    encode: (bitmap) => new Jimp(bitmap).getBuffer('image/jpeg', { quality }),
  }
}

/** What the pixels need, so that an opaque or a grey picture doesn't carry channels that say nothing. */
const usedChannels = ({ data }: Bitmap, keepsColour: boolean): 'grey' | 'colour' | 'colour and alpha' => {
  let grey = !keepsColour
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 255) return 'colour and alpha'
    grey &&= data[at] === data[at + 1] && data[at] === data[at + 2]
  }
  return grey ? 'grey' : 'colour'
}

const pngCodec = async (): Promise<PictureCodec> => {
  const { default: png, PNGColorType } = await import('@jimp/js-png')
  const Jimp = createJimp({ formats: [png] })
  const colourTypes = {
    grey: PNGColorType.GRAYSCALE,
    colour: PNGColorType.COLOR,
    'colour and alpha': PNGColorType.COLOR_ALPHA,
  }
  return {
    decode: (data) => {
      const critical = pngCriticalChunks(data)
      return critical && png().decode(critical, { checkCRC: false })
    },
    // Jimp's defaults (run-length deflate at level 9) are made for drawings; these pack photographs as well.
    encode: (bitmap, keepsColour = false) =>
      new Jimp(bitmap).getBuffer('image/png', {
        colorType: colourTypes[usedChannels(bitmap, keepsColour)],
        deflateLevel: 6,
        deflateStrategy: 0,
      }),
  }
}

const opaqueOrClear = (bitmap: Bitmap): Bitmap => {
  const data = Buffer.from(bitmap.data)
  for (let at = 0; at < data.length; at += 4)
    if (data.readUInt8(at + 3) < 128) data.writeUInt32BE(0, at)
    else data[at + 3] = 255
  return { ...bitmap, data }
}

const gifCodec = async (): Promise<PictureCodec> => {
  const { default: gif } = await import('@jimp/js-gif')
  const Jimp = createJimp({ formats: [gif] })
  return {
    decode: (data) => {
      const firstFrame = gifFirstFrame(data)
      return firstFrame && gif().decode(firstFrame)
    },
    // A GIF's pixel is opaque or clear, and the quantizer would spend its colours on what lies between.
    encode: (bitmap) => new Jimp(opaqueOrClear(bitmap)).getBuffer('image/gif'),
  }
}

const bmpCodec = async (): Promise<PictureCodec> => {
  const { default: bmp } = await import('@jimp/js-bmp')
  const Jimp = createJimp({ formats: [bmp] })
  return {
    decode: (data) => {
      const { width, height, data: pixels } = bmp().decode(data)
      return { width, height, data: pixels }
    },
    encode: (bitmap) => new Jimp(bitmap).getBuffer('image/bmp'),
  }
}

const loaders: Readonly<Record<ImageFormat, () => Promise<PictureCodec>>> = {
  'image/jpeg': jpegCodec,
  'image/png': pngCodec,
  'image/gif': gifCodec,
  'image/webp': async () => (await import('./webp-codec.js')).webpCodec(quality),
  'image/bmp': bmpCodec,
}

const loaded = new Map<ImageFormat, PictureCodec>()

export const pictureCodec = async (format: ImageFormat): Promise<PictureCodec> => {
  const codec = loaded.get(format) ?? (await loaders[format]())
  loaded.set(format, codec)
  return codec
}

const Resizable = createJimp({ plugins: [resizing] })

/**
 * Scales to exactly this size. Jimp's mode without a name averages the area that each new pixel covers; its named
 * modes take samples, and turn fine patterns into coarse ones that aren't in the picture.
 */
export const resized = (bitmap: Bitmap, size: Size): Bitmap => {
  if (bitmap.width === size.width && bitmap.height === size.height) return bitmap
  const { data, width, height } = new Resizable(bitmap).resize({ w: size.width, h: size.height }).bitmap
  return { data, width, height }
}
