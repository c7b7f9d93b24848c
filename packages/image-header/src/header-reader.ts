/**
 * Readers of headers request the few bytes that they read and skip others, so that data of any size is read as it
 * streams by, in the memory of one such piece.
 */
import { E, type Either } from '@publishing-service/domain'

/** The longest piece that a reader may request, in bytes. */
export const longestPiece = 65_536

type Request<A> = {
  readonly skip: number
  readonly take: number
  /** The result if the data ends before these bytes; null if that is an error. */
  readonly enough: A | null
}

/** Yields which bytes it reads next and receives them. Returns what it read, or the reason why it could not. */
export type HeaderReader<A> = Generator<Request<A>, Either<string, A>, DataView>

/** The next `count` bytes, after `skip` others. */
export function* take<A>(
  count: number,
  skip = 0,
  enough: A | null = null,
): Generator<Request<A>, DataView, DataView> {
  return yield { skip, take: Math.min(count, longestPiece), enough }
}

/** A running reader. */
export type Reading<A> = {
  /** Reads the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether more bytes would change nothing. */
  readonly isDone: () => boolean
  /** The result, where the data ends here. */
  readonly end: () => Either<string, A>
}

/** Runs a reader over data that arrives in chunks; `broken` is the reason for data that ends too early. */
export const startReading = <A>(reader: HeaderReader<A>, broken: string): Reading<A> => {
  const piece = new Uint8Array(longestPiece)
  let filled = 0
  let passed = 0
  let step = reader.next()
  const resume = (): void => {
    // A copy: readers keep the piece while the next one is filled.
    step = reader.next(new DataView(piece.slice(0, filled).buffer))
    filled = 0
    passed = 0
  }
  return {
    push: (chunk) => {
      let at = 0
      while (step.done !== true && at < chunk.length) {
        const { skip, take: requested } = step.value
        const over = Math.min(skip - passed, chunk.length - at)
        passed += over
        at += over
        const taken = Math.min(requested - filled, chunk.length - at)
        piece.set(chunk.subarray(at, at + taken), filled)
        filled += taken
        at += taken
        if (filled === requested && passed === skip) resume()
      }
    },
    isDone: () => step.done === true,
    end: () => {
      if (step.done === true) return step.value
      return step.value.enough === null ? E.left(broken) : E.right(step.value.enough)
    },
  }
}
