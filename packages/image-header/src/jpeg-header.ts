/**
 * A JPEG's header: the frame's size and the EXIF orientation. Lossless, arithmetic-coded and 12-bit JPEGs are rejected:
 * browsers don't display them.
 */
import { E } from '@publishing-service/domain/fp'
import { readExifOrientation } from './exif-orientation.js'
import { bytes, maxHeaderParts, unreadableHeader, type HeaderReader } from './header-reader.js'
import type { JpegHeader, Orientation } from './image-header.js'
import { endOfImage, fillByte, startOfScan, withoutLength } from './jpeg-markers.js'

const application1 = 0xe1
const frameCodes: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])
const unsupportedKind = E.left('This kind of JPEG (lossless, arithmetic-coded or 12-bit) is not supported.')

type Frame = Omit<JpegHeader, 'orientation' | 'multiScan'> & { readonly supported: boolean }

/** `undefined` where the segment is too short for the components that it announces. */
const readFrame = (segment: DataView, code: number): Frame | undefined => {
  if (segment.byteLength < 6 || segment.byteLength < 6 + segment.getUint8(5) * 3) return undefined
  const height = segment.getUint16(1)
  const width = segment.getUint16(3)
  const components = segment.getUint8(5)
  /** The most blocks of a component in a unit across and down, and the blocks of all components in a unit. */
  let [across, down, ofUnit] = [0, 0, 0]
  let inRange = true
  for (let component = 0; component < components; component += 1) {
    const factors = segment.getUint8(7 + component * 3)
    const [ownAcross, ownDown] = [factors >> 4, factors & 15]
    across = Math.max(across, ownAcross)
    down = Math.max(down, ownDown)
    ofUnit += ownAcross * ownDown
    inRange &&= ownAcross >= 1 && ownAcross <= 4 && ownDown >= 1 && ownDown <= 4
  }
  const blocks = Math.ceil(width / 8 / across) * Math.ceil(height / 8 / down) * ofUnit
  const progressive = code === 0xc2
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

/** The signature ends with the first byte of a marker. */
export function* readJpegHeader(): HeaderReader {
  let frame: Frame | undefined
  let orientation: Orientation | undefined
  for (let part = 0; part < maxHeaderParts; part += 1) {
    let code = (yield bytes(1)).getUint8(0)
    for (; code === fillByte && part < maxHeaderParts; part += 1) code = (yield bytes(1)).getUint8(0)
    let skip = 0
    if (!withoutLength.has(code)) {
      if (code === endOfImage) break
      if (code === startOfScan) {
        if (frame === undefined) break
        const { supported, ...header } = frame
        if (!supported) return unsupportedKind
        const inScan = (yield bytes(1, 2)).getUint8(0)
        const multiScan = header.progressive || inScan < header.components
        return E.right({ ...header, orientation: orientation ?? 1, multiScan })
      }
      const length = (yield bytes(2)).getUint16(0) - 2
      if (length < 0) break
      if (frameCodes.has(code)) {
        const segment = yield bytes(length)
        frame ??= readFrame(segment, code)
        if (frame === undefined) break
      } else if (code === application1 && orientation === undefined) {
        const segment = yield bytes(length)
        if (isExif(segment)) orientation = readExifOrientation(new DataView(segment.buffer, 6))
      } else skip = length
    }
    if ((yield bytes(1, skip)).getUint8(0) !== fillByte) break
  }
  return unreadableHeader
}
