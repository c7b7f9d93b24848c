/** Regular expressions for the canonical texts of numbers within bounds, shared by schemas and checks. */

const digits = (from: number, to: number): string => (from === to ? String(from) : `[${from}-${to}]`)

const anyDigits = (count: number): string => (count === 0 ? '' : count === 1 ? '[0-9]' : `[0-9]{${count}}`)

/** Alternatives for the whole numbers from 1 to `most`, both included. */
const fromOneTo = (most: number): readonly string[] => {
  const text = String(most)
  const shorter = text.length === 1 ? [] : [`[1-9]${text.length === 2 ? '' : `[0-9]{0,${text.length - 2}}`}`]
  const asLong = [...text].flatMap((digit, index) => {
    const [least, below] = [index === 0 ? 1 : 0, Number(digit) - 1]
    const rest = anyDigits(text.length - index - 1)
    return below < least ? [] : [`${text.slice(0, index)}${digits(least, below)}${rest}`]
  })
  return [...shorter, ...asLong, text]
}

const signed = (sign: string, alternatives: readonly string[]): readonly string[] =>
  alternatives.length === 0 ? [] : [`${sign}(${alternatives.join('|')})`]

const whole = (alternatives: readonly string[]): string => `^(${alternatives.join('|')})$`

/** The whole numbers from `min` to `max`. If 0 is not between them, the nearer bound must be 1 or -1. */
export const integerTextPattern = (min: number, max: number): string =>
  whole([
    ...(min <= 0 && max >= 0 ? ['0'] : []),
    ...signed('', max > 0 ? fromOneTo(max) : []),
    ...signed('-', min < 0 ? fromOneTo(-min) : []),
  ])

/** The numbers from `min` to `max` without exponents; the bounds are whole numbers, one on each side of zero. */
export const decimalTextPattern = (min: number, max: number): string => {
  const upTo = (most: number): readonly string[] => [
    ...(most === 0 ? [] : [`(0${most === 1 ? '' : `|${fromOneTo(most - 1).join('|')}`})(\\.[0-9]+)?`]),
    `${most}(\\.0+)?`,
  ]
  return whole([...signed('', upTo(max)), ...signed('-', upTo(-min))])
}
