/**
 * Estimates the peak memory of libvips for a job from the header alone, so that an image that needs too much is
 * rejected before anything is allocated. Most images are streamed; some are decoded as a whole.
 */
import type { ImageFormat, MadeFormat, Rendering } from '@publishing-service/domain/images'
import type { ImageHeader } from '@publishing-service/image-header'

/** A block of 64 coefficients of two bytes. */
const bytesPerJpegBlock = 128

const decodingBytes = (header: ImageHeader): number => {
  const pixels = header.width * header.height
  switch (header.mimetype) {
    case 'image/jpeg':
      return header.progressive ? header.blocks * bytesPerJpegBlock : 0
    case 'image/png':
      return header.interlaced ? header.rowBytes : 0
    case 'image/gif':
    case 'image/webp':
    case 'image/bmp':
      return pixels * 8
  }
}

/** Rows of the image that the pipeline processes at once. */
const rowsInPipeline = 512

const mebibyte = 2 ** 20

/** Bytes for each pixel of the scaled image: rotating and encoding need all of it. */
const encodingBytes = (format: ImageFormat | MadeFormat): number => (format === 'image/avif' ? 40 : 12)

/** In mebibytes. `format` is that of the result. */
export const jobMemoryMb = (
  header: ImageHeader,
  dataBytes: number,
  { size }: Rendering,
  format: ImageFormat | MadeFormat,
): number => {
  const streaming = header.width * rowsInPipeline * 4
  const scaled = size.width * size.height * encodingBytes(format)
  return Math.ceil((decodingBytes(header) + streaming + scaled + dataBytes) / mebibyte)
}
