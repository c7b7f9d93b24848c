/**
 * Awkward pictures, made byte by byte, and the means to look at what comes out of an imaging adapter. Nothing here
 * needs that adapter: JPEGs are written and read with jpeg-js, PNGs read with pngjs.
 */
import { readFile } from 'node:fs/promises'
import { TE, type ImageFormat, type Size } from '@publishing-service/domain'
import type { SizedBody } from '@publishing-service/ports'
import jpeg from 'jpeg-js'
import { GifReader } from 'omggif'
import { PNG } from 'pngjs'
import { inChunks } from './blob-bodies.js'
import { interlacedPngRows, palettePng, pngOf, pngRows, type PngParts } from './png-fixtures.js'
import { animatedWebpOf, webpOf } from './webp-fixtures.js'

export * from './png-fixtures.js'
export * from './profile-fixtures.js'
export * from './webp-fixtures.js'

const fromBase64 = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

// Four quarters of one colour each, 48 × 32, as `quarters` draws them, in kinds that take an encoder of their own:
// libvips 8.18 made them.
export const progressiveJpeg = fromBase64(
  '/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYI/8QAGAEAAwEBAAAAAAAAAAAAAAAAAgYHBAj/2gAMAwEAAhADEAAAAYEL9wU0zTBIQCQxI6HcG1MV7US9wJe//8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABBQJH/8QAGxEAAQQDAAAAAAAAAAAAAAAAEAAEB0FEgsL/2gAIAQMBAT8BUgYu/Ja2P//EABoRAAEFAQAAAAAAAAAAAAAAABAAAgZDgcH/2gAIAQIBAT8BTjI6t4P/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAY/Akf/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAE/IUf/2gAMAwEAAgADAAAAEPKgvv8A/wD/xAAWEQEBAQAAAAAAAAAAAAAAAADBECD/2gAIAQMBAT8QwIs//8QAFhEAAwAAAAAAAAAAAAAAAAAAACBB/9oACAECAQE/ECF//8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABPxBH/9k=',
)

/** Four inks, inverted as Adobe writes them, without a profile. */
export const cmykJpeg = fromBase64(
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EABoAAQADAQEBAAAAAAAAAAAAAAAHCQoEBgj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBLAAA/ALU1VitR90AAAoHapnEmAAAF/DKy7UPgAAoHapnEmAAAECKDGot1gAA01r8HmUfgAAzKKD3pkgAAA01r8HmUfgAA/9k=',
)

export const lossyWebp = fromBase64(
  'UklGRngAAABXRUJQVlA4IGwAAADQBQCdASowACAAPikQhkKhoQ6vMgAMAUJZAC3AUF4AbAvxT8AP2A4wLsB+t2d9hQYiy8LDtShwAP74QcJhCpEjhnaFW5a7YGTfNdv+9hy/kmveMhAAsf9//5b/VMv//MaT4ahGR4cywzwAAAA=',
)

/** Half of the light comes through. */
export const clearWebp = fromBase64(
  'UklGRpwAAABXRUJQVlA4WAoAAAAQAAAALwAAHwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IGwAAADQBQCdASowACAAPikQhkKhoQ6vMgAMAUJZAC7OUF4AbAvxT8AP2A4wLsB+t2d9hQYiy8LDtShwAP74QcP9TqQNmYrR+0O5cE3IHMLxDqjf1mmHNr9KKtpB2kt/qmX//mNJ8NQjI8PvbajAAAAA=',
)

/** A picture as an imaging adapter takes it. */
export const bodyOf = (data: Uint8Array): SizedBody<never> => ({
  bytes: data.length,
  open: () => TE.right(inChunks(data))(),
})

/** What a reader must find in a picture: its format, and its size as a person sees it. */
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
export const decoded = (picture: Uint8Array): Pixels => {
  if (picture[0] === firstBytes.png) return PNG.sync.read(Buffer.from(picture))
  if (picture[0] === firstBytes.gif) return firstFrame(picture)
  return jpeg.decode(picture, { useTArray: true, formatAsRGBA: true })
}

/** The mean colour of the part of a picture between two corners, given as fractions of its width and height. */
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

/** How far apart two colours are: the largest difference of a channel, 0 to 255. */
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

/** Four quarters of one colour each: whoever turns or mirrors it shows. */
export const quarters = (width: number, height: number): Pixels =>
  pixels(width, height, (x, y) => quarterAt(x * 2 < width ? 0 : 1, y * 2 < height ? 0 : 1))

