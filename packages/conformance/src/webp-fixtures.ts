/** WebPs of one colour, created byte by byte (RFC 9649). The pixels of a frame need no bits. */

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const riffChunk = (type: string, content: Uint8Array, length = content.length): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

export const webpFrom = (...chunks: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])))

const uint24 = (value: number): readonly number[] => [value & 255, (value >> 8) & 255, value >> 16]

/** The chunk VP8X, with the size of the canvas and the flags of other chunks. */
export const webpCanvas = (width: number, height: number, flags: number): Buffer =>
  riffChunk('VP8X', Uint8Array.from([flags, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)]))

/** Packs bits into bytes, the lowest bit first. */
const packed = (bits: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: Math.ceil(bits.length / 8) + 1 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, index) => byte | (bit << index), 0),
  )

const number = (value: number, length: number): readonly number[] =>
  Array.from({ length }, (_, index) => Math.floor(value / 2 ** index) % 2)

/** A simple prefix code with one symbol of 8 bits. */
const onlySymbol = (symbol: number): readonly number[] => [1, 0, 1, ...number(symbol, 8)]

/** The flag and the version. */
const usesAlpha = [1, 0, 0, 0]
/** No transform, no colour cache, one group of codes. */
const plainCoding = [0, 0, 0]
const noDistances = [1, 0, 0, 0]

const frame = (width: number, height: number, [red, green, blue, alpha]: Colour): Buffer =>
  riffChunk(
    'VP8L',
    packed([
      ...number(0x2f, 8),
      ...number(width - 1, 14),
      ...number(height - 1, 14),
      ...usesAlpha,
      ...plainCoding,
      ...[green, red, blue, alpha].flatMap(onlySymbol),
      ...noDistances,
    ]),
  )

export const webpOf = (width: number, height: number, colour: Colour = [220, 20, 30, 255]): Uint8Array =>
  webpFrom(frame(width, height, colour))

type Extension = { readonly flag: number; readonly before?: Uint8Array; readonly after?: Uint8Array }

/** A still WebP with a chunk before its pixels, or one after them. */
const extended = (
  width: number,
  height: number,
  colour: Colour,
  { flag, before, after }: Extension,
): Uint8Array =>
  webpFrom(
    webpCanvas(width, height, flag | 0x10),
    before ?? new Uint8Array(0),
    frame(width, height, colour),
    after ?? new Uint8Array(0),
  )

export const webpWithProfile = (
  width: number,
  height: number,
  colour: Colour,
  profile: Uint8Array,
): Uint8Array => extended(width, height, colour, { flag: 0x20, before: riffChunk('ICCP', profile) })

export const webpWithExif = (width: number, height: number, exif: Uint8Array): Uint8Array =>
  extended(width, height, [220, 20, 30, 255], { flag: 0x08, after: riffChunk('EXIF', exif) })

/** One frame for each colour, of the size of the canvas or smaller, in the bottom right corner. */
export const animatedWebpOf = (
  width: number,
  height: number,
  colours: readonly Colour[],
  inset = 0,
): Uint8Array =>
  webpFrom(
    webpCanvas(width, height, 0x12),
    riffChunk('ANIM', Uint8Array.of(0, 0, 0, 0, 0, 0)),
    ...colours.map((colour) =>
      riffChunk(
        'ANMF',
        Buffer.concat([
          Uint8Array.from([
            ...uint24(inset / 2),
            ...uint24(inset / 2),
            ...uint24(width - inset - 1),
            ...uint24(height - inset - 1),
            ...uint24(100),
            0,
          ]),
          frame(width - inset, height - inset, colour),
        ]),
      ),
    ),
  )
