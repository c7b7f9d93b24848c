/**
 * Estimates the peak memory of libvips for a job from the header alone, so that an image that needs too much is
 * rejected before anything is allocated. Most images are streamed; some are decoded as a whole.
 */
import type { Size } from '@publishing-service/domain/images'
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

/** In mebibytes. `size` is the requested size of the upright image. */
export const jobMemoryMb = (header: ImageHeader, dataBytes: number, size: Size): number => {
  const streaming = header.width * rowsInPipeline * 4
  // Rotating and encoding need the whole scaled image.
  const scaled = size.width * size.height * 12
  return Math.ceil((decodingBytes(header) + streaming + scaled + dataBytes) / mebibyte)
}
