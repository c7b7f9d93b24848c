/** Uploads and downloads of large bodies: over HTTP, and with the client of MinIO. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'minio'
import { WrongResponse } from '../measure-load.js'

const chunk = Buffer.alloc(64 * 1024, 'bytes of a large file ')

/** So many bytes, no more than a piece in memory. */
const bytesOf = (size: number): Readable =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += chunk.length)
        yield chunk.subarray(0, Math.min(chunk.length, size - sent))
    })(),
    { objectMode: false },
  )

export type Address = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

export const post = async ({ url, headers }: Address, size: number): Promise<void> => {
  const running = request(url, { method: 'POST', agent: false, headers })
  const answered = once(running, 'response')
  await pipeline(bytesOf(size), running)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new WrongResponse(`POST of a file: ${response.statusCode}`)
}

const room = Buffer.allocUnsafeSlow(1024 * 1024)
const headEnd = Buffer.from('\r\n\r\n')

/**
 * Reads and counts bytes over a socket, because the client shares two cores with the measured service. Uses HTTP 1.0, where
 * the body is everything between the head and the end.
 */
export const get = async ({ url, headers }: Address, size: number): Promise<void> => {
  const { hostname, port, pathname } = new URL(url)
  let head = Buffer.alloc(0)
  let taken: number | null = null
  const read = (bytes: number): boolean => {
    if (taken !== null) taken += bytes
    else {
      head = Buffer.concat([head, room.subarray(0, bytes)])
      const end = head.indexOf(headEnd)
      if (end >= 0) taken = head.length - end - headEnd.length
    }
    return true
  }
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: { buffer: room, callback: read },
  })
  const lines = Object.entries({ Host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n`)
  await once(socket, 'close')
  const [status = ''] = head.toString('latin1').split('\r\n', 1)
  if (!/^HTTP\/1\.\d 200 /.test(status) || taken !== size)
    throw new WrongResponse(`a download, ${status}, had ${taken ?? 0} of ${size} bytes`)
}

export type Bucket = {
  readonly url: string
  readonly accessKey: string
  readonly secretKey: string
  readonly bucket: string
}

export const clientOf = ({ url, accessKey, secretKey, bucket }: Bucket) => {
  const { hostname, port } = new URL(url)
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey })
  return {
    upload: async (size: number): Promise<void> => {
      // As to the service: its length isn't sent.
      await client.putObject(bucket, 'bare', bytesOf(size))
    },
    download: async (size: number): Promise<void> => {
      let taken = 0
      const nowhere = new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          taken += bytes.length
          done()
        },
      })
      await pipeline(await client.getObject(bucket, 'bare'), nowhere)
      if (taken !== size) throw new WrongResponse(`the client had ${taken} of ${size} bytes`)
    },
  }
}
