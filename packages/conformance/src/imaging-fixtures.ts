/**
 * Images for tests, created byte by byte, and functions to inspect the output of an imaging adapter. They do not use the
 * adapter: jpeg-js writes and reads JPEGs, and pngjs reads PNGs.
 */
import { readFile } from 'node:fs/promises'
import { TE } from '@publishing-service/domain/fp'
import type { ImageFormat, Size } from '@publishing-service/domain/images'
import type { SizedBody } from '@publishing-service/ports'
import jpeg from 'jpeg-js'
import { GifReader } from 'omggif'
import { PNG } from 'pngjs'
import { inChunks, seededBytes } from './blob-bodies.js'
import { interlacedPngRows, palettePng, pngOf, pngRows, type PngParts } from './png-fixtures.js'
import { animatedWebpOf, webpOf } from './webp-fixtures.js'

export { seededBytes }
export * from './png-fixtures.js'
export * from './profile-fixtures.js'
export * from './webp-fixtures.js'

const fromBase64 = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

// Four quarters of one colour each, 48 × 32, like `quarters`, in formats that need a full encoder; created with
// libvips 8.18.
export const progressiveJpeg = fromBase64(
  '/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYI/8QAGAEAAwEBAAAAAAAAAAAAAAAAAgYHBAj/2gAMAwEAAhADEAAAAYEL9wU0zTBIQCQxI6HcG1MV7US9wJe//8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABBQJH/8QAGxEAAQQDAAAAAAAAAAAAAAAAEAAEB0FEgsL/2gAIAQMBAT8BUgYu/Ja2P//EABoRAAEFAQAAAAAAAAAAAAAAABAAAgZDgcH/2gAIAQIBAT8BTjI6t4P/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAY/Akf/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAE/IUf/2gAMAwEAAgADAAAAEPKgvv8A/wD/xAAWEQEBAQAAAAAAAAAAAAAAAADBECD/2gAIAQMBAT8QwIs//8QAFhEAAwAAAAAAAAAAAAAAAAAAACBB/9oACAECAQE/ECF//8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABPxBH/9k=',
)

/** CMYK, inverted as Adobe writes it, without a profile. */
export const cmykJpeg = fromBase64(
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EABoAAQADAQEBAAAAAAAAAAAAAAAHCQoEBgj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBLAAA/ALU1VitR90AAAoHapnEmAAAF/DKy7UPgAAoHapnEmAAAECKDGot1gAA01r8HmUfgAAzKKD3pkgAAA01r8HmUfgAA/9k=',
)

export const lossyWebp = fromBase64(
  'UklGRngAAABXRUJQVlA4IGwAAADQBQCdASowACAAPikQhkKhoQ6vMgAMAUJZAC3AUF4AbAvxT8AP2A4wLsB+t2d9hQYiy8LDtShwAP74QcJhCpEjhnaFW5a7YGTfNdv+9hy/kmveMhAAsf9//5b/VMv//MaT4ahGR4cywzwAAAA=',
)

/** Half transparent. */
export const translucentWebp = fromBase64(
  'UklGRpwAAABXRUJQVlA4WAoAAAAQAAAALwAAHwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IGwAAADQBQCdASowACAAPikQhkKhoQ6vMgAMAUJZAC7OUF4AbAvxT8AP2A4wLsB+t2d9hQYiy8LDtShwAP74QcP9TqQNmYrR+0O5cE3IHMLxDqjf1mmHNr9KKtpB2kt/qmX//mNJ8NQjI8PvbajAAAAA=',
)

/** An image as the input of an imaging adapter. */
export const bodyOf = (data: Uint8Array): SizedBody<never> => ({
  bytes: data.length,
  open: () => TE.right(inChunks(data))(),
})

/** The format of an image and its upright size. */
export type ImageInfo = Size & { readonly mimetype: ImageFormat }

