/** Headers of images for the tests, byte by byte. */

export type Part = number | string | readonly number[] | Uint8Array

/** Bytes out of single ones, lists and texts in ASCII. */
export const bytesOf = (...parts: readonly Part[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === 'number') return [part]
      return typeof part === 'string' ? [...part].map((sign) => sign.codePointAt(0) ?? 0) : [...part]
    }),
  )

export const bigEnd = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256)

export const littleEnd = (value: number, bytes: number): readonly number[] =>
  bigEnd(value, bytes).toReversed()

/** An EXIF block whose only entry is the orientation. */
export const exif = (orientation: number): Uint8Array =>
  bytesOf('MM', 0, 42, bigEnd(8, 4), bigEnd(1, 2), bigEnd(0x0112, 2), bigEnd(3, 2), bigEnd(1, 4), [
    0,
    orientation,
    0,
    0,
  ])

export const chunk = (type: string, content: Uint8Array): Uint8Array =>
  bytesOf(bigEnd(content.length, 4), type, content, [0, 0, 0, 0])

export const pngHeader = (width: number, height: number): Uint8Array =>
  bytesOf(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunk('IHDR', bytesOf(bigEnd(width, 4), bigEnd(height, 4), [8, 6, 0, 0, 0])),
  )

export const segment = (code: number, content: Uint8Array): Uint8Array =>
  bytesOf(0xff, code, bigEnd(content.length + 2, 2), content)

type JpegKind = { readonly frame?: number; readonly depth?: number; readonly before?: Uint8Array }

/** A JPEG in colour up to its pixels. */
export const jpegHeader = (
  width: number,
  height: number,
  { frame = 0xc0, depth = 8, before = bytesOf() }: JpegKind = {},
): Uint8Array =>
  bytesOf(
    [0xff, 0xd8],
    before,
    segment(
      frame,
      bytesOf(depth, bigEnd(height, 2), bigEnd(width, 2), 3, [1, 0x22, 0], [2, 0x11, 0], [3, 0x11, 0]),
    ),
    [0xff, 0xda, 0, 12, 3],
  )

export const gifHeader = (width: number, height: number): Uint8Array =>
  bytesOf('GIF89a', littleEnd(width, 2), littleEnd(height, 2), [0, 0, 0])

const riff = (...chunks: readonly Uint8Array[]): Uint8Array =>
  bytesOf('RIFF', [0, 0, 0, 0], 'WEBP', ...chunks)

export const riffChunk = (type: string, content: Uint8Array): Uint8Array =>
  bytesOf(type, littleEnd(content.length, 4), content, content.length % 2 === 1 ? 0 : [])

export const lossyWebp = (width: number, height: number): Uint8Array =>
  riff(riffChunk('VP8 ', bytesOf([0, 0, 0], [0x9d, 0x01, 0x2a], littleEnd(width, 2), littleEnd(height, 2))))

export const losslessWebp = (width: number, height: number): Uint8Array =>
  riff(riffChunk('VP8L', bytesOf(0x2f, littleEnd(width - 1 + (height - 1) * 16_384, 4), [0, 0, 0, 0, 0])))

/** `flags` is 8 if an EXIF chunk follows. */
export const extendedWebp = (
  width: number,
  height: number,
  flags: number,
  ...rest: readonly Uint8Array[]
): Uint8Array =>
  riff(
    riffChunk('VP8X', bytesOf(flags, [0, 0, 0], littleEnd(width - 1, 3), littleEnd(height - 1, 3))),
    ...rest,
  )

type BmpKind = {
  readonly depth: number
  readonly compression?: number
  readonly headerLength?: number
  readonly height?: number
  /** Bytes between the palette and the pixels. */
  readonly gap?: number
}

export const bmpHeader = ({
  depth,
  compression = 0,
  headerLength = 40,
  height = 20,
  gap = 0,
}: BmpKind): Uint8Array => {
  const colours = depth <= 8 ? 2 ** depth : 0
  return bytesOf(
    'BM',
    [0, 0, 0, 0, 0, 0, 0, 0],
    littleEnd(14 + headerLength + colours * 4 + gap, 4),
    littleEnd(headerLength, 4),
    littleEnd(33, 4),
    littleEnd((height + 2 ** 32) % 2 ** 32, 4),
    [1, 0],
    littleEnd(depth, 2),
    littleEnd(compression, 4),
    Array.from({ length: 20 }, () => 0),
  )
}
