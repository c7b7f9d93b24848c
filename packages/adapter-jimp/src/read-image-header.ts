/**
 * Reads format, size and orientation from the data's own header, never by decoding it. Whatever the bytes are, it
 * answers in bounded time, reads only inside them and throws nothing.
 */
import { E, type Either } from '@publishing-service/domain'
import type { ImageUnreadable } from '@publishing-service/ports'
import { readBmpHeader } from './bmp-header.js'
import { readGifHeader } from './gif-header.js'
import { brokenHeader, type HeaderReader, type ImageHeader, refused } from './image-header.js'
import { readJpegHeader } from './jpeg-header.js'
import { readPngHeader } from './png-header.js'

type Format = { readonly signature: readonly number[]; readonly read: HeaderReader }

const formats: readonly Format[] = [
  { signature: [0xff, 0xd8, 0xff], read: readJpegHeader },
  { signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], read: readPngHeader },
  { signature: [0x47, 0x49, 0x46, 0x38], read: readGifHeader },
  { signature: [0x42, 0x4d], read: readBmpHeader },
]

const unknownFormat = 'The data is not an image in a known format (JPEG, PNG, GIF or BMP).'

// image-size and its like were tried first: its JPEG walk goes byte by byte over data that is no JPEG and holds up
// the event loop for two seconds on 20 MB, and none of them tells what decoding will cost.
export const readImageHeader = (data: Uint8Array): Either<ImageUnreadable, ImageHeader> => {
  const format = formats.find(({ signature }) => signature.every((byte, at) => data[at] === byte))
  if (format === undefined) return refused(unknownFormat)
  try {
    const header = format.read(new DataView(data.buffer, data.byteOffset, data.byteLength))
    return E.isRight(header) && (header.right.width === 0 || header.right.height === 0)
      ? refused(brokenHeader)
      : header
  } catch (error) {
    if (error instanceof RangeError) return refused(brokenHeader)
    throw error
  }
}
