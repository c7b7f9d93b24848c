/**
 * How many bytes a job will need at its peak, told from the header alone, so that a picture that asks for too much is
 * refused before anything is allocated. A worker's own heap limit can't do that: V8 counts no pixel buffers, and a
 * heap that overflows in one large step ends the whole process.
 */
import type { ImageHeader, PictureFormat } from './image-header.js'

/** Bytes for each pixel of the scaled picture while it is encoded; a GIF's quantizer keeps objects for each. */
const encodingBytes: Readonly<Record<PictureFormat, number>> = {
  'image/jpeg': 40,
  'image/png': 16,
  'image/gif': 240,
  'image/bmp': 12,
}

const mebibyte = 2 ** 20

/** A worker with the decoders loaded, and what its garbage collector leaves lying for a while. */
const workerMb = 64

/** In mebibytes; `size` is that of the upright picture asked for. */
export const jobMemoryMb = (
  header: ImageHeader,
  size: { readonly width: number; readonly height: number },
): number => {
  const decoded = header.width * header.height * 4
  const scaledPixels = size.width * size.height
  const storedWidth = header.orientation >= 5 ? size.height : size.width
  // The resizer first narrows all rows, with four floats a pixel, and then holds its result twice.
  const resizing = storedWidth * header.height * 16 + scaledPixels * 8
  const encoding = scaledPixels * encodingBytes[header.mimetype]
  return workerMb + Math.ceil((decoded + Math.max(header.decodingBytes, resizing, encoding)) / mebibyte)
}