/** Red, green, blue and alpha of each pixel, row by row. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const pixels = (width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels => {
  const data = new Uint8Array(width * height * 4)
  for (let at = 0; at < width * height; at += 1)
    data.set(colourAt(at % width, Math.floor(at / width)), at * 4)
  return { width, height, data }
}

const firstFrame = (gif: Uint8Array): Pixels => {
  const reader = new GifReader(gif)
  if (reader.numFrames() !== 1) throw new Error(`a GIF of ${reader.numFrames()} frames`)
  const data = new Uint8Array(reader.width * reader.height * 4)
  reader.decodeAndBlitFrameRGBA(0, data)
  return { width: reader.width, height: reader.height, data }
}

const firstBytes = { png: 0x89, gif: 0x47 }

/** The pixels of a JPEG, a PNG or a still GIF, as they are stored: no orientation is applied. */
export const decoded = (image: Uint8Array): Pixels => {
  if (image[0] === firstBytes.png) return PNG.sync.read(Buffer.from(image))
  if (image[0] === firstBytes.gif) return firstFrame(image)
  return jpeg.decode(image, { useTArray: true, formatAsRGBA: true })
}

/** The mean colour of the part of a image between two corners, given as fractions of its width and height. */
export const meanColour = (
  { width, height, data }: Pixels,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Colour => {
  const sums = [0, 0, 0, 0]
  const columns = [Math.floor(left * width), Math.max(Math.ceil(right * width), 1)] as const
  const rows = [Math.floor(top * height), Math.max(Math.ceil(bottom * height), 1)] as const
  for (let y = rows[0]; y < rows[1]; y += 1)
    for (let x = columns[0]; x < columns[1]; x += 1)
      for (let channel = 0; channel < 4; channel += 1)
        sums[channel] = (sums[channel] ?? 0) + (data[(y * width + x) * 4 + channel] ?? 0)
  const count = (columns[1] - columns[0]) * (rows[1] - rows[0])
  const [red = 0, green = 0, blue = 0, alpha = 0] = sums.map((sum) => sum / count)
  return [red, green, blue, alpha]
}

/** The largest difference between the channels of two colours, 0 to 255. */
export const colourDistance = (one: Colour, other: Colour): number =>
  Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))))

export const jpegOf = ({ width, height, data }: Pixels, quality = 95): Uint8Array =>
  new Uint8Array(jpeg.encode({ width, height, data }, quality).data)

/** Colours of the four quarters of `quarters`, from the left, from the top. */
export const quarterColours: readonly Colour[] = [
  [200, 30, 40, 255],
  [30, 160, 60, 255],
  [40, 60, 200, 255],
  [230, 230, 220, 255],
]

const quarterAt = (x: number, y: number): Colour => quarterColours[x + y * 2] ?? [0, 0, 0, 0]

/** Four quarters of one colour each, so that a rotated or mirrored image is detected. */
export const quarters = (width: number, height: number): Pixels =>
  pixels(width, height, (x, y) => quarterAt(x * 2 < width ? 0 : 1, y * 2 < height ? 0 : 1))

/** The pixels to store with this EXIF orientation, so that a reader that applies it gets the upright image. */
export const storedWithOrientation = (orientation: number, upright: Pixels): Pixels => {
  const { width, height } = upright
  const onItsSide = orientation >= 5
  const at = (x: number, y: number): Colour => {
    const start = (y * width + x) * 4
    const [red = 0, green = 0, blue = 0, alpha = 0] = upright.data.subarray(start, start + 4)
    return [red, green, blue, alpha]
  }
  const [right, bottom] = [width - 1, height - 1]
  const from: Readonly<Record<number, (x: number, y: number) => Colour>> = {
    2: (x, y) => at(right - x, y),
    3: (x, y) => at(right - x, bottom - y),
    4: (x, y) => at(x, bottom - y),
    5: (x, y) => at(y, x),
    6: (x, y) => at(right - y, x),
    7: (x, y) => at(right - y, bottom - x),
    8: (x, y) => at(y, bottom - x),
  }
  return pixels(onItsSide ? height : width, onItsSide ? width : height, from[orientation] ?? at)
}

/**
 * An EXIF block, from its byte order mark: the orientation and a geographical location, in a directory at an unusual
 * offset.
 */
