/** Responses that can be sent and cached. */
import { hash } from 'node:crypto'
import type { Json } from '@publishing-service/domain/json'
import { asciiPieceLength, asciiJsonPieces, asciiText, type Result } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'

/** Content codings of responses, the preferred one first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The compressed forms of a body, made when they are first requested. */
export type CodedForms = Map<Coding, Buffer | Promise<Buffer>>

/** A response as it is sent. */
export type ReadyResponse = {
  /** JSON in ASCII, as text or bytes; or the bytes of another text or of file data. */
  readonly body: string | Buffer
  /** The entity tag of the body; empty if the response has none. */
  readonly tag: string
  /** Cache-Control. */
  readonly control: string
  /** The request headers that it depends on, besides Origin; empty if there are none. */
  readonly vary: string
  /** Its other headers, of 200 only: names and values alternate, which Node.js writes fastest. */
  readonly headers: readonly string[]
  /** Content-Security-Policy instead of that of the exchange; null for none. */
  readonly policy?: string | null
  /** Null if it is never compressed. */
  readonly forms: CodedForms | null
}

/** Bytes of the compressed forms that have been made. */
export const codedBytes = (forms: CodedForms | null): number => {
  let bytes = 0
  for (const form of forms?.values() ?? []) if (Buffer.isBuffer(form)) bytes += form.length
  return bytes
}

/** The value of Vary for these request headers, and Accept-Encoding if the response can be compressed. */
export const varyBy = (names: readonly string[], isCompressed: boolean): string =>
  [...names, ...(isCompressed ? ['Accept-Encoding'] : [])].join(', ')

/** Cache-Control and Vary of a response. */
export type CachingHeaders = { readonly control: string; readonly vary: string }

/** A strong validator: equal bytes, equal tags. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** The body of a response, in ASCII. A long one is encoded in slices; other requests are served between them. */
const encodeJson = async (value: Json, { turn }: Pick<Clock, 'turn'>): Promise<string | Buffer> => {
  await turn()
  const json = JSON.stringify(value)
  // Node.js writes a short text together with its headers.
  if (json.length <= asciiPieceLength) return asciiText(json)
  const pieces: Buffer[] = []
  for (const piece of asciiJsonPieces(json)) {
    pieces.push(Buffer.from(piece, 'latin1'))
    await turn()
  }
  return Buffer.concat(pieces)
}

/** A text in UTF-8. Other requests are served between its pieces. */
const encodeText = async (pieces: Iterable<string>, { turn }: Pick<Clock, 'turn'>): Promise<Buffer> => {
  const encoded: Buffer[] = []
  for (const piece of pieces) {
    encoded.push(Buffer.from(piece))
    await turn()
  }
  return Buffer.concat(encoded)
}

type TextResult = Extract<Result, { readonly _tag: 'Json' | 'Text' }>

/** A successful response with its headers and `more`, in which names and values alternate; it can be sent and cached. */
export const textResponse = async (
  result: TextResult,
  { control, vary }: CachingHeaders,
  more: readonly string[],
  { isTagged, isCompressed }: { readonly isTagged: boolean; readonly isCompressed: boolean },
  clock: Pick<Clock, 'turn'>,
): Promise<ReadyResponse> => {
  const isJson = result._tag === 'Json'
  const body = await (isJson ? encodeJson(result.body, clock) : encodeText(result.pieces, clock))
  const type = ['Content-Type', `${result.mediaType ?? 'application/json'}; charset=utf-8`]
  return {
    body,
    tag: isTagged ? entityTag(body) : '',
    control,
    vary,
    headers: [...type, ...Object.entries((isJson ? result.headers : undefined) ?? {}).flat(), ...more],
    forms: isCompressed ? new Map() : null,
  }
}
