/**
 * The same PNG with nothing but what its pixels need: no metadata, no trailing rubbish, the pixels in one chunk.
 * Checksums are verified here, in native code; `undefined` means broken or cut short.
 */
import { crc32, inflateSync } from 'node:zlib'
import { pngRowBytes } from '@publishing-service/image-header'

const signatureLength = 8
const chunkHead = 8
const chunkOverhead = 12
const neededChunks: readonly string[] = ['IHDR', 'PLTE', 'tRNS']

type Chunk = { readonly type: string; readonly whole: Buffer; readonly content: Buffer }

// A million chunks of a byte each are legal, and pngjs would keep an object for every one of them.
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

/** Some writers pad their pixels; more than this is no padding. */
const spare = 65_536

/**
 * Whether the pixels inflate to all of the picture's rows, and to not much more. pngjs fills the rows that are missing
 * with whatever lies in memory, which a client would get to see, and inflates an interlaced picture without a bound.
 */
const inflatesToAllRows = (pixels: Buffer, header: Buffer): boolean => {
  const needed = pngRowBytes(
    new DataView(header.buffer, header.byteOffset + chunkHead, header.length - chunkOverhead),
  )
  if (needed === undefined) return false
  try {
    return inflateSync(pixels, { maxOutputLength: needed + spare }).length >= needed
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
    if (each === undefined) return undefined
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
