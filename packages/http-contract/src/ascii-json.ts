import type { Json } from '@publishing-service/domain'

const beyondAscii = /[\u0080-\uffff]/g
const escapes: string[] = []

const escape = (character: string): string => {
  const code = character.charCodeAt(0)
  return (escapes[code] ??= `\\u${code.toString(16).padStart(4, '0')}`)
}

/** JSON of ASCII characters only: others are written `\uXXXX`, astral ones as surrogate pairs (decisions §1.3). */
export const asciiJson = (value: Json): string => JSON.stringify(value).replace(beyondAscii, escape)
