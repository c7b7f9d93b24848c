/**
 * A JPEG's header: the frame's size and the EXIF orientation. Lossless, arithmetic-coded and 12-bit JPEGs are rejected:
 * browsers don't display them.
 */
import { E } from '@publishing-service/domain'
import { readExifOrientation } from './exif-orientation.js'
import {
  unreadableHeader,
  bytes,
  maxHeaderParts,
  refused,
  type ImageHeaderReader,
  type JpegHeader,
  type Orientation,
} from './image-header.js'
import { endOfImage, fillByte, hasNoLength, startOfScan } from './jpeg-markers.js'

const marker = { application1: 0xe1, huffmanTables: 0xc4, arithmetic: 0xcc, extension: 0xc8 }
const unsupportedKind = 'This kind of JPEG (lossless, arithmetic-coded or 12-bit) is not supported.'

type Frame = Omit<JpegHeader, 'orientation' | 'multiScan'> & { readonly supported: boolean }

const isFrame = (code: number): boolean =>
  code >= 0xc0 &&
  code <= 0xcf &&
  code !== marker.huffmanTables &&
  code !== marker.extension &&
  code !== marker.arithmetic

/** `undefined` where the segment is too short for the components that it announces. */
const readFrame = (segment: DataView, code: number): Frame | undefined => {
  if (segment.byteLength < 6 || segment.byteLength < 6 + segment.getUint8(5) * 3) return undefined
  const height = segment.getUint16(1)
  const width = segment.getUint16(3)
  const components = segment.getUint8(5)
  const samplings = Array.from({ length: components }, (_, component) => {
    const factors = segment.getUint8(7 + component * 3)
    return { across: factors >> 4, down: factors & 15 }
  })
  const across = Math.max(...samplings.map((sampling) => sampling.across))
  const down = Math.max(...samplings.map((sampling) => sampling.down))
  const units = Math.ceil(width / 8 / across) * Math.ceil(height / 8 / down)
  const inRange = samplings.every(
    (each) => each.across >= 1 && each.across <= 4 && each.down >= 1 && each.down <= 4,
  )
  const progressive = code === 0xc2
  const blocks = units * samplings.reduce((sum, each) => sum + each.across * each.down, 0)
  return {
    mimetype: 'image/jpeg',
    width,
    height,
    components,
    progressive,
    blocks,
    // Each block takes a bit for its mean and, unless progressive, another for the end of its detail.
    leastBytes: Math.floor((blocks * (progressive ? 1 : 2)) / 8),
    supported: code <= 0xc2 && segment.getUint8(0) === 8 && [1, 3, 4].includes(components) && inRange,
  }
}

const isExif = (segment: DataView): boolean =>
  segment.byteLength >= 14 && segment.getUint32(0) === 0x45786966 && segment.getUint16(4) === 0

const within = (segment: DataView, from: number): DataView => new DataView(segment.buffer, from)

export function* readJpegHeader(): ImageHeaderReader {
  let frame: Frame | undefined
  let orientation: Orientation | undefined
  let skip = 2
  for (let part = 0; part < maxHeaderParts; part += 1) {
    const mark = yield* bytes(2, skip)
    skip = 0
    if (mark.getUint8(0) !== 0xff) return refused(unreadableHeader)
    let code = mark.getUint8(1)
    for (; code === fillByte && part < maxHeaderParts; part += 1) code = (yield* bytes(1)).getUint8(0)
    if (hasNoLength(code)) continue
    if (code === endOfImage) break
    if (code === startOfScan) {
      if (frame === undefined) break
      const { supported, ...header } = frame
      if (!supported) return refused(unsupportedKind)
      const inScan = (yield* bytes(1, 2)).getUint8(0)
      const multiScan = header.progressive || inScan < header.components
      return E.right({ ...header, orientation: orientation ?? 1, multiScan })
    }
    const length = (yield* bytes(2)).getUint16(0) - 2
    if (length < 0) return refused(unreadableHeader)
    const isRead = isFrame(code) || (code === marker.application1 && orientation === undefined)
    if (!isRead) {
      skip = length
      continue
    }
    const segment = yield* bytes(length)
    if (isFrame(code)) {
      frame ??= readFrame(segment, code)
      if (frame === undefined) break
    } else if (isExif(segment)) orientation = readExifOrientation(within(segment, 6))
  }
  return refused(unreadableHeader)
}