export const exifBlock = (orientation: number, littleEndian: boolean): Uint8Array => {
  const directory = 24
  const gps = 64
  const block = new DataView(new ArrayBuffer(96))
  const entry = (at: number, tag: number, type: number, value: number): void => {
    block.setUint16(at, tag, littleEndian)
    block.setUint16(at + 2, type, littleEndian)
    block.setUint32(at + 4, 1, littleEndian)
    if (type === 3) block.setUint16(at + 8, value, littleEndian)
    else block.setUint32(at + 8, value, littleEndian)
  }
  block.setUint16(0, littleEndian ? 0x4949 : 0x4d4d)
  block.setUint16(2, 42, littleEndian)
  block.setUint32(4, directory, littleEndian)
  block.setUint16(directory, 2, littleEndian)
  entry(directory + 2, 0x0112, 3, orientation)
  entry(directory + 14, 0x8825, 4, gps)
  block.setUint16(gps, 1, littleEndian)
  entry(gps + 2, 0x0000, 1, 0x02030000)
  return new Uint8Array(block.buffer)
}

/** The JPEG with a segment APP1 that contains this EXIF block, after the first segment of a JFIF file. */
export const withExif = (image: Uint8Array, exif: Uint8Array): Uint8Array => {
  const afterJfif = 4 + new DataView(image.buffer, image.byteOffset).getUint16(4)
  const head = Buffer.from([0xff, 0xe1, 0, 0, ...Buffer.from('Exif\0\0', 'latin1')])
  head.writeUInt16BE(head.length - 2 + exif.length, 2)
  return Buffer.concat([image.subarray(0, afterJfif), head, exif, image.subarray(afterJfif)])
}

/**
 * A GIF of frames in one colour each: black, red, green or white. It is not compressed: each code represents one pixel,
 * and the table is cleared before it would grow.
 */
export const gifOf = (width: number, height: number, frames: readonly (0 | 1 | 2 | 3)[]): Uint8Array => {
  const screen = Buffer.from('GIF89a....', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const palette = [0x81, 0, 0, 0, 0, 0, 220, 20, 30, 20, 160, 60, 255, 255, 255]
  const size = screen.subarray(6, 10)
  const frame = (colour: number): readonly number[] => {
    // Codes of 3 bits: 4 clears, 5 ends. After a clear two colours fit before the codes would grow to 4 bits.
    const codes = Array.from({ length: width * height }, (_, at) =>
      at % 2 === 0 ? [4, colour] : [colour],
    ).flat()
    const bits = [...codes, 5].flatMap((code) => [code & 1, (code >> 1) & 1, code >> 2])
    const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
      bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, gps) => byte | (bit << gps), 0),
    )
    const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => {
      const block = bytes.slice(at * 255, at * 255 + 255)
      return [block.length, ...block]
    }).flat()
    return [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...size, 0, 2, ...blocks, 0]
  }
  return Uint8Array.from([...screen, ...palette, ...frames.flatMap(frame), 0x3b])
}

/** A PNG whose header states this size, with only a few bytes of data. */
export const pngWithFalseSize = (width: number, height: number): Uint8Array =>
  pngOf({ width, height, depth: 8, colourType: 6, rows: Uint8Array.of(0, 1, 2, 3, 4) })

/** A JPEG whose header states this size, with the data of a few pixels. */
export const jpegWithFalseSize = (width: number, height: number): Uint8Array => {
  const image = Buffer.from(jpegOf(quarters(16, 16)))
  const frame = image.indexOf(Buffer.from([0xff, 0xc0]))
  image.writeUInt16BE(height, frame + 5)
  image.writeUInt16BE(width, frame + 7)
  return image
}

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** The data of one of the photographs below, which the package contains. */
export const photograph = async (file: string): Promise<Uint8Array> =>
  readFile(new URL(`../photographs/${file}`, import.meta.url))

/** Photographs, with their format and size. */
export const photographs: readonly (ImageInfo & { readonly file: string })[] = [
  { file: 'rocket.jpg', mimetype: 'image/jpeg', width: 640, height: 427 },
  { file: 'hubble_deep_field.jpg', mimetype: 'image/jpeg', width: 1000, height: 872 },
  { file: 'astronaut.png', mimetype: 'image/png', width: 512, height: 512 },
  { file: 'chelsea.png', mimetype: 'image/png', width: 451, height: 300 },
  { file: 'coffee.png', mimetype: 'image/png', width: 600, height: 400 },
]

export const jpegInfo = (width: number, height: number): ImageInfo => ({
  mimetype: 'image/jpeg',
  width,
  height,
})
const pngInfo = (width: number, height: number): ImageInfo => ({
  mimetype: 'image/png',
  width,
  height,
})

