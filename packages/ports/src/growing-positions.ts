/**
 * Positions of new documents: microseconds since 1970, from the milliseconds of a clock. Each is greater than all before,
 * even if the clock is set back. Two processes rarely have the same; stores tell these apart.
 */
export const growingPositions = (now: () => number): (() => number) => {
  let last = 0
  return () => (last = Math.max(last + 1, Math.floor(now() * 1000)))
}
