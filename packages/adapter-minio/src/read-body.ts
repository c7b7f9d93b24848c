/**
 * The body of a response as chunks. It fails if the server sends nothing until the timeout. A slow reader is no
 * failure, nor is a reader that starts within a minute.
 */
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { S3Error } from 'minio'
import type { BlobRead, ByteRange } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import { minioFailure, timeoutError, s3Code } from './minio-failure.js'

const maxUnreadMilliseconds = 60_000

/** Throws a PortFailure if the connection fails. The connection is released in any case. */
export const readBody = (body: Readable, timeout: number): AsyncIterable<Uint8Array> => {
  const unreadTimer = setTimeout(() => body.destroy(), maxUnreadMilliseconds)
  unreadTimer.unref()
  body.once('close', () => clearTimeout(unreadTimer))

  async function* chunks(): AsyncGenerator<Uint8Array> {
    clearTimeout(unreadTimer)
    const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    try {
      for (;;) {
        const timer = setTimeout(() => body.destroy(timeoutError(timeout)), timeout)
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
    throw Object.assign(new S3Error('the response does not state the size of the object'), { code: 'NoSize' })
  }
  return Number(found)
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A range after the end of the object.
}

/** Starts to read an object. Rejects with the client's error. */
export const openObject = async (
  { client, name, timeout }: Bucket,
  object: string,
  range?: ByteRange,
): Promise<BlobRead> => {
  try {
    const body = await (range === undefined
      ? client.getObject(name, object)
      : client.getPartialObject(name, object, range.start, range.end - range.start + 1))
    return { bytes: sizeFrom(body), chunks: readBody(body, timeout) }
  } catch (error) {
    if (s3Code(error) !== 'InvalidRange') throw error
    return { bytes: (await client.statObject(name, object)).size, chunks: nothing() }
  }
}
