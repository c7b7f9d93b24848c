/** Small files to upload. */
import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, content: Uint8Array): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

/** A grey PNG of this size. */
export const pngOf = (width: number, height: number): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 0x80)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The width and height in a PNG’s header. */
export const pngSize = (data: Uint8Array): { readonly width: number; readonly height: number } => {
  const view = Buffer.from(data)
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
}

export const smallPng = pngOf(40, 30)
export const someAudio: Uint8Array = Buffer.from('ID3 not really music')
export const someText: Uint8Array = Buffer.from('Just a text, ünï.')
