/** What may be scaled, and what a job may take of the machine (docs/behaviour/files.md#not-scalable). */
import type { Size } from '../file/scaled-size.js'
import { E, type Either } from '../fp.js'
import type { ImageHeader } from './image-header.js'
import { readImageHeader } from './read-image-header.js'
import { tooManyParts } from './too-many-parts.js'

export type ImageLimits = {
  /** Pixels of the largest image that is scaled. */
  readonly pixels: number
  /** Scaled images that are kept of one file. */
  readonly derivatives: number
  /** Images that may wait to be scaled. */
  readonly queue: number
  /** The part of these waiting places that one client may hold; at least one place. */
  readonly clientShare: number
}

/** What one job may take. */
export type JobLimits = {
  readonly milliseconds: number
  readonly mebibytes: number
}

export const defaultImageLimits: ImageLimits = {
  pixels: 100_000_000,
  derivatives: 50,
  queue: 64,
  clientShare: 1 / 4,
}

/** Waiting places that one client may hold. */
export const placesOfClient = ({ queue, clientShare }: ImageLimits): number =>
  Math.max(1, Math.floor(queue * clientShare))

const megapixels = (pixels: number): string => String(Math.round(pixels / 10_000) / 100)

/** Why an image of this size isn't scaled, for a client; null where it is. */
export const tooManyPixels = ({ width, height }: Size, limits: ImageLimits): string | null =>
  width * height > limits.pixels
    ? `The image has ${width} × ${height} pixels; the limit is ${megapixels(limits.pixels)} megapixels.`
    : null

export const brokenPixels = 'The image is broken or cut short: its pixels cannot be read.'

const mebibyte = 2 ** 20
/** A drawing of ten megapixels can be a few kilobytes, and is scaled in this. */
const anyJobMb = 192
/** Beyond, for each mebibyte of data: photographs take a tenth of it, data that were made to fill memory far more. */
const mbForEachMb = 128

type MemoryLimit = Pick<JobLimits, 'mebibytes'>

/** Mebibytes of memory that a job over so many bytes of data may take. */
export const memoryAllowance = ({ mebibytes }: MemoryLimit, bytes: number): number =>
  Math.min(mebibytes, Math.floor(anyJobMb + (bytes / mebibyte) * mbForEachMb))

const tooLarge = (needed: number, bytes: number, allowed: number): string =>
  `Scaling the image would take ${needed} MB of memory; the limit for its ${bytes} bytes is ${allowed} MB.`

/** Why data of so many bytes aren't read at all, for a client; null where they are: a job holds them as a whole. */
export const tooManyBytes = (bytes: number, limits: MemoryLimit): string | null => {
  const [needed, allowed] = [Math.ceil(bytes / mebibyte), memoryAllowance(limits, bytes)]
  return needed > allowed ? tooLarge(needed, bytes, allowed) : null
}

/**
 * The header of data that may be scaled: they can hold the pixels that they announce, and the job would take no more
 * memory than it may. On the left why not, for a client.
 */
export const scalableHeader = (
  data: Uint8Array,
  limits: MemoryLimit,
  memoryMb: (header: ImageHeader) => number,
): Either<string, ImageHeader> => {
  const read = readImageHeader(data)
  if (E.isLeft(read)) return read
  const header = read.right
  if (data.length < header.leastBytes) return E.left(brokenPixels)
  const excess = tooManyParts(header, data)
  if (excess !== null) return E.left(excess)
  const needed = memoryMb(header)
  const allowed = memoryAllowance(limits, data.length)
  return needed > allowed ? E.left(tooLarge(needed, data.length, allowed)) : read
}

/** Why a job that passed its time has no picture, for a client. */
export const tookTooLong = ({ milliseconds }: JobLimits): string =>
  `Scaling the image took longer than ${milliseconds / 1000} seconds.`

/** Why a job that passed its memory has no picture, for a client. */
export const tookTooMuch = (mebibytes: number): string =>
  `Scaling the image took more than ${mebibytes} MB of memory.`
