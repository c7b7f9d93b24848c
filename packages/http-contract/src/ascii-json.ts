import type { Json } from '@publishing-service/domain/json'

/** Characters that are encoded at a time. */
export const asciiPieceLength = 64 * 1024

const beyondAscii = /[\u0080-\uffff]+/g

/** The two hexadecimal digits of each byte. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const escaped = (characters: string): string => {
  let text = ''
  for (let index = 0; index < characters.length; index += 1) {
    const code = characters.charCodeAt(index)
    text += `\\u${digits[code >> 8]}${digits[code & 255]}`
  }
  return text
}

/** A JSON text in ASCII: other characters are written `\uXXXX`, astral ones as surrogate pairs (docs/behaviour/wire.md#ascii). */
export const asciiText = (json: string): string => json.replace(beyondAscii, escaped)

/** The same in pieces, so that the sender of a long text can do other work in between. */
export function* asciiJsonPieces(json: string): Generator<string> {
  for (let from = 0; from < json.length; from += asciiPieceLength)
    yield asciiText(json.slice(from, from + asciiPieceLength))
}

/** A value as JSON in ASCII, for short responses and for documents that are made once. */
export const asciiJson = (value: Json): string => asciiText(JSON.stringify(value))