/** How a picture must be stored so that a reader who applies this EXIF orientation sees it upright. */
export const storedFor = (orientation: number, upright: Pixels): Pixels => {
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
 * An EXIF block, from its byte order mark: the orientation and a place on the earth, in a directory that doesn't lie
 * where most writers put it.
 */
export const exifBlock = (orientation: number, littleEndian: boolean): Uint8Array => {
  const directory = 24
  const place = 64
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
  entry(directory + 14, 0x8825, 4, place)
  block.setUint16(place, 1, littleEndian)
  entry(place + 2, 0x0000, 1, 0x02030000)
  return new Uint8Array(block.buffer)
}

/** The JPEG with a segment APP1 that holds this EXIF block, behind the segment that a JFIF file starts with. */
export const withExif = (picture: Uint8Array, exif: Uint8Array): Uint8Array => {
  const afterJfif = 4 + new DataView(picture.buffer, picture.byteOffset).getUint16(4)
  const head = Buffer.from([0xff, 0xe1, 0, 0, ...Buffer.from('Exif\0\0', 'latin1')])
  head.writeUInt16BE(head.length - 2 + exif.length, 2)
  return Buffer.concat([picture.subarray(0, afterJfif), head, exif, picture.subarray(afterJfif)])
}

/**
 * A GIF of frames in one colour each out of black, red, green and white. Its codes are never packed: each stands for
 * one pixel, and the table is cleared before it would grow.
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
      bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
    )
    const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => {
      const block = bytes.slice(at * 255, at * 255 + 255)
      return [block.length, ...block]
    }).flat()
    return [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...size, 0, 2, ...blocks, 0]
  }
  return Uint8Array.from([...screen, ...palette, ...frames.flatMap(frame), 0x3b])
}

/** A PNG that is nothing but a header and a few bytes, and says that it is this large. */
export const boastfulPng = (width: number, height: number): Uint8Array =>
  pngOf({ width, height, depth: 8, colourType: 6, rows: Uint8Array.of(0, 1, 2, 3, 4) })

/** A JPEG whose header says that it is this large, over the few pixels of another. */
export const boastfulJpeg = (width: number, height: number): Uint8Array => {
  const picture = Buffer.from(jpegOf(quarters(16, 16)))
  const frame = picture.indexOf(Buffer.from([0xff, 0xc0]))
  picture.writeUInt16BE(height, frame + 5)
  picture.writeUInt16BE(width, frame + 7)
  return picture
}

/** Bytes that look random and are the same in each run. */
export const rubbish = (length: number, seed: number): Uint8Array => {
  let state = seed >>> 0
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  })
}

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** One of the photographs below, as it is kept in the package. */
export const photograph = async (file: string): Promise<Uint8Array> =>
  readFile(new URL(`../photographs/${file}`, import.meta.url))

/** The photographs that an adapter is tried on, with what a reader must find in them. */
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
const narrow = pixels(1, 10_000, (_, y) => [y % 256, 80, 120, 255])

const png = (parts: PngParts): ImageInfo & { readonly data: Uint8Array } => ({
  data: pngOf(parts),
  ...pngInfo(parts.width, parts.height),
})

/** Pictures that are right and unusual, by name, with what a reader must find in them. */
export const awkward: Readonly<Record<string, ImageInfo & { readonly data: Uint8Array }>> = {
  'a JPEG of one pixel': { data: jpegOf(pixels(1, 1, () => [9, 80, 120, 255])), ...jpegInfo(1, 1) },
  'a JPEG of 1 × 10000': { data: jpegOf(narrow), ...jpegInfo(1, 10_000) },
  'a PNG of one pixel': png({ width: 1, height: 1, depth: 8, colourType: 6, rows: pngRows(1, 1, clear) }),
  'a PNG of 1 × 10000': png({
    width: 1,
    height: 10_000,
    depth: 8,
    colourType: 0,
    rows: pngRows(1, 10_000, grey),
  }),
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

/** Pictures of other formats, by name, with what a reader must find in them. */
export const unusual: typeof awkward = {
  'a progressive JPEG': { data: progressiveJpeg, ...jpegInfo(48, 32) },
  'a WebP with losses': { data: lossyWebp, ...asInfo('image/webp', 48, 32) },
  'a WebP with alpha': { data: clearWebp, ...asInfo('image/webp', 48, 32) },
  'a WebP without losses': { data: webpOf(70, 9), ...asInfo('image/webp', 70, 9) },
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

/** Data that no reader can take for a picture. */
export const noPicture: Readonly<Record<string, Uint8Array>> = {
  'an empty file': new Uint8Array(0),
  'a file of one byte': Uint8Array.of(0xff),
  'a text': Buffer.from('Once upon a time there was a picture.\n'.repeat(300)),
  'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
  rubbish: rubbish(100_000, 1),
  'zeros behind the first bytes of a JPEG': joined(
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    new Uint8Array(20 << 20),
  ),
  'rubbish behind the first bytes of a JPEG': joined(
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    rubbish(100_000, 6),
  ),
  'fill bytes without an end': joined(Uint8Array.of(0xff, 0xd8), new Uint8Array(20 << 20).fill(0xff)),
  'the signature of a PNG alone': palettePng(40).subarray(0, 8),
  'rubbish behind the signature of a PNG': joined(palettePng(40).subarray(0, 8), rubbish(100_000, 7)),
}

/** Pictures that say they are far larger than their data can hold. */
export const boastful: Readonly<Record<string, Uint8Array>> = {
  'a PNG of 20000 × 20000 over a few bytes': boastfulPng(20_000, 20_000),
  'a PNG of 9000 × 9000 over a few bytes': boastfulPng(9000, 9000),
  'a JPEG of 65500 × 65500 over a few bytes': boastfulJpeg(65_500, 65_500),
  'a JPEG of 9000 × 9000 over a few bytes': boastfulJpeg(9000, 9000),
}
