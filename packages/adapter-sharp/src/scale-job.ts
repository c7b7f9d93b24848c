/**
 * How a job goes to the process that does it, and its answer back: a head of fixed length, and behind it the bytes.
 * Both ends are on the same machine, so numbers are in its own order.
 */
import type { Size } from '@publishing-service/domain'

export type ScaleJob = {
  /** Of the original, which comes behind the head. */
  readonly bytes: number
  /** The size asked for, of the upright picture. */
  readonly size: Size
  /** The limit that the deployment sets for a job; how much of it this one may take goes by its data. */
  readonly mebibytes: number
}

/**
 * What comes of a job; its place in this list stands for it on the way. Behind the first is the picture, behind the
 * others the reason, for a client.
 */
export const scaleOutcomes = ['scaled', 'unreadable', 'out of memory'] as const

export type ScaleOutcome = (typeof scaleOutcomes)[number]

/** The file descriptor of the connection, in the process that scales. */
export const connection = 3

const headOf = (...numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Float64Array.from(numbers).buffer)

const numbersOf = (head: Uint8Array): Float64Array => new Float64Array(Uint8Array.from(head).buffer)

export const jobHead = ({ bytes, size, mebibytes }: ScaleJob): Uint8Array =>
  headOf(bytes, size.width, size.height, mebibytes)

export const jobHeadBytes = 32

export const readJobHead = (head: Uint8Array): ScaleJob => {
  const [bytes = 0, width = 0, height = 0, mebibytes = 0] = numbersOf(head)
  return { bytes, size: { width, height }, mebibytes }
}

export const answerHead = (outcome: ScaleOutcome, bytes: number): Uint8Array =>
  headOf(scaleOutcomes.indexOf(outcome), bytes)

export const answerHeadBytes = 16

/** The outcome and how many bytes follow; of more than a head its beginning counts. */
export const readAnswerHead = (
  head: Uint8Array,
): { readonly outcome: ScaleOutcome; readonly bytes: number } => {
  const [at = -1, bytes = 0] = numbersOf(head.subarray(0, answerHeadBytes))
  const outcome = scaleOutcomes[at]
  if (outcome === undefined) throw new RangeError(`no outcome has the number ${at}`)
  return { outcome, bytes }
}
