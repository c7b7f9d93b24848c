/**
 * Decodes and encodes each format with Jimp. A codec is loaded with the first image of its format, so a worker starts
 * quickly and does not load the quantizer of GIF without need.
 */
// The package `jimp` would install all plugins (85 MB) and take twice as long to load.
import { createJimp } from '@jimp/core'
import { methods as resizing } from '@jimp/plugin-resize'
import { encoderQuality, type ImageFormat, type Region, type Size } from '@publishing-service/domain/images'
import { jpegSegments, mostScans, startOfScan } from '@publishing-service/image-header'
import { gifFirstFrame } from './gif-first-frame.js'
import { pngCriticalChunks } from './png-critical-chunks.js'
import type { Bitmap, PictureCodec } from './picture.js'

/** jpeg-js also decodes scans that follow a complete image. */
const hasTooManyScans = (data: Buffer): boolean => {
  let scans = 0
  for (const { code } of jpegSegments(data)) {
    if (code === startOfScan) scans += 1
    if (scans > mostScans) return true
  }
  return false
}

/** Whether all pixels are opaque. */
export const isOpaque = ({ data }: Bitmap): boolean => {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

/** The picture on a white ground. */
const onWhite = (bitmap: Bitmap): Bitmap => {
  if (isOpaque(bitmap)) return bitmap
  const data = Buffer.from(bitmap.data)
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data.readUInt8(at + 3)
    for (let channel = at; channel < at + 3; channel += 1)
      data[channel] = Math.round((data.readUInt8(channel) * alpha + 255 * (255 - alpha)) / 255)
    data[at + 3] = 255
  }
  return { ...bitmap, data }
}

const jpegCodec = async (): Promise<PictureCodec> => {
  const { default: jpeg } = await import('@jimp/js-jpeg')
  const Jimp = createJimp({ formats: [jpeg] })
  return {
    // The size was checked from the header; the default limits of the decoder are below those of the configuration.
    decode: (data, _, maxMemoryMb) =>
      hasTooManyScans(data)
        ? undefined
        : jpeg().decode(data, { maxMemoryUsageInMB: maxMemoryMb, maxResolutionInMP: Infinity }),
    encode: (bitmap, { quality }) =>
      new Jimp(onWhite(bitmap)).getBuffer('image/jpeg', { quality: encoderQuality('image/jpeg', quality) }),
  }
}

/** The channels that the pixels need: a grey image is stored without colour, an opaque one without alpha. */
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
    // The defaults of Jimp (run-length deflate at level 9) suit drawings; these also compress photographs well.
    encode: (bitmap, { keepsColour }) =>
      new Jimp(bitmap).getBuffer('image/png', {
        colorType: colourTypes[usedChannels(bitmap, keepsColour)],
        deflateLevel: 6,
        deflateStrategy: 0,
      }),
  }
}

const withoutPartialAlpha = (bitmap: Bitmap): Bitmap => {
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
    // A pixel of a GIF is opaque or transparent. The quantizer would use palette entries for values between.
    encode: (bitmap) => new Jimp(withoutPartialAlpha(bitmap)).getBuffer('image/gif'),
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
  'image/webp': async () => (await import('./webp-codec.js')).webpCodec(),
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
 * Scales to exactly this size. The default mode of Jimp averages the area that each new pixel covers. Its named modes
 * sample, which causes moiré patterns.
 */
export const resized = (bitmap: Bitmap, size: Size): Bitmap => {
  if (bitmap.width === size.width && bitmap.height === size.height) return bitmap
  const { data, width, height } = new Resizable(bitmap).resize({ w: size.width, h: size.height }).bitmap
  return { data, width, height }
}

/** A part of a picture as it is stored. */
export const cropped = ({ data, width }: Bitmap, { left, top, width: columns, height }: Region): Bitmap => {
  const part = Buffer.allocUnsafe(columns * height * 4)
  for (let row = 0; row < height; row += 1) {
    const start = ((top + row) * width + left) * 4
    data.copy(part, row * columns * 4, start, start + columns * 4)
  }
  return { data: part, width: columns, height }
}
