/** WebP with libwebp in WebAssembly. Jimp's plugin uses the same module but finds its files only in browsers. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import decode, { init as initDecoder } from '@jsquash/webp/decode.js'
import encode, { init as initEncoder } from '@jsquash/webp/encode.js'
import { encoderQuality } from '@publishing-service/domain/images'
import type { Bitmap, PictureCodec } from './picture.js'
import { webpFirstFrame, type StillWebp } from './webp-first-frame.js'

/** The decoder constructs its result with `ImageData`, which Node lacks. */
class PixelData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

const moduleAt = async (path: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(path)))

/** Draws the frame at its position on a transparent canvas. */
const onCanvas = (frame: Bitmap, { left, top, canvas }: StillWebp): Bitmap => {
  if (frame.width === canvas.width && frame.height === canvas.height) return frame
  const data = Buffer.alloc(canvas.width * canvas.height * 4)
  for (let y = 0; y < frame.height; y += 1)
    frame.data.copy(
      data,
      ((top + y) * canvas.width + left) * 4,
      y * frame.width * 4,
      (y + 1) * frame.width * 4,
    )
  return { data, ...canvas }
}

export const webpCodec = async (): Promise<PictureCodec> => {
  Object.assign(globalThis, { ImageData: PixelData })
  await initDecoder(await moduleAt('@jsquash/webp/codec/dec/webp_dec.wasm'))
  await initEncoder(await moduleAt('@jsquash/webp/codec/enc/webp_enc.wasm'))
  return {
    decode: async (data, { width, height }) => {
      const still = webpFirstFrame(data, { width, height })
      if (still === undefined) return undefined
      const copy = new Uint8Array(still.data)
      const frame: PixelData = await decode(copy.buffer)
      const { buffer, byteOffset, byteLength } = frame.data
      return onCanvas(
        { data: Buffer.from(buffer, byteOffset, byteLength), width: frame.width, height: frame.height },
        still,
      )
    },
    encode: async ({ data, width, height }, { quality }) => {
      const pixels = new PixelData(
        new Uint8ClampedArray(data.buffer, data.byteOffset, data.length),
        width,
        height,
      )
      const options = { quality: encoderQuality('image/webp', quality) }
      return Buffer.from(await encode({ ...pixels, colorSpace: 'srgb' }, options))
    },
  }
}
