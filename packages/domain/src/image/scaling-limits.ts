/** What may be scaled, and the resources that a job may use (docs/behaviour/files.md#not-scalable). */
import type { Size } from './scaled-size.js'

export type ImageLimits = {
  /** Pixels of the largest image that is scaled. */
  readonly pixels: number
  /** The number of stored scaled images of one file. */
  readonly derivatives: number
  /** Images that may wait to be scaled. */
  readonly queue: number
  /** The share of the queue that one client may use; at least one job. */
  readonly clientShare: number
  /** New scaled images in a window of rate limits, for an address without a token. */
  readonly newForAddress: number
}

/** Seconds for which a job waits for the share of its client before it is rejected. */
export const shareWait = 15

/** Jobs that may wait for the shares of their clients: requests that hold a connection, without data. */
export const maxWaitingForShare = 1000

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
  newForAddress: 120,
}

/** The number of queued jobs of one client. */
export const queuedJobsOfClient = ({ queue, clientShare }: ImageLimits): number =>
  Math.max(1, Math.floor(queue * clientShare))

const megapixels = (pixels: number): string => String(Math.round(pixels / 10_000) / 100)

/** Why an image of this size isn't scaled, for a client; null where it is. */
export const tooManyPixels = ({ width, height }: Size, limits: ImageLimits): string | null =>
  width * height > limits.pixels
    ? `The image has ${width} × ${height} pixels; the limit is ${megapixels(limits.pixels)} megapixels.`
    : null

export const unreadablePixels = 'The image is broken or cut short: its pixels cannot be read.'

const mebibyte = 2 ** 20
/** A drawing of ten megapixels can be a few kilobytes, and is scaled in this. */
const anyJobMb = 192
/** Beyond, for each mebibyte of data: photographs take a tenth of it, data that were made to fill memory far more. */
const mbForEachMb = 128

export type MemoryLimit = Pick<JobLimits, 'mebibytes'>

/** Mebibytes of memory that a job over so many bytes of data may take. */
export const memoryAllowance = ({ mebibytes }: MemoryLimit, bytes: number): number =>
  Math.min(mebibytes, Math.floor(anyJobMb + (bytes / mebibyte) * mbForEachMb))

/** Why a job that needs so many mebibytes for data of so many bytes isn't run, for a client; null where it is. */
export const tooMuchMemory = (needed: number, bytes: number, limits: MemoryLimit): string | null => {
  const allowed = memoryAllowance(limits, bytes)
  return needed > allowed
    ? `Scaling the image would take ${needed} MB of memory; the limit for its ${bytes} bytes is ${allowed} MB.`
    : null
}

/** Why data of so many bytes isn't read at all, for a client; null where it is: a job stores all of it in memory. */
export const tooManyBytes = (bytes: number, limits: MemoryLimit): string | null =>
  tooMuchMemory(Math.ceil(bytes / mebibyte), bytes, limits)

/** Why a job that passed its time has no picture, for a client. */
export const tookTooLong = ({ milliseconds }: JobLimits): string =>
  `Scaling the image took longer than ${milliseconds / 1000} seconds.`

/** Why a job that passed its memory has no picture, for a client. */
export const tookTooMuch = (mebibytes: number): string =>
  `Scaling the image took more than ${mebibytes} MB of memory.`
