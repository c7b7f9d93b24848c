import { E, type Either } from '@publishing-service/domain/fp'
import { unreadablePixels, tooMuchMemory, type MemoryLimit } from '@publishing-service/domain/images'
import type { ImageHeader } from './image-header.js'
import { readImageHeader } from './read-image-header.js'
import { tooManyParts } from './too-many-parts.js'

/**
 * The header of data that may be scaled: the data can contain the pixels that the header states, and the job needs no
 * more memory than it may use. On the left why not, for a client.
 */
export const scalableHeader = (
  data: Uint8Array,
  limits: MemoryLimit,
  memoryMb: (header: ImageHeader) => number,
): Either<string, ImageHeader> =>
  E.chain((header: ImageHeader) => {
    if (data.length < header.leastBytes) return E.left(unreadablePixels)
    const excess = tooManyParts(header, data) ?? tooMuchMemory(memoryMb(header), data.length, limits)
    return excess === null ? E.right(header) : E.left(excess)
  })(readImageHeader(data))
