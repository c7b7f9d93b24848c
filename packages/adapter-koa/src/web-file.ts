import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { cacheControl } from '@publishing-service/http-contract'

/** Something of the documentation, ready to be sent. */
export type WebFile = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** Of the plain bytes; the compressed ones have another. */
  readonly tag: string
  readonly cacheControl: string
  /** What it depends on beside its address. */
  readonly vary: string
}

const gzipAsync = promisify(gzip)

/** Compresses once, beside the event loop. `vary` names the headers that decide whether it is answered at all. */
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
