/**
 * ISO 8601 durations; they are validated and stored unchanged.
 */
import { E, type Either } from '../fp.js'

const number = String.raw`\d+(?:[.,]\d+)?`
const parts = (letters: string): string => Array.from(letters, (letter) => `(?:${number}${letter})?`).join('')
const shape = new RegExp(`^P${parts('YMWD')}(?:T${parts('HMS')})?$`)

const expected = 'must be an ISO 8601 duration such as PT1H30M or P2D'

/**
 * `P[nY][nM][nW][nD][T[nH][nM][nS]]` with at least one component, and one after a `T`. The last number may have
 * decimals, after a period or a comma. Signs and lower-case letters are rejected. Left: the message for the client.
 */
export const parseDuration = (input: string): Either<string, string> => {
  if (!shape.test(input)) return E.left(expected)
  if (input === 'P') return E.left(`${expected}: it has no number`)
  if (input.endsWith('T')) return E.left(`${expected}: hours, minutes or seconds must follow the T`)
  if (/[.,]\d+\D+\d/.test(input)) return E.left(`${expected}: only the last number may have decimals`)
  return E.right(input)
}
