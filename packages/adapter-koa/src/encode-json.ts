import type { Json } from '@publishing-service/domain'
import { asciiPieces } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'

/** The body of an answer, in ASCII. A long one is made in slices, between which the event loop serves others. */
export const encodeJson = async (value: Json, { turn }: Pick<Clock, 'turn'>): Promise<string | Buffer> => {
  await turn()
  const json = JSON.stringify(value)
  const pieces: Buffer[] = []
  for (const piece of asciiPieces(json)) {
    pieces.push(Buffer.from(piece))
    if (pieces.length > 1) await turn()
  }
  const [first, ...others] = pieces
  // Node writes a short text together with its headers.
  return others.length === 0 ? (first?.toString('latin1') ?? '') : Buffer.concat(pieces)
}
