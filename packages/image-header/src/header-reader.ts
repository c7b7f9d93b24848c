/**
 * Readers of headers ask for the few bytes that they look at and say how many they pass over, so that data of any size
 * is read as it streams by, in the memory of one such piece.
 */
import { E, type Either } from '@publishing-service/domain'

/** The longest piece that a reader may ask for, in bytes. */
export const longestPiece = 65_536

type Want<A> = {
  readonly skip: number
  readonly take: number
  /** What was read, should the data end before these bytes. */
  readonly enough: A | null
}

/** Yields what it wants next and is given just that; what it returns is what it read, or why that can't be had. */
export type HeaderReader<A> = Generator<Want<A>, Either<string, A>, DataView>

/** The next `count` bytes, behind `skip` others. */
export function* take<A>(
  count: number,
  skip = 0,
  enough: A | null = null,
): Generator<Want<A>, DataView, DataView> {
  return yield { skip, take: Math.min(count, longestPiece), enough }
}

/** A reader at work. */
export type Reading<A> = {
  /** Takes the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether more bytes would change nothing. */
  readonly isDone: () => boolean
  /** What was read, where the data ends here. */
  readonly end: () => Either<string, A>
}

/** Runs a reader over data that comes in chunks; `broken` is the reason for data that ends too early. */
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
        const { skip, take: wanted } = step.value
        const over = Math.min(skip - passed, chunk.length - at)
        passed += over
        at += over
        const taken = Math.min(wanted - filled, chunk.length - at)
        piece.set(chunk.subarray(at, at + taken), filled)
        filled += taken
        at += taken
        if (filled === wanted && passed === skip) resume()
      }
    },
    isDone: () => step.done === true,
    end: () => {
      if (step.done === true) return step.value
      return step.value.enough === null ? E.left(broken) : E.right(step.value.enough)
    },
  }
}
