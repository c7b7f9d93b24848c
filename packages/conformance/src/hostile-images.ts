/** Images that an attacker might upload: over fifty kinds. */
import { seededBytes } from './blob-bodies.js'
import { flatGif, flatJpeg, flatPng, gifOfFrames, gifWithFrame, inflating } from './decompression-bombs.js'
import {
  exifBlock,
  gifOf,
  joined,
  jpegOf,
  jpegWithFalseSize,
  pngWithFalseSize,
  quarters,
  withExif,
} from './imaging-fixtures.js'
import { palettePng, pngOf, pngRows } from './png-fixtures.js'
import { jpegWithProfile, swappingProfile } from './profile-fixtures.js'
import { animatedWebpOf, riffChunk, webpCanvas, webpFrom, webpOf } from './webp-fixtures.js'

export type HostileImage = {
  readonly name: string
  readonly data: () => Uint8Array
  /** The expected result; `either` if it depends on the adapter. */
  readonly expected: 'rejected' | 'scaled' | 'either'
}

const text = (content: string): Uint8Array => Buffer.from(content, 'latin1')
const red = [220, 20, 30, 255] as const
const script = '<script>alert(document.domain)</script>'

const segment = (code: number, content: Uint8Array): Uint8Array => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return joined(head, content)
}

/** A JPEG with additional segments at its start. */
const jpegWith = (...segments: readonly Uint8Array[]): Uint8Array => {
  const picture = jpegOf(quarters(60, 40))
  return joined(picture.subarray(0, 2), ...segments, picture.subarray(2))
}

const pngWith = (...before: readonly (readonly [string, Uint8Array])[]): Uint8Array =>
  pngOf({ width: 60, height: 40, depth: 8, colourType: 2, rows: pngRows(60, 40, (x) => [x, 0, 0]), before })

const repeated = (part: Uint8Array, times: number): Uint8Array => Buffer.alloc(part.length * times, part)

const changed = (data: Uint8Array, at: number, ...bytes: readonly number[]): Uint8Array => {
  const copy = new Uint8Array(data)
  copy.set(bytes, at)
  return copy
}

const bmp = (width: number, height: number): Uint8Array => {
  const head = Buffer.alloc(54)
  head.write('BM', 'latin1')
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(24, 28)
  return head
}

const nested = (depth: number): Uint8Array => {
  let inner: Uint8Array = webpOf(4, 4)
  for (let level = 0; level < depth; level += 1) inner = webpFrom(inner)
  return inner
}

const kind =
  (expected: HostileImage['expected']) =>
  (name: string, data: () => Uint8Array): HostileImage => ({ name, data, expected })
const [bad, odd, good] = [kind('rejected'), kind('either'), kind('scaled')]

const hugeSizes: readonly HostileImage[] = [
  bad('PNG of 20 000 × 20 000 with 5 bytes of data', () => pngWithFalseSize(20_000, 20_000)),
  bad('PNG of 9 000 × 9 000 with 5 bytes of data', () => pngWithFalseSize(9000, 9000)),
  bad('PNG of 2³¹ − 1 × 2³¹ − 1', () => pngWithFalseSize(2 ** 31 - 1, 2 ** 31 - 1)),
  bad('PNG of 1 × 2³¹ − 1', () => pngWithFalseSize(1, 2 ** 31 - 1)),
  bad('PNG of 2³² − 1 × 1', () => pngWithFalseSize(2 ** 32 - 1, 1)),
  bad('PNG of 0 × 0', () => pngWithFalseSize(0, 0)),
  bad('JPEG of 65 500 × 65 500 with data of 16 × 16', () => jpegWithFalseSize(65_500, 65_500)),
  bad('JPEG of 9 000 × 9 000 with data of 16 × 16', () => jpegWithFalseSize(9000, 9000)),
  bad('JPEG of 300 × 0', () => jpegWithFalseSize(300, 0)),
  bad('GIF screen of 65 535 × 65 535, frame of 4 × 4', () => gifWithFrame([65_535, 65_535], [4, 4])),
  odd('GIF screen of 9 000 × 9 000, frame of 4 × 4', () => gifWithFrame([9000, 9000], [4, 4])),
  bad('GIF screen of 200 × 200, frame of 65 535 × 65 535', () => gifWithFrame([200, 200], [65_535, 65_535])),
  bad('BMP of 60 000 × 60 000 without data', () => bmp(60_000, 60_000)),
  bad('BMP of 9 000 × −9 000 without data', () => bmp(9000, -9000)),
  bad('WebP canvas of 16 777 216 × 16 777 216', () => webpFrom(webpCanvas(2 ** 24, 2 ** 24, 0))),
  bad('WebP canvas of 9 000 × 9 000, frame of 4 × 4', () =>
    webpFrom(webpCanvas(9000, 9000, 0), webpOf(4, 4).subarray(12)),
  ),
]

