export type Size = { readonly width: number; readonly height: number }

/** Whether both sides are positive integers. */
export const isSize = ({ width, height }: Size): boolean =>
  Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0

/** The maximum width and height that a download requests, in pixels; null for a side without a limit. */
export type Box = { readonly w: number | null; readonly h: number | null }

export const maxBoxSide = 10_000

/**
 * The sides of a box in requests without a token, in pixels. Each side is rounded up to the next of these. This limits
 * the scaled images that such requests can create of one image to twice the length of this list.
 */
export const boxSides: readonly number[] = [
  40,
  80,
  120,
  160,
  240,
  320,
  480,
  640,
  800,
  960,
  1280,
  1600,
  1920,
  2560,
  3840,
  5120,
  7680,
  maxBoxSide,
]

/** The next of `boxSides`. */
export const nextSide = (side: number): number => boxSides.find((each) => each >= side) ?? maxBoxSide

/** The box with each side rounded up to the next of `boxSides`; a side without a limit stays so. */
export const roundedBox = ({ w, h }: Box): Box => ({
  w: w === null ? null : nextSide(w),
  h: h === null ? null : nextSide(h),
})

/** The size that fits the box in the image's proportions; null if the image already fits. Images are never enlarged. */
export const scaledSize = ({ width, height }: Size, { w, h }: Box): Size | null => {
  const ratio = Math.min((w ?? width) / width, (h ?? height) / height)
  if (ratio >= 1) return null
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}

// Which derivatives are stored (docs/behaviour/files.md#derivatives).

export type StoredDerivative = {
  readonly key: string
  /** Milliseconds since 1970 */
  readonly lastUsed: number
}

/** Those that have to go so that `most` are left: the ones that were used least recently. */
export const surplusDerivatives = (
  stored: readonly StoredDerivative[],
  most: number,
): readonly StoredDerivative[] =>
  stored.length <= most
    ? []
    : stored.toSorted((one, other) => one.lastUsed - other.lastUsed).slice(0, stored.length - most)

// What may be scaled, and the resources that a job may use (docs/behaviour/files.md#not-scalable).

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
  derivatives: 100,
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
