/**
 * Estimates the peak memory of a job from the header alone, so that an image that needs too much is rejected before
 * anything is allocated. The heap limit of a worker is not enough: V8 does not count pixel buffers, and a single large
 * allocation beyond the limit ends the whole process.
 */
import type { ImageFormat, Rendering } from '@publishing-service/domain/images'
import type { ImageHeader } from '@publishing-service/image-header'

/** jpeg-js stores each block in a separate array, which is most of the memory of a decoded JPEG. */
const bytesPerJpegBlock = 576

/** Bytes that decoding needs at its peak, in addition to the pixels. Measured on the decoders and rounded up. */
const decodingBytes = (header: ImageHeader, dataBytes: number): number => {
  const pixels = header.width * header.height
  switch (header.mimetype) {
    case 'image/jpeg':
      return header.blocks * bytesPerJpegBlock + pixels * header.components
    case 'image/png':
      // pngjs stores the rows twice (packed and unfiltered). At 16 bits, it stores samples of 2 bytes and of 1 byte.
      return header.rowBytes * 2 + pixels * (header.depth === 16 ? 12 : 4)
    case 'image/gif':
      return pixels
    case 'image/webp':
      // The WebAssembly module stores the pixels twice, and they are copied out of its memory.
      return pixels * 8
    case 'image/bmp':
      return dataBytes
  }
}

/** Bytes for each pixel of the scaled image while it is encoded. The quantizer of GIF stores an object for each. */
const encodingBytes: Readonly<Record<ImageFormat, number>> = {
  'image/jpeg': 40,
  'image/png': 16,
  'image/gif': 240,
  'image/webp': 16,
  'image/bmp': 12,
}

const mebibyte = 2 ** 20

/** A worker with loaded decoders, and garbage that is not collected yet. */
const workerMb = 64

/** In mebibytes. `format` is that of the result. */
export const jobMemoryMb = (
  header: ImageHeader,
  dataBytes: number,
  { size, region }: Rendering,
  format: ImageFormat,
): number => {
  const decoded = header.width * header.height * 4
  const croppedPixels = region === null ? 0 : region.width * region.height
  const scaledPixels = size.width * size.height
  const isTurned = header.orientation >= 5
  const storedWidth = isTurned ? size.height : size.width
  const rows = region === null ? header.height : isTurned ? region.width : region.height
  // The resizer first scales all rows, with four floats for each pixel, and then stores its result twice.
  const resizing = storedWidth * rows * 16 + scaledPixels * 8
  const encoding = scaledPixels * encodingBytes[format]
  const decoding = decodingBytes(header, dataBytes) + dataBytes * 2
  return (
    workerMb + Math.ceil((decoded + croppedPixels * 4 + Math.max(decoding, resizing, encoding)) / mebibyte)
  )
}
