/**
 * The size of an AVIF or HEIC: that of the primary item, as its properties crop and rotate it (ISO/IEC 23008-12). Its boxes are read
 * in the order of the data.
 */
import { E } from '@publishing-service/domain/fp'
import {
  bytes,
  longestPiece,
  maxHeaderParts,
  unknownFormat,
  unreadableHeader,
  type HeaderRequest,
  type HeaderReader,
} from './header-reader.js'
import type { Size } from '@publishing-service/domain/images'

const typeOf = (name: string): number =>
  [...name].reduce((sum, sign) => sum * 256 + (sign.codePointAt(0) ?? 0), 0)

const type = {
  fileType: typeOf('ftyp'),
  meta: typeOf('meta'),
  primary: typeOf('pitm'),
  properties: typeOf('iprp'),
  container: typeOf('ipco'),
  associations: typeOf('ipma'),
  extents: typeOf('ispe'),
  rotation: typeOf('irot'),
  aperture: typeOf('clap'),
} as const

/** The brands of files of images; others with the same boxes are films. */
const brands: ReadonlySet<number> = new Set(
  ['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1'].map(typeOf),
)

/** A reading of a part of the data, which ends in what it has found. */
type Part<A> = Generator<HeaderRequest, A, DataView>

/** A box: what it is, and where its content begins and ends. */
type Box = { readonly type: number; readonly start: number; readonly end: number }

/** How far the data was read, and how many boxes it had until there. */
type Progress = { at: number; boxes: number }

function* read(progress: Progress, position: number, count: number): Part<DataView> {
  const length = Math.min(count, longestPiece)
  const piece = yield bytes(length, position - progress.at)
  progress.at = position + length
  return piece
}

const headLength = 8

/** The box at a position, inside of one that ends there; null if there is none, or it does not fit. */
function* boxAt(progress: Progress, position: number, end: number): Part<Box | null> {
  progress.boxes += 1
  if (progress.boxes > maxHeaderParts || position + headLength > end) return null
  const head = yield* read(progress, position, headLength)
  const [short, kind] = [head.getUint32(0), head.getUint32(4)]
  if (short === 0) return { type: kind, start: position + headLength, end }
  let [length, start] = [short, position + headLength]
  if (short === 1) {
    if (start + 8 > end) return null
    const long = yield* read(progress, start, 8)
    length = long.getUint32(0) * 2 ** 32 + long.getUint32(4)
    start += 8
  }
  const last = position + length
  return last < start || last > end || !Number.isSafeInteger(last) ? null : { type: kind, start, end: last }
}

/** Visits each box in an interval, until a visit returns false. False if that has happened, or if a box does not fit. */
function* eachBox(
  progress: Progress,
  from: number,
  end: number,
  visit: (box: Box) => Part<boolean>,
): Part<boolean> {
  for (let position = from; position < end;) {
    const box = yield* boxAt(progress, position, end)
    if (box === null || !(yield* visit(box))) return false
    position = box.end
  }
  return true
}

/** What a property of an item makes of its size. */
type Property = (size: Size) => Size

const rotated = ({ width, height }: Size): Size => ({ width: height, height: width })

/** The size that an aperture leaves; the whole if it is none of whole pixels inside. */
const cropped =
  (content: DataView): Property =>
  (size) => {
    const [width, height] = [0, 8].map((at) => content.getUint32(at) / content.getUint32(at + 4))
    const isInside = (side: number | undefined, whole: number): side is number =>
      side !== undefined && Number.isInteger(side) && side > 0 && side <= whole
    return isInside(width, size.width) && isInside(height, size.height) ? { width, height } : size
  }

/** Bytes that a full box begins with: its version and flags. */
const versionLength = 4