const bombs: readonly HostileImage[] = [
  odd('PNG of 10 000 × 10 000 in 100 KB', () => flatPng(10_000, 10_000)),
  odd('PNG of 10 001 × 10 000 in 100 KB', () => flatPng(10_001, 10_000)),
  odd('PNG of 9 999 × 9 999 at one bit in 12 KB', () => flatPng(9999, 9999, { depth: 1 })),
  odd('PNG of 5 000 × 5 000 at 16 bits and alpha', () => flatPng(5000, 5000, { depth: 16, colourType: 6 })),
  odd('PNG of 8 000 × 8 000, interlaced', () => flatPng(8000, 8000, { interlaced: true })),
  odd('PNG of 12 000 × 8 000 with a palette', () => flatPng(12_000, 8000, { colourType: 3 })),
  odd('PNG of 1 × 1 000 000', () => flatPng(1, 1_000_000)),
  odd('PNG of 10 × 10 whose pixels inflate to 64 MB', () =>
    pngOf({ width: 10, height: 10, depth: 8, colourType: 0, rows: new Uint8Array(64 << 20) }),
  ),
  odd('PNG with a text of 64 MB in 64 KB', () => pngWith(['zTXt', inflating('note\0\0', 64 << 20)])),
  odd('PNG with a profile of 64 MB in 64 KB', () => pngWith(['iCCP', inflating('note\0\0', 64 << 20)])),
  odd('JPEG of 8 000 × 8 000 in 250 KB', () => flatJpeg({ width: 8000, height: 8000 })),
  odd('JPEG of 5 000 × 5 000 in colour in 290 KB', () =>
    flatJpeg({ width: 5000, height: 5000, components: 3 }),
  ),
  odd('JPEG of 12 000 × 12 000 in 560 KB', () => flatJpeg({ width: 12_000, height: 12_000 })),
  odd('JPEG of 2 000 × 2 000 in 90 scans', () => flatJpeg({ width: 2000, height: 2000, scans: 90 })),
  bad('JPEG of 4 000 × 4 000 in 20 000 scans', () => flatJpeg({ width: 4000, height: 4000, scans: 20_000 })),
  odd('GIF of 9 000 × 9 000 in 30 KB', () => flatGif(9000, 9000)),
  odd('GIF of 3 000 × 3 000 in blocks of one byte', () => flatGif(3000, 3000, 1)),
  bad('WebP of 16 383 × 16 383 in 36 bytes', () => webpOf(16_383, 16_383)),
  bad('WebP of 10 000 × 10 000 in 36 bytes', () => webpOf(10_000, 10_000)),
  odd('WebP of 4 000 × 4 000 in 36 bytes', () => webpOf(4000, 4000)),
]

const endless: readonly HostileImage[] = [
  good('GIF of 300 000 frames', () => gifOfFrames(300_000)),
  odd('GIF of 300 000 frames without an end', () => gifOfFrames(300_000, false)),
  odd('GIF whose code refers to itself', () => gifWithFrame([4, 4], [4, 4], Uint8Array.of(0xcc, 0x0b))),
  odd('GIF truncated within its frame', () => gifOf(60, 40, [1]).subarray(0, 200)),
  odd('WebP of 100 000 frames', () => {
    const [head, frame] = [animatedWebpOf(4, 4, [red]), animatedWebpOf(4, 4, [red]).subarray(44)]
    return joined(head, repeated(frame, 100_000))
  }),
  odd('WebP whose frame exceeds its canvas', () =>
    changed(animatedWebpOf(40, 40, [red]), 52, 0xff, 0xff, 0x00),
  ),
  bad('JPEG of 20 MB of fill bytes', () =>
    joined(Uint8Array.of(0xff, 0xd8), new Uint8Array(19 << 20).fill(0xff)),
  ),
  bad('JPEG of 4 million empty comments', () =>
    joined(Uint8Array.of(0xff, 0xd8), repeated(Uint8Array.of(0xff, 0xfe, 0, 2), 4_000_000)),
  ),
  good('JPEG after 16 MB of comments', () => jpegWith(repeated(segment(0xfe, new Uint8Array(65_000)), 250))),
  odd('JPEG with 10 MB of restart markers in its pixels', () => {
    const picture = jpegOf(quarters(60, 40))
    return joined(
      picture.subarray(0, -20),
      repeated(Uint8Array.of(0xff, 0xd0), 5_000_000),
      picture.subarray(-20),
    )
  }),
  odd('JPEG with random tables', () => jpegWith(segment(0xc4, seededBytes(2000, 3)))),
  odd('JPEG with random pixel data', () =>
    joined(jpegOf(quarters(600, 400)).subarray(0, 700), seededBytes(200_000, 4)),
  ),
]

