/**
 * Data of hundreds of megabytes that is never completely in memory, and slow clients that upload and download it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { isJsonObject } from '@publishing-service/domain/json'

const chunkBytes = 64 * 1024
const chunk = Buffer.alloc(chunkBytes, 'one of many chunks of a large file ')

/** The digest of this many bytes of the generated data. */
export const largeDigest = (bytes: number): string => {
  const digest = createHash('sha256')
  for (let sent = 0; sent < bytes; sent += chunkBytes)
    digest.update(chunk.subarray(0, Math.min(chunkBytes, bytes - sent)))
  return digest.digest('hex')
}

export type Endpoint = { readonly url: string; readonly token: string }

const open = ({ url, token }: Endpoint, method: string, path: string): ClientRequest =>
  request(`${url}/1${path}`, {
    agent: false,
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'video/mp4' },
  })

const responseTo = async (running: ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(running, 'response')) as [IncomingMessage]
  return response
}

/** Uploads this many bytes, and awaits `pause` once at the middle. Resolves with the path of the download. */
export const uploadLarge = async (
  endpoint: Endpoint,
  fileId: string,
  bytes: number,
  pause: () => Promise<void> = async () => undefined,
): Promise<string> => {
  const running = open(endpoint, 'POST', `/files/${fileId}`)
  const answered = responseTo(running)
  // Rejects if the connection breaks, possibly before it is awaited.
  answered.catch(() => undefined)
  let paused = false
  for (let sent = 0; sent < bytes; sent += chunkBytes) {
    if (!running.write(chunk.subarray(0, Math.min(chunkBytes, bytes - sent))))
      await Promise.race([once(running, 'drain'), answered])
    if (!paused && sent > bytes / 2) {
      paused = true
      await pause()
    }
  }
  running.end()
  const response = await answered
  let text = ''
  for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) text += part
  const body: unknown = JSON.parse(text)
  if (response.statusCode !== 200 || !isJsonObject(body)) throw new Error(`upload: ${text}`)
  return new URL(String(body['download_url'])).pathname.replace(/^\/1/, '')
}

/** Downloads and resolves with the digest. Awaits `pause` once after the first chunk. */
export const downloadLarge = async (
  endpoint: Endpoint,
  path: string,
  pause: () => Promise<void> = async () => undefined,
): Promise<string> => {
  const response = await responseTo(open(endpoint, 'GET', path).end())
  const digest = createHash('sha256')
  let paused = false
  for await (const part of response as AsyncIterable<Buffer>) {
    digest.update(part)
    if (paused) continue
    paused = true
    await pause()
  }
  return digest.digest('hex')
}
