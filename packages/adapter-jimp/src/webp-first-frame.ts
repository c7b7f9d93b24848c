/**
 * Reduces a WebP to a still image with the chunks that its pixels need (RFC 9649). Of an animation, that is the first
 * frame with its position on the canvas. Returns `undefined` if the data is damaged or truncated.
 */
import type { Size } from '@publishing-service/domain/images'

export type StillWebp = {
  readonly data: Buffer
  readonly left: number
  readonly top: number
  readonly canvas: Size
}

type Chunk = { readonly type: string; readonly content: Buffer; readonly whole: Buffer }

const headLength = 8
const riffLength = 12
const frameHeadLength = 16
const alphaFlag = 0x10
const pixelTypes: readonly string[] = ['VP8 ', 'VP8L']

function* chunks(data: Buffer): Generator<Chunk | undefined> {
  let at = 0
  while (at < data.length) {
    const length = at + headLength <= data.length ? data.readUInt32LE(at + 4) : Infinity
    const end = at + headLength + length
    if (end > data.length) return yield undefined
    yield {
      type: data.toString('latin1', at, at + 4),
      content: data.subarray(at + headLength, end),
      whole: data.subarray(at, end + (length % 2)),
    }
    at = end + (length % 2)
  }
}

/** The first chunk of one of these types, if all chunks before it are complete. */
const firstOf = (data: Buffer, types: readonly string[]): Chunk | undefined => {
  for (const each of chunks(data)) {
    if (each === undefined) return undefined
    if (types.includes(each.type)) return each
  }
  return undefined
}

export const riffChunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(headLength)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** The chunk VP8X, which states the size of the canvas and which other chunks exist. */
export const webpCanvas = (size: Size, flags: number): Buffer => {
  const content = Buffer.alloc(10)
  content.writeUInt8(flags)
  content.writeUIntLE(size.width - 1, 4, 3)
  content.writeUIntLE(size.height - 1, 7, 3)
  return riffChunk('VP8X', content)
}

const still = (size: Size, pixels: Chunk, alpha: Chunk | undefined): Buffer => {
  const parts =
    alpha === undefined
      ? [riffChunk(pixels.type, pixels.content)]
      : [
          webpCanvas(size, alphaFlag),
          riffChunk('ALPH', alpha.content),
          riffChunk(pixels.type, pixels.content),
        ]
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]))
}

const pixelsIn = (data: Buffer, size: Size): Buffer | undefined => {
  const pixels = firstOf(data, pixelTypes)
  if (pixels === undefined) return undefined
  const alpha = pixels.type === 'VP8 ' ? firstOf(data, ['ALPH', 'VP8 ']) : undefined
  return still(size, pixels, alpha?.type === 'ALPH' ? alpha : undefined)
}

/** `canvas` is the size in the header. */
export const webpFirstFrame = (data: Buffer, canvas: Size): StillWebp | undefined => {
  const body = data.subarray(riffLength)
  const first = firstOf(body, ['ANMF', ...pixelTypes])
  if (first === undefined) return undefined
  if (first.type !== 'ANMF') {
    const pixels = pixelsIn(body, canvas)
    return pixels && { data: pixels, left: 0, top: 0, canvas }
  }
  const { content } = first
  if (content.length < frameHeadLength) return undefined
  const left = content.readUIntLE(0, 3) * 2
  const top = content.readUIntLE(3, 3) * 2
  const size = { width: content.readUIntLE(6, 3) + 1, height: content.readUIntLE(9, 3) + 1 }
  if (left + size.width > canvas.width || top + size.height > canvas.height) return undefined
  const pixels = pixelsIn(content.subarray(frameHeadLength), size)
  return pixels && { data: pixels, left, top, canvas }
}
