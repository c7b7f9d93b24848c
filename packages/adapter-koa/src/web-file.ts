import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { cacheControl } from '@publishing-service/http-contract'

/** A file of the documentation, ready to be sent. */
export type WebFile = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** The tag of the uncompressed bytes; the compressed ones have another. */
  readonly tag: string
  readonly cacheControl: string
  /** The request headers that the response depends on. */
  readonly vary: string
}

const gzipAsync = promisify(gzip)

/**
 * Compresses the body once, outside the event loop. `vary` has the request headers that the response depends on, in
 * addition to Accept-Encoding.
 */
export const webFile = async (
  type: string,
  body: Buffer,
  vary: readonly string[] = [],
): Promise<WebFile> => ({
  type,
  body,
  gzipped: await gzipAsync(body),
  tag: hash('sha1', body, 'base64url'),
  cacheControl: cacheControl.documentation,
  vary: [...vary, 'Accept-Encoding'].join(', '),
})
