/**
 * An answer's body as chunks. A server that falls silent ends it; a reader who takes his time does not, nor does
 * one who comes late, up to a minute.
 */
import type { Readable } from 'node:stream'
import { minioFailure, noAnswer } from './minio-failure.js'

const longestWaitForReader = 60_000

/** Throws a PortFailure where the connection breaks, and frees the connection however it ends. */
export const readBody = (body: Readable, patience: number): AsyncIterable<Uint8Array> => {
  const unread = setTimeout(() => body.destroy(), longestWaitForReader)
  unread.unref()
  body.once('close', () => clearTimeout(unread))

  async function* chunks(): AsyncGenerator<Uint8Array> {
    clearTimeout(unread)
    const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    try {
      for (;;) {
        const timer = setTimeout(() => body.destroy(noAnswer(patience)), patience)
        const { done, value } = await iterator.next().finally(() => clearTimeout(timer))
        if (done === true) return
        yield value
      }
    } catch (error) {
      throw minioFailure(error)
    } finally {
      body.destroy()
    }
  }
  return chunks()
}
