import { unreadablePixels, tooMuchMemory, type MemoryLimit } from '@publishing-service/domain/images'
import type { ImageHeader } from './image-header.js'
import { tooManyParts } from './too-many-parts.js'

/**
 * Why data with this header is not scaled, for a client; null if the data can contain the pixels that the header states,
 * and the job, which needs so many mebibytes, needs no more than it may use.
 */
export const scalingRefusal = (
  header: ImageHeader,
  data: Uint8Array,
  limits: MemoryLimit,
  neededMb: number,
): string | null =>
  data.length < header.leastBytes
    ? unreadablePixels
    : (tooManyParts(header, data) ?? tooMuchMemory(neededMb, data.length, limits))
