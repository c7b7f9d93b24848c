/**
 * A JPEG's header: the frame's size, the EXIF orientation, and what jpeg-js will allocate for it. Lossless,
 * arithmetic-coded and 12-bit JPEGs are refused, since the decoder knows only the kinds that the web shows.
 */
import { E } from '@publishing-service/domain'
import { readExifOrientation } from './exif-orientation.js'
import { brokenHeader, type HeaderReader, maxHeaderParts, type Orientation, refused } from './image-header.js'

const marker = { temporary: 0x01, application1: 0xe1, huffmanTables: 0xc4, arithmetic: 0xcc, extension: 0xc8 }
const startOfScan = 0xda
const endOfImage = 0xd9
const fillByte = 0xff
const unsupportedKind = 'This kind of JPEG (lossless, arithmetic-coded or 12-bit) is not supported.'

type Frame = {
  readonly width: number
  readonly height: number
  readonly progressive: boolean
  readonly supported: boolean
  readonly components: number
  /** Blocks of 8 × 8 samples over all components. */
  readonly blocks: number
}

const isFrame = (code: number): boolean =>
  code >= 0xc0 &&
  code <= 0xcf &&
  code !== marker.huffmanTables &&
  code !== marker.extension &&
  code !== marker.arithmetic

const hasNoLength = (code: number): boolean =>
  code === fillByte || code === marker.temporary || (code >= 0xd0 && code <= 0xd7)

const readFrame = (bytes: DataView, at: number, code: number): Frame => {
  const height = bytes.getUint16(at + 1)
  const width = bytes.getUint16(at + 3)
  const components = bytes.getUint8(at + 5)
  const samplings = Array.from({ length: components }, (_, component) => {
    const factors = bytes.getUint8(at + 7 + component * 3)
    return { across: factors >> 4, down: factors & 15 }
  })
  const across = Math.max(...samplings.map((sampling) => sampling.across))
  const down = Math.max(...samplings.map((sampling) => sampling.down))
  const units = Math.ceil(width / 8 / across) * Math.ceil(height / 8 / down)
  const inRange = samplings.every(
    (each) => each.across >= 1 && each.across <= 4 && each.down >= 1 && each.down <= 4,
  )
  return {
    width,
    height,
    components,
    progressive: code === 0xc2,
    supported: code <= 0xc2 && bytes.getUint8(at) === 8 && [1, 3, 4].includes(components) && inRange,
    blocks: units * samplings.reduce((sum, each) => sum + each.across * each.down, 0),
  }
}

const isExif = (bytes: DataView, at: number, length: number): boolean =>
  length >= 14 && bytes.getUint32(at) === 0x45786966 && bytes.getUint16(at + 4) === 0

/** jpeg-js keeps each block in an array of its own, which is what a decoded JPEG weighs most. */
const bytesPerBlock = 576

export const readJpegHeader: HeaderReader = (bytes) => {
  let at = 2
  let frame: Frame | undefined
  let orientation: Orientation | undefined
  for (let part = 0; part < maxHeaderParts; part += 1) {
    if (bytes.getUint8(at) !== 0xff) return refused(brokenHeader)
    const code = bytes.getUint8(at + 1)
    at += code === fillByte ? 1 : 2
    if (hasNoLength(code)) continue
    if (code === endOfImage) break
    if (code === startOfScan) {
      if (frame === undefined) break
      if (!frame.supported) return refused(unsupportedKind)
      return E.right({
        mimetype: 'image/jpeg',
        width: frame.width,
        height: frame.height,
        orientation: orientation ?? 1,
        decodingBytes:
          frame.blocks * bytesPerBlock + frame.width * frame.height * frame.components + bytes.byteLength * 2,
        // Each block takes a bit for its mean and, unless progressive, another for the end of its detail.
        leastBytes: at + Math.floor((frame.blocks * (frame.progressive ? 1 : 2)) / 8),
      })
    }
    const length = bytes.getUint16(at)
    if (length < 2) return refused(brokenHeader)
    if (isFrame(code)) frame ??= readFrame(bytes, at + 2, code)
    if (code === marker.application1 && orientation === undefined && isExif(bytes, at + 2, length)) {
      const within = Math.min(length - 8, bytes.byteLength - at - 8)
      orientation = readExifOrientation(new DataView(bytes.buffer, bytes.byteOffset + at + 8, within))
    }
    at += length
  }
  return refused(brokenHeader)
}
