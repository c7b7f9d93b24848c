/**
 * How many bytes libvips will hold for a job at its peak, told from the header alone, so that a picture that asks for
 * too much is refused before anything is allocated. Most pictures stream through it; some have to be there as a whole.
 */
import type { Size } from '@publishing-service/domain'
import type { ImageHeader } from '@publishing-service/image-header'

/** A block of coefficients, two bytes each. */
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

/** Bands of rows on their way through the pipeline, of the width of the picture. */
const rowsUnderWay = 512

const mebibyte = 2 ** 20

/** In mebibytes; `size` is that of the upright picture asked for. */
export const jobMemoryMb = (header: ImageHeader, dataBytes: number, size: Size): number => {
  const streaming = header.width * rowsUnderWay * 4
  // Turning needs the whole of the scaled picture, and so does encoding.
  const scaled = size.width * size.height * 12
  return Math.ceil((decodingBytes(header) + streaming + scaled + dataBytes) / mebibyte)
}
