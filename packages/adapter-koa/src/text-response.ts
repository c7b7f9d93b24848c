import type { Json } from '@publishing-service/domain/json'
import { asciiPieceLength, asciiJsonPieces, asciiText, type Result } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import type { CachingHeaders } from './caching-headers.js'
import { entityTag } from './entity-tag.js'
import type { ReadyResponse } from './ready-response.js'

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

/** A successful response with its headers, which can be sent and cached. */
export const textResponse = async (
  result: TextResult,
  { control, vary }: CachingHeaders,
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
    headers: [...type, ...Object.entries((isJson ? result.headers : undefined) ?? {}).flat()],
    forms: isCompressed ? new Map() : null,
  }
}
