/**
 * Reduces a PNG to the chunks that its pixels need: no metadata, no trailing bytes, the pixels in one chunk. Checksums
 * are verified here, in native code. Returns `undefined` if the data is damaged or truncated before the end of the pixels.
 */
import { crc32, inflateSync } from 'node:zlib'
import { pngRowBytes } from '@publishing-service/image-header'

const signatureLength = 8
const chunkHeaderBytes = 8
const chunkOverhead = 12
const neededChunks: readonly string[] = ['IHDR', 'PLTE', 'tRNS']

type Chunk = { readonly type: string; readonly whole: Buffer; readonly content: Buffer }

// A PNG may have a million chunks of a byte each, and pngjs would store an object for each.
function* chunks(png: Buffer): Generator<Chunk | undefined> {
  let at = signatureLength
  while (at + chunkOverhead <= png.length) {
    const length = png.readUInt32BE(at)
    const end = at + chunkOverhead + length
    if (end > png.length) return yield undefined
    const type = png.toString('latin1', at + 4, at + 8)
    const content = png.subarray(at + 8, at + 8 + length)
    if (crc32(png.subarray(at + 4, at + 8 + length)) !== png.readUInt32BE(end - 4)) return yield undefined
    yield { type, whole: png.subarray(at, end), content }
    if (type === 'IEND') return
    at = end
  }
  yield undefined
}

export const pngChunk = (type: string, content: Buffer): Buffer => {
  const whole = Buffer.allocUnsafe(content.length + chunkOverhead)
  whole.writeUInt32BE(content.length, 0)
  whole.write(type, 4, 'latin1')
  content.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, content.length + 8)), content.length + 8)
  return whole
}

/** Some encoders pad the pixel data. */
const maxPaddingBytes = 65_536

/**
 * Whether the data inflates to all rows of the image, and to not much more. pngjs fills missing rows with uninitialized
 * memory, which would be disclosed to clients, and inflates an interlaced image without a limit.
 */
const inflatesToAllRows = (pixels: Buffer, header: Buffer): boolean => {
  const needed = pngRowBytes(
    new DataView(header.buffer, header.byteOffset + chunkHeaderBytes, header.length - chunkOverhead),
  )
  if (needed === undefined) return false
  try {
    return inflateSync(pixels, { maxOutputLength: needed + maxPaddingBytes }).length >= needed
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

export const pngCriticalChunks = (png: Buffer): Buffer | undefined => {
  const head: Buffer[] = []
  const pixels = Buffer.allocUnsafe(png.length)
  let pixelBytes = 0
  for (const each of chunks(png)) {
    // Only the checks below decide whether there are pixels: what follows them may be missing or damaged.
    if (each === undefined) break
    if (each.type === 'IDAT') pixelBytes += each.content.copy(pixels, pixelBytes)
    else if (neededChunks.includes(each.type) && head.length < neededChunks.length) head.push(each.whole)
  }
  const packed = pixels.subarray(0, pixelBytes)
  const [header] = head
  if (header === undefined || !inflatesToAllRows(packed, header)) return undefined
  return Buffer.concat([
    png.subarray(0, signatureLength),
    ...head,
    pngChunk('IDAT', packed),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