const grey = (x: number, y: number): readonly number[] => [(x * 7 + y * 5) % 256]
const wide = (x: number, y: number): readonly number[] => [x % 256, 0, y % 256, 0, 128, 0]
const clear = (x: number): readonly number[] => [220, 20, 30, x < 20 ? 0 : 255]
const narrow = pixels(1, 3000, (_, y) => [y % 256, 80, 120, 255])

const png = (parts: PngParts): ImageInfo & { readonly data: Uint8Array } => ({
  data: pngOf(parts),
  ...pngInfo(parts.width, parts.height),
})

/** Valid but unusual JPEGs and PNGs by name, with their format and size. */
export const edgeCases: Readonly<Record<string, ImageInfo & { readonly data: Uint8Array }>> = {
  'a JPEG of one pixel': { data: jpegOf(pixels(1, 1, () => [9, 80, 120, 255])), ...jpegInfo(1, 1) },
  'a JPEG of 1 × 3000': { data: jpegOf(narrow), ...jpegInfo(1, 3000) },
  'a PNG of one pixel': png({ width: 1, height: 1, depth: 8, colourType: 6, rows: pngRows(1, 1, clear) }),
  'a PNG of 1 × 3000': png({ width: 1, height: 3000, depth: 8, colourType: 0, rows: pngRows(1, 3000, grey) }),
  'a PNG with a palette and transparency': { data: palettePng(40), ...pngInfo(40, 40) },
  'a grey PNG': png({ width: 60, height: 40, depth: 8, colourType: 0, rows: pngRows(60, 40, grey) }),
  'a PNG of one bit a pixel': png({
    width: 64,
    height: 40,
    depth: 1,
    colourType: 0,
    rows: pngRows(8, 40, grey),
  }),
  'a PNG of 16 bits a sample': png({
    width: 60,
    height: 40,
    depth: 16,
    colourType: 2,
    rows: pngRows(60, 40, wide),
  }),
  'an interlaced PNG': png({
    width: 40,
    height: 30,
    depth: 8,
    colourType: 6,
    interlaced: true,
    rows: interlacedPngRows(40, 30, clear),
  }),
}

const asInfo = (mimetype: ImageFormat, width: number, height: number): ImageInfo => ({
  mimetype,
  width,
  height,
})

/** Other formats by name, with their format and size. */
export const otherFormats: typeof edgeCases = {
  'a progressive JPEG': { data: progressiveJpeg, ...jpegInfo(48, 32) },
  'a lossy WebP': { data: lossyWebp, ...asInfo('image/webp', 48, 32) },
  'a WebP with alpha': { data: translucentWebp, ...asInfo('image/webp', 48, 32) },
  'a lossless WebP': { data: webpOf(70, 9), ...asInfo('image/webp', 70, 9) },
  'a WebP of one pixel': { data: webpOf(1, 1), ...asInfo('image/webp', 1, 1) },
  'an animated WebP': {
    data: animatedWebpOf(30, 20, [
      [220, 20, 30, 255],
      [0, 0, 255, 255],
    ]),
    ...asInfo('image/webp', 30, 20),
  },
  'a GIF': { data: gifOf(30, 20, [1]), ...asInfo('image/gif', 30, 20) },
  'an animated GIF': { data: gifOf(30, 20, [1, 2, 3]), ...asInfo('image/gif', 30, 20) },
}

/** Data that is not an image, by name. */
export const notImages: Readonly<Record<string, Uint8Array>> = {
  'an empty file': new Uint8Array(0),
  'a file of one byte': Uint8Array.of(0xff),
  'a text': Buffer.from('This text is not an image.\n'.repeat(300)),
  'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
  'random bytes': seededBytes(100_000, 1),
  'zeros after the first bytes of a JPEG': joined(
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    new Uint8Array(4 << 20),
  ),
  'random bytes after the first bytes of a JPEG': joined(
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    seededBytes(100_000, 6),
  ),
  'fill bytes without an end': joined(Uint8Array.of(0xff, 0xd8), new Uint8Array(4 << 20).fill(0xff)),
  'only the signature of a PNG': palettePng(40).subarray(0, 8),
  'random bytes after the signature of a PNG': joined(palettePng(40).subarray(0, 8), seededBytes(100_000, 7)),
}