/** The properties of all items, of which those are known that matter for the size, by their numbers from 1. */
function* readProperties(
  progress: Progress,
  { start, end }: Box,
  found: Map<number, Property>,
): Part<boolean> {
  let number = 0
  return yield* eachBox(progress, start, end, function* (box) {
    number += 1
    const length = box.end - box.start
    if (box.type === type.extents && length >= versionLength + 8) {
      const content = yield* read(progress, box.start + versionLength, 8)
      const size = { width: content.getUint32(0), height: content.getUint32(4) }
      found.set(number, () => size)
    } else if (box.type === type.rotation && length >= 1) {
      const angle = (yield* read(progress, box.start, 1)).getUint8(0) & 3
      if (angle % 2 === 1) found.set(number, rotated)
    } else if (box.type === type.aperture && length >= 16)
      found.set(number, cropped(yield* read(progress, box.start, 16)))
    return true
  })
}

/** The numbers of the properties of an item, in their order. */
const associationsIn = (content: DataView, item: number): readonly number[] => {
  try {
    const [version, isWide] = [content.getUint8(0), (content.getUint8(3) & 1) === 1]
    const entries = content.getUint32(versionLength)
    let at = versionLength + 4
    for (let entry = 0; entry < entries; entry += 1) {
      const id = version < 1 ? content.getUint16(at) : content.getUint32(at)
      at += version < 1 ? 2 : 4
      const count = content.getUint8(at)
      at += 1
      const numberAt = (index: number): number =>
        isWide ? content.getUint16(at + 2 * index) & 0x7fff : content.getUint8(at + index) & 0x7f
      if (id === item) return Array.from({ length: count }, (_, index) => numberAt(index))
      at += isWide ? 2 * count : count
    }
    return []
  } catch (error) {
    // The box is too short for its entries.
    if (error instanceof RangeError) return []
    throw error
  }
}

/** The size of the primary item; empty if the boxes of the metadata do not say it. */
function* readMeta(progress: Progress, { start, end }: Box): Part<Size> {
  const properties = new Map<number, Property>()
  let primary: number | null = null
  const numbers: number[] = []
  const readInside = function* (box: Box): Part<boolean> {
    if (box.type === type.container) return yield* readProperties(progress, box, properties)
    // The number of the primary item comes before its properties.
    if (box.type === type.associations && primary !== null && numbers.length === 0)
      numbers.push(...associationsIn(yield* read(progress, box.start, box.end - box.start), primary))
    return true
  }
  yield* eachBox(progress, start + versionLength, end, function* (box) {
    if (box.type === type.primary && box.end - box.start >= versionLength + 2) {
      const version = (yield* read(progress, box.start, versionLength)).getUint8(0)
      const isLong = version > 0 && box.end - box.start >= versionLength + 4
      const id = yield* read(progress, box.start + versionLength, isLong ? 4 : 2)
      primary = isLong ? id.getUint32(0) : id.getUint16(0)
    }
    if (box.type !== type.properties) return true
    const isRead = yield* eachBox(progress, box.start, box.end, readInside)
    return isRead && numbers.length === 0
  })
  let size: Size = { width: 0, height: 0 }
  for (const number of numbers) size = properties.get(number)?.(size) ?? size
  return size
}

/** Bytes of the signature, by which the reader was chosen. */
const signatureLength = 3

export function* readIsobmffHeader(): HeaderReader {
  const first = yield bytes(5, 0, unknownFormat)
  const length = first.getUint8(0)
  if (first.getUint32(1) !== type.fileType) return unknownFormat
  const start = signatureLength + 5
  if (length < start + 8) return unknownFormat
  const progress: Progress = { at: start, boxes: 0 }
  const named = yield* read(progress, start, length - start)
  let isImage = false
  // Between the first brand and the others is a version.
  for (let at = 0; at + 4 <= named.byteLength; at += 4)
    isImage ||= at !== 4 && brands.has(named.getUint32(at))
  if (!isImage) return unknownFormat
  for (let position = length; ;) {
    const box = yield* boxAt(progress, position, Number.MAX_SAFE_INTEGER)
    if (box === null) return unreadableHeader
    if (box.type === type.meta) return E.right({ mimetype: null, ...(yield* readMeta(progress, box)) })
    position = box.end
  }
}
