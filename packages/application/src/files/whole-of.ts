import { E } from '@publishing-service/domain'
import { isPortFailure } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'

/** All of a body whose length is known. */
export const wholeOf =
  (chunks: AsyncIterable<Uint8Array>, bytes: number): Outcome<Uint8Array> =>
  async () => {
    const whole = new Uint8Array(bytes)
    let offset = 0
    try {
      for await (const chunk of chunks) {
        whole.set(chunk, offset)
        offset += chunk.length
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return E.right(whole)
  }
