/**
 * A BMP's header. Run-length encoded, 4-bit, 16-bit and unusually laid out BMPs are rejected: decoders read them
 * wrongly and report no error.
 */
import { E } from '@publishing-service/domain/fp'
import { bytes, unreadableHeader, type HeaderReader } from './header-reader.js'

const fileHeaderLength = 14
/** BITMAPINFOHEADER, and its versions 2 to 5. */
const headerLengths: ReadonlySet<number> = new Set([40, 52, 56, 108, 124])
const uncompressed = 0
const bitFields = 3
const depths: ReadonlySet<number> = new Set([1, 8, 24, 32])
const unsupportedKind = E.left(
  'This kind of BMP (run-length encoded, 4-bit, 16-bit or of an old layout) is not supported.',
)

/** Size of the file and reserved bytes, between the signature and the offset of the pixels. */
const unreadLength = 8

export function* readBmpHeader(): HeaderReader {
  const head = yield bytes(44, unreadLength)
  const pixels = head.getUint32(0, true)
  const headerLength = head.getUint32(4, true)
  const width = head.getInt32(8, true)
  const height = Math.abs(head.getInt32(12, true))
  if (width <= 0) return unreadableHeader
  const depth = head.getUint16(18, true)
  const compression = head.getUint32(20, true)
  const declaredColours = head.getUint32(36, true)
  const colours = depth <= 8 && declaredColours === 0 ? 2 ** depth : declaredColours
  const masks = headerLength === 40 && compression === bitFields ? 12 : 0
  const supported =
    headerLengths.has(headerLength) &&
    depths.has(depth) &&
    (compression === uncompressed || (compression === bitFields && depth === 32)) &&
    colours <= 256 &&
    // The decoder starts after header and palette and ignores the declared offset.
    pixels === fileHeaderLength + headerLength + masks + colours * 4
  if (!supported) return unsupportedKind
  return E.right({
    mimetype: 'image/bmp',
    width,
    height,
    orientation: 1,
    leastBytes: pixels + height * Math.ceil((width * depth) / 32) * 4,
  })
}
