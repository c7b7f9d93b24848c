/** A generator of pseudo-random numbers with a seed, so that a run can be repeated. */
export type Random = {
  /** An integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  readonly bytes: (length: number) => Buffer
}

/** Marsaglia’s xorshift with 32 bits. The seed is any integer. */
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