const nestedChunks: readonly HostileImage[] = [
  bad('PNG of a million chunks of text', () => {
    const whole = Buffer.from(palettePng(40))
    const chunk = pngWith(['tEXt', text('a')]).subarray(33, 46)
    return joined(whole.subarray(0, 33), repeated(chunk, 1_000_000), whole.subarray(33))
  }),
  odd('PNG with a chunk of 2³² − 1 bytes', () =>
    changed(pngWith(['tEXt', text('a')]), 33, 255, 255, 255, 255),
  ),
  bad('PNG without its last chunks', () => pngWith().subarray(0, -60)),
  bad('PNG with a wrong checksum', () => changed(pngWith(), 60, 1, 2, 3)),
  bad('WebP nested in WebP 2 000 times', () => nested(2000)),
  bad('WebP with a chunk of 2³² − 1 bytes', () =>
    webpFrom(riffChunk('VP8L', new Uint8Array(10), 2 ** 32 - 1)),
  ),
  bad('WebP of a million unknown chunks', () =>
    webpFrom(
      webpCanvas(4, 4, 8),
      repeated(riffChunk('junk', new Uint8Array(0)), 1_000_000),
      webpOf(4, 4).subarray(12),
    ),
  ),
  good('JPEG with an EXIF directory that refers to itself', () =>
    withExif(jpegOf(quarters(60, 40)), changed(exifBlock(6, false), 4, 0, 0, 0, 0)),
  ),
  good('JPEG with a profile of 2³² − 1 tags', () => {
    const profile = changed(swappingProfile, 128, 255, 255, 255, 255)
    return jpegWithProfile(jpegOf(quarters(60, 40)), profile)
  }),
]

const polyglots: readonly HostileImage[] = [
  good('PNG followed by HTML', () => joined(palettePng(200), text(`<html>${script}</html>`))),
  good('PNG followed by an archive', () =>
    joined(palettePng(200), text('PK\x03\x04'), seededBytes(50_000, 5)),
  ),
  good('PNG with a script in its text', () => pngWith(['tEXt', text(`Comment\0${script}`)])),
  good('JPEG with a script in its comment', () => jpegWith(segment(0xfe, text(`--><html>${script}`)))),
  good('JPEG with a script in its EXIF', () => jpegWith(segment(0xe1, text(`Exif\0\0${script}`)))),
  bad('GIF that is JavaScript', () => text(`GIF89a/*${' '.repeat(200)}*/=1;alert(document.domain)`)),
  bad('HTML uploaded as PNG', () => text(`<!doctype html><html>${script}</html>`)),
  bad('SVG with a script', () =>
    text(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${script}</svg>`),
  ),
  bad('SVG uploaded as PNG', () => text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  bad('SVG with nested entities', () =>
    text(
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
        .split('')
        .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at] ?? 'a'};`.repeat(10)}">`)
        .join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`,
    ),
  ),
  bad('SVG that refers to a local file', () =>
    text('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><text>&x;</text></svg>'),
  ),
  bad('PDF uploaded as JPEG', () => text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<<>>')),
  bad('TIFF whose directory points at itself', () =>
    Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0),
  ),
  bad('PostScript uploaded as JPEG', () => text('%!PS\n(/etc/passwd) (r) file')),
  bad('MVG uploaded as JPEG', () => text("push graphic-context\nfill 'url(https://127.0.0.1/x)'\n")),
]

export const hostileImages: readonly HostileImage[] = [
  ...hugeSizes,
  ...bombs,
  ...endless,
  ...nestedChunks,
  ...polyglots,
]
