import type { Json } from '@publishing-service/domain'

/** Characters that are encoded at a time. */
const pieceLength = 64 * 1024
/** Length of an escaped character, `\uXXXX`. */
const longest = 6

const digits = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const digitOf = (code: number, shift: number): number => digits[(code >> shift) & 15] ?? 0

/**
 * The bytes of a JSON text in ASCII: other characters are written `\uXXXX`, astral ones as surrogate pairs
 * (docs/behaviour/wire.md#ascii). In pieces, so that the sender of a large text can do other work in between; a piece is valid until the next one.
 */
export function* asciiPieces(json: string): Generator<Uint8Array> {
  const bytes = new Uint8Array(Math.min(json.length, pieceLength) * longest)
  for (let from = 0; from < json.length; from += pieceLength) {
    const end = Math.min(json.length, from + pieceLength)
    let length = 0
    for (let index = from; index < end; index += 1) {
      const code = json.charCodeAt(index)
      if (code < 0x80) bytes[length++] = code
      else {
        bytes[length++] = 0x5c
        bytes[length++] = 0x75
        bytes[length++] = digitOf(code, 12)
        bytes[length++] = digitOf(code, 8)
        bytes[length++] = digitOf(code, 4)
        bytes[length++] = digitOf(code, 0)
      }
    }
    yield bytes.subarray(0, length)
  }
}

const beyondAscii = /[\u0080-\uffff]/
/** Number of arguments that a function accepts on every platform. */
const mostArguments = 4096

/** The same as a text, for short responses and for documents that are generated once. */
export const asciiJson = (value: Json): string => {
  const json = JSON.stringify(value)
  if (!beyondAscii.test(json)) return json
  let text = ''
  for (const piece of asciiPieces(json))
    for (let from = 0; from < piece.length; from += mostArguments)
      text += String.fromCharCode(...piece.subarray(from, from + mostArguments))
  return text
}
