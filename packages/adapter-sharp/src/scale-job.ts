/**
 * How a job goes to the process that does it, and its answer back: a head of fixed length, and behind it the bytes.
 * Both ends are on the same machine, so numbers are in its own order.
 */
import type { ImageFormat, Size } from '@publishing-service/domain'

/** What sharp reads and writes; its number in this list stands for it on the way. */
export const scaledFormats = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
] as const satisfies readonly ImageFormat[]

export type ScaledFormat = (typeof scaledFormats)[number]

export type ScaleJob = {
  readonly data: Uint8Array
  readonly format: ScaledFormat
  /** The size asked for, of the upright picture. */
  readonly size: Size
  /** What the job may add to the memory of its process. */
  readonly mebibytes: number
}

/** What comes of a job; its place in this list stands for it on the way. Only a scaled one has bytes. */
export const scaleOutcomes = ['scaled', 'broken', 'out of memory'] as const

export type ScaleOutcome = (typeof scaleOutcomes)[number]

/** The file descriptor of the connection, in the process that scales. */
export const connection = 3

const headOf = (...numbers: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(numbers).buffer)

const numbersOf = (head: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(head).buffer)

const entry = <A>(list: readonly A[], at: number): A => {
  const found = list[at]
  if (found === undefined) throw new RangeError(`nothing has the number ${at}`)
  return found
}

export const jobHead = ({ data, format, size, mebibytes }: ScaleJob): Uint8Array =>
  headOf(data.length, scaledFormats.indexOf(format), size.width, size.height, mebibytes)

export const jobHeadBytes = 20

/** The job but for its data, and how many bytes these have. */
export const readJobHead = (head: Uint8Array): Omit<ScaleJob, 'data'> & { readonly bytes: number } => {
  const [bytes = 0, format = -1, width = 0, height = 0, mebibytes = 0] = numbersOf(head)
  return { bytes, format: entry(scaledFormats, format), size: { width, height }, mebibytes }
}

export const answerHead = (outcome: ScaleOutcome, bytes: number): Uint8Array =>
  headOf(scaleOutcomes.indexOf(outcome), bytes)

export const answerHeadBytes = 8

/** The outcome and how many bytes follow; of more than a head its beginning counts. */
export const readAnswerHead = (
  head: Uint8Array,
): { readonly outcome: ScaleOutcome; readonly bytes: number } => {
  const [outcome = -1, bytes = 0] = numbersOf(head.subarray(0, answerHeadBytes))
  return { outcome: entry(scaleOutcomes, outcome), bytes }
}
