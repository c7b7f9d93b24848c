import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { isDay, parseDate, parseDuration, parseDateTime } from '../time/parse-date-time.js'
import type { Schema } from './schema.js'
import { alsoTaking, plain, refused, type ValueType } from './value-type.js'
import { textOf } from './text.js'

// Regular expressions for the canonical texts of numbers within bounds, shared by schemas and checks.

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

type Bounds = { readonly min: number; readonly max: number }

const maxNumberText = 32

/** The canonical text of a number, by its pattern. */
const numberText = (pattern: string): Schema => ({
  type: 'string',
  format: 'number-text',
  pattern,
  maxLength: maxNumberText,
})

const numeric = (type: ValueType<number>, pattern: string): ValueType<number> => {
  const text = new RegExp(pattern)
  return alsoTaking(
    type,
    (value) =>
      typeof value === 'string' && value.length <= maxNumberText && text.test(value) ? Number(value) : value,
    { anyOf: [type.schema, numberText(pattern)] },
  )
}

/** A whole number. The bounds are included. */
export const integer = ({ min, max }: Bounds): ValueType<number> =>
  numeric(
    plain('number', { type: 'integer', minimum: min, maximum: max }, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? E.right(value === 0 ? 0 : value)
        : refused(
            typeof value === 'number' ? 'range' : 'type',
            `must be a whole number from ${min} to ${max}`,
          ),
    ),
    integerTextPattern(min, max),
  )

/** A finite number. The bounds are included. */
export const decimal = ({ min, max }: Bounds): ValueType<number> =>
  numeric(
    plain('number', { type: 'number', minimum: min, maximum: max }, (value) =>
      typeof value === 'number' && value >= min && value <= max
        ? E.right(value === 0 ? 0 : value)
        : refused(typeof value === 'number' ? 'range' : 'type', `must be a number from ${min} to ${max}`),
    ),
    decimalTextPattern(min, max),
  )

/** The accepted forms of a whole number from -`max` to `max` without zero. */
export const nonZeroForms = (max: number): Schema => ({
  anyOf: [
    { type: 'integer', minimum: -max, maximum: -1 },
    { type: 'integer', minimum: 1, maximum: max },
    numberText(integerTextPattern(-max, -1)),
    numberText(integerTextPattern(1, max)),
  ],
})

const booleanForms: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
])

export const boolean: ValueType<boolean> = alsoTaking(
  plain('boolean', { type: 'boolean' }, (value) =>
    typeof value === 'boolean' ? E.right(value) : refused('type', 'must be true or false'),
  ),
  (value) => booleanForms.get(value) ?? value,
  {
    anyOf: [
      { type: 'boolean' },
      { type: 'string', format: 'boolean-text', enum: ['true', 'false', '1', '0'] },
      { type: 'integer', minimum: 0, maximum: 1 },
    ],
  },
)

/** One of a closed set of words; `aliases` are other accepted names, which are stored as the word. */
export const oneOf = <const W extends string>(
  words: readonly W[],
  aliases: Readonly<Record<string, W>> = {},
): ValueType<W> => {
  const accepted = new Map<unknown, W>([
    ...Object.entries(aliases),
    ...words.map((word) => [word, word] as const),
  ])
  return {
    ...plain('text', { type: 'string', enum: words }, (value) => {
      const word = accepted.get(value)
      return word === undefined ? refused('choice', `must be one of ${words.join(', ')}`) : E.right(word)
    }),
    ...(Object.keys(aliases).length === 0
      ? {}
      : { inputSchema: { type: 'string', enum: [...words, ...Object.keys(aliases)] } }),
  }
}

/** A parsed text; the message for the client if it does not have the form of its kind. */
const formatted = (parsed: Either<string, string>): Either<readonly Fault[], string> =>
  E.isRight(parsed) ? parsed : refused('format', parsed.left)

/** A day, `YYYY-MM-DD`. */
export const date: ValueType<string> = plain('text', { type: 'string', format: 'date' }, (value) =>
  typeof value === 'string' ? formatted(parseDate(value)) : refused('type', 'must be a date, YYYY-MM-DD'),
)

/** An ISO 8601 duration such as `PT1H30M`. */
export const duration: ValueType<string> = plain('text', { type: 'string', format: 'duration' }, (value) =>
  typeof value === 'string'
    ? formatted(parseDuration(value))
    : refused('type', 'must be an ISO 8601 duration such as PT1H30M'),
)

// The patterns do not cover the rules of the calendar and of time zones.
const day = '(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])'
const hours = '([01]\\d|2[0-3])'
const sixty = '[0-5]\\d'

/** A naive date-time in the instance's zone; an offset on input is converted (docs/behaviour/time.md#input). */
export const dateTime: ValueType<string> = {
  schema: {
    type: 'string',
    format: 'naive-date-time',
    pattern: `^${day}([T ]${hours}:${sixty}(:${sixty}(\\.\\d+)?)?(Z|[+-]${hours}:?(${sixty})?)?)?$`,
  },
  outputSchema: {
    type: 'string',
    format: 'naive-date-time',
    pattern: `^${day}T${hours}:${sixty}:${sixty}(\\.\\d+)?$`,
  },
  key: 'text',
  decode: (value, { zone }) => {
    if (typeof value !== 'string') return refused('type', 'must be a date-time, YYYY-MM-DDTHH:MM:SS')
    return formatted(parseDateTime(value, zone))
  },
}

/** A date-time, or a day, which means all times of it. A day stays a day. */
export const dateTimeOrDay: ValueType<string> = {
  ...dateTime,
  outputSchema: {
    type: 'string',
    format: 'naive-date-time',
    pattern: `^${day}(T${hours}:${sixty}:${sixty}(\\.\\d+)?)?$`,
  },
  decode: (value, context) =>
    typeof value === 'string' && isDay(value) ? date.decode(value, context) : dateTime.decode(value, context),
}

/** Rating in half stars: "0", "0.5" … "5". */
export const rating: ValueType<string> = textOf(
  { enum: Array.from({ length: 11 }, (_, half) => String(half / 2)), maxLength: 3 },
  'one of "0", "0.5", "1" … "5", as a string',
  (value) => (/^(?:[0-4](?:\.5)?|5)$/.test(value) ? value : null),
)

/** The highest position. */
export const maxOrdinal = 2_000_000_000

/** A position in an order that editors set. */
export const ordinal = integer({ min: -maxOrdinal, max: maxOrdinal })
