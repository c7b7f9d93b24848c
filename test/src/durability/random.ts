/** Chance for tests that can be run again with the same: a generator of pseudo-random numbers under a seed. */
export type Random = {
  /** A whole number from 0 to one below `limit`. */
  readonly below: (limit: number) => number
  readonly bytes: (length: number) => Buffer
}

/** Marsaglia’s xorshift on 32 bits; the seed is any whole number. */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  return {
    below: (limit) => next() % limit,
    bytes: (length) => {
      const words = new Uint32Array(Math.ceil(length / 4))
      for (let index = 0; index < words.length; index += 1) words[index] = next()
      return Buffer.from(words.buffer, 0, length)
    },
  }
}
