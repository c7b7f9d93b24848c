/**
 * How many bytes a job needs at its peak, estimated from the header alone, so that an image that needs too much is
 * rejected before anything is allocated. A worker's own heap limit can't do that: V8 counts no pixel buffers, and a
 * heap that overflows in one large step ends the whole process.
 */
import type { ImageFormat, Size } from '@publishing-service/domain'
import type { ImageHeader } from '@publishing-service/image-header'

/** jpeg-js stores each block in a separate array, which is most of the memory of a decoded JPEG. */
const bytesPerJpegBlock = 576

/** Bytes that decoding needs at its peak, in addition to the pixels themselves: measured on the decoders, rounded up. */
const decodingBytes = (header: ImageHeader, dataBytes: number): number => {
  const pixels = header.width * header.height
  switch (header.mimetype) {
    case 'image/jpeg':
      return header.blocks * bytesPerJpegBlock + pixels * header.components
    case 'image/png':
      // pngjs holds the rows twice (packed and unfiltered) and, at 16 bits, the pixels in 2 and in 1 byte a sample.
      return header.rowBytes * 2 + pixels * (header.depth === 16 ? 12 : 4)
    case 'image/gif':
      return pixels
    case 'image/webp':
      // The module's own memory holds the pixels twice, and they are copied out of it.
      return pixels * 8
    case 'image/bmp':
      return dataBytes
  }
}

/** Bytes for each pixel of the scaled picture while it is encoded; a GIF's quantizer keeps objects for each. */
const encodingBytes: Readonly<Record<ImageFormat, number>> = {
  'image/jpeg': 40,
  'image/png': 16,
  'image/gif': 240,
  'image/webp': 16,
  'image/bmp': 12,
}

const mebibyte = 2 ** 20

/** A worker with the decoders loaded, and what its garbage collector has not freed yet. */
const workerMb = 64

/** In mebibytes; `size` is that of the upright picture asked for. */
export const jobMemoryMb = (header: ImageHeader, dataBytes: number, size: Size): number => {
  const decoded = header.width * header.height * 4
  const scaledPixels = size.width * size.height
  const storedWidth = header.orientation >= 5 ? size.height : size.width
  // The resizer first narrows all rows, with four floats a pixel, and then holds its result twice.
  const resizing = storedWidth * header.height * 16 + scaledPixels * 8
  const encoding = scaledPixels * encodingBytes[header.mimetype]
  const decoding = decodingBytes(header, dataBytes) + dataBytes * 2
  return workerMb + Math.ceil((decoded + Math.max(decoding, resizing, encoding)) / mebibyte)
}
