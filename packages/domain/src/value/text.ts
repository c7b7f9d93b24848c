import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { Schema } from './schema.js'
import { unread } from './unread.js'
import { alsoTaking, plain, refused, type ValueType } from './value-type.js'

// Control characters other than tab, line feed and carriage return are not allowed in XML and break logs.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** A character that shows something: white space and invisible characters show nothing. */
export const shown = new RegExp(`[^\\s\\u2800${unread}]`, 'u')

/** A text of so many characters. It has to show something if it must not be empty. */
const readText = (value: unknown, min: number, max: number): Either<readonly Fault[], string> => {
  if (typeof value !== 'string') return refused('type', 'must be a string')
  if (value.length < min)
    return min === 1
      ? refused('required', 'must not be empty')
      : refused('length', `must have at least ${min} characters`)
  // A character is one or two units; they are counted only if the number of units does not decide.
  if (value.length > max && (value.length > max * 2 || [...value].length > max))
    return refused('length', `must have at most ${max} characters`)
  if (!value.isWellFormed())
    return refused('format', 'must be well-formed Unicode: it contains half of a surrogate pair')
  if (control.test(value))
    return refused('format', 'must not contain control characters other than tab and line breaks')
  return min > 0 && !shown.test(value) ? refused('required', 'must not be empty') : E.right(value)
}

type TextOptions = { readonly max: number; readonly min?: number }

/** Texts of at most so many characters are names, codes and the like, which tables have as numbers. */
const longestShortText = 1000

/** A number as its text, if the number is exact. */
export const numberAsText = (value: unknown): unknown =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value

const textSchema = ({ max, min = 0 }: TextOptions): Schema & { readonly maxLength: number } => ({
  type: 'string',
  format: 'text',
  maxLength: max,
  ...(min > 0 ? { minLength: min } : {}),
})

/** Any text of at most `max` characters (code points), stored unchanged. With `min` it has to show something. */
export const text = (options: TextOptions): ValueType<string> => {
  const { max, min = 0 } = options
  const type = plain('text', textSchema(options), (value) => readText(value, min, max))
  return max > longestShortText ? type : alsoTaking(type, numberAsText)
}

const lineBreaks = '\\n\\r\\u0085\\u2028\\u2029'
const breaksLine = new RegExp(`[${lineBreaks}]`)

/** A text that has one line, such as the name of a person: it is part of mail and of lists. */
export const line = (options: TextOptions): ValueType<string> => {
  const { max, min = 0 } = options
  const schema = { ...textSchema(options), pattern: `^[^${lineBreaks}]*$` }
  const type = plain('text', schema, (value) => {
    const result = readText(value, min, max)
    return E.isRight(result) && breaksLine.test(result.right)
      ? refused('format', 'must have one line')
      : result
  })
  return alsoTaking(type, numberAsText)
}

/** A text of others as one line: line breaks and control characters are spaces. */
export const asLine = (value: string): string => value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const textDirections = /[\u202a-\u202e\u2066-\u2069]/g

/** A text without characters that reverse the order in which it is shown, which could disguise the type of a file. */
export const withoutDirections = (value: string): string => value.replace(textDirections, '')

/** The name of a file (docs/behaviour/files.md#filename). */
export const filename: ValueType<string> = alsoTaking(
  plain('text', textSchema({ max: 255, min: 1 }), (value) => {
    const result = readText(value, 1, 255)
    return E.isRight(result) && withoutDirections(result.right) !== result.right
      ? refused(
          'format',
          'must not contain characters that set the direction of text, U+202A to U+202E and U+2066 to U+2069',
        )
      : result
  }),
  (value) => (typeof value === 'string' ? withoutDirections(value) : numberAsText(value)),
)

/** A text of a certain form; `what` completes the message «must be …». */
export const textOf = (
  schema: Omit<Schema, 'type'> & { readonly maxLength: number },
  what: string,
  read: (value: string) => string | null,
): ValueType<string> =>
  plain('text', { type: 'string', ...schema }, (value) => {
    const checked = readText(value, 0, schema.maxLength)
    if (E.isLeft(checked)) return checked
    const result = read(checked.right)
    return result === null
      ? refused(schema.enum === undefined ? 'format' : 'choice', `must be ${what}`)
      : E.right(result)
  })

/** Reads the texts that match a pattern, for `textOf`. */
export const matching = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : null)

export const maxUrlname = 255
const urlnamePattern = '^(?!\\.{1,2}$)[A-Za-z0-9_.~-]+$'
const isUrlname = new RegExp(urlnamePattern)

/**
 * A name in public paths: 1 to 255 characters of `A-Za-z0-9-_.~`, but not `.` or `..`
 * (docs/behaviour/writing.md#urlname). A write makes one of another text.
 */
export const urlname: ValueType<string> = {
  ...alsoTaking(
    textOf(
      { pattern: urlnamePattern, minLength: 1, maxLength: maxUrlname },
      '1 to 255 characters of A-Z, a-z, 0-9, hyphen, underscore, period and tilde',
      matching(isUrlname),
    ),
    numberAsText,
    { type: 'string', minLength: 1, maxLength: maxUrlname },
  ),
  madeFromText: 'urlname',
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A UUID in lower case, or null if the text is none. Any version and either case is accepted (docs/behaviour/writing.md#uuids). */
export const parseUuid = (value: string): string | null =>
  uuidPattern.test(value) ? value.toLowerCase() : null

export const uuid: ValueType<string> = textOf(
  { format: 'uuid', maxLength: 36 },
  'a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
  parseUuid,
)

/** The UUID of an API user. */
export const apiUser: ValueType<string> = { ...uuid, namesUser: true }
