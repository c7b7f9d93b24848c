/**
 * How a job goes to the process that does it, and its answers back: a head of fixed length, and behind it bytes. Both
 * ends are on the same machine, so numbers are in its own order.
 */
import type { Size } from '@publishing-service/domain'

export type ScaleJob = {
  /** Of the original. */
  readonly bytes: number
  /** Where the process is to read it; empty where it is handed over, behind the head. */
  readonly file: string
  /** The size asked for, of the upright picture. */
  readonly size: Size
  /** The limit that the deployment sets for a job; how much of it this one may take goes by its data. */
  readonly mebibytes: number
}

/**
 * What comes of a job; its place in this list stands for it on the way. Behind the first is the picture, behind the
 * next two the reason, for a client. The last two are said of a file: that it has been read, before its job goes on, or
 * that so many bytes can't be read there, which ends it.
 */
export const scaleOutcomes = ['scaled', 'unreadable', 'out of memory', 'read', 'not there'] as const

export type ScaleOutcome = (typeof scaleOutcomes)[number]

/** The file descriptor of the connection, in the process that scales. */
export const connection = 3

const headOf = (...numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Float64Array.from(numbers).buffer)

const numbersOf = (head: Uint8Array): Float64Array => new Float64Array(Uint8Array.from(head).buffer)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const jobMessage = ({ bytes, file, size, mebibytes }: ScaleJob): Uint8Array => {
  const path = encoder.encode(file)
  return Buffer.concat([headOf(bytes, size.width, size.height, mebibytes, path.length), path])
}

const jobHeadBytes = 40

/** `read` gives so many bytes, or null where no more come; so does this. */
export const readJob = (read: (bytes: number) => Uint8Array | null): ScaleJob | null => {
  const head = read(jobHeadBytes)
  if (head === null) return null
  const [bytes = 0, width = 0, height = 0, mebibytes = 0, pathBytes = 0] = numbersOf(head)
  const path = read(pathBytes)
  return path && { bytes, file: decoder.decode(path), size: { width, height }, mebibytes }
}

export const answerHead = (outcome: ScaleOutcome, bytes: number): Uint8Array =>
  headOf(scaleOutcomes.indexOf(outcome), bytes)

export const answerHeadBytes = 16

/** The outcome and how many bytes follow. */
export const readAnswerHead = (
  head: Uint8Array,
): { readonly outcome: ScaleOutcome; readonly bytes: number } => {
  const [at = -1, bytes = 0] = numbersOf(head)
  const outcome = scaleOutcomes[at]
  if (outcome === undefined) throw new RangeError(`no outcome has the number ${at}`)
  return { outcome, bytes }
}
