/**
 * Durations as ISO 8601 writes them; they are checked and kept to the letter.
 */
import { E, type Either } from '../fp.js'

const number = String.raw`\d+(?:[.,]\d+)?`
const parts = (letters: string): string => Array.from(letters, (letter) => `(?:${number}${letter})?`).join('')
const shape = new RegExp(`^P${parts('YMWD')}(?:T${parts('HMS')})?$`)

const expected = 'must be an ISO 8601 duration such as PT1H30M or P2D'

/**
 * `P[nY][nM][nW][nD][T[nH][nM][nS]]` with at least one component, and one behind a `T`. The last number may have
 * decimals, behind a period or a comma. Signs and lower-case letters are not ISO 8601. On the left what is wrong.
 */
export const parseDuration = (input: string): Either<string, string> => {
  if (!shape.test(input)) return E.left(expected)
  if (input === 'P') return E.left(`${expected}: there is no number in it`)
  if (input.endsWith('T')) return E.left(`${expected}: hours, minutes or seconds must follow the T`)
  if (/[.,]\d+\D+\d/.test(input)) return E.left(`${expected}: only its last number may have decimals`)
  return E.right(input)
}
