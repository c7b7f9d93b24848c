/**
 * An answer's body as chunks. A server that falls silent ends it; a reader who takes his time does not, nor does
 * one who comes late, up to a minute.
 */
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { S3Error } from 'minio'
import type { BlobRead, ByteRange } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import { minioFailure, noAnswer, s3Code } from './minio-failure.js'

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

/** The size of the whole object: after the slash of `Content-Range`, or `Content-Length` if there is no range. */
const sizeFrom = (response: Readable): number => {
  if (!(response instanceof IncomingMessage)) throw new TypeError('not a response of an HTTP server')
  const { 'content-range': range, 'content-length': length } = response.headers
  const found = range === undefined ? length : /\/(\d+)$/.exec(range)?.[1]
  if (found === undefined) {
    response.destroy()
    throw Object.assign(new S3Error('the response does not say how large the object is'), { code: 'NoSize' })
  }
  return Number(found)
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A range after the end of the object.
}

/** Starts to read an object. Rejects with the client's error. */
export const openObject = async (
  { client, name, patience }: Bucket,
  object: string,
  range?: ByteRange,
): Promise<BlobRead> => {
  try {
    const body = await (range === undefined
      ? client.getObject(name, object)
      : client.getPartialObject(name, object, range.start, range.end - range.start + 1))
    return { bytes: sizeFrom(body), chunks: readBody(body, patience) }
  } catch (error) {
    if (s3Code(error) !== 'InvalidRange') throw error
    return { bytes: (await client.statObject(name, object)).size, chunks: nothing() }
  }
}
