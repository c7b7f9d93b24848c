import { E, type Either } from '../fp.js'
import type { Schema } from './schema.js'
import { codecOf, plain, type ValueType } from './value-type.js'

// NUL and the other control characters can't stand in XML and break logs; tab, line feed, carriage return may stay.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const longerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > max * 2 || [...text].length > max)

const readText = (value: unknown, min: number, max: number): Either<string, string> => {
  if (typeof value !== 'string') return E.left('must be a string')
  if (value.length < min)
    return E.left(min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
  if (longerThan(value, max)) return E.left(`must have at most ${max} characters`)
  if (!value.isWellFormed()) return E.left('must be well-formed Unicode: it holds half of a surrogate pair')
  if (control.test(value)) return E.left('must not hold control characters other than tab and line breaks')
  return E.right(value)
}

type TextOptions = { readonly max: number; readonly min?: number }

/** Any text of at most `max` characters (code points), kept to the letter. */
export const text = ({ max, min = 0 }: TextOptions): ValueType<string> =>
  plain(
    'text',
    { type: 'string', format: 'text', maxLength: max, ...(min > 0 ? { minLength: min } : {}) },
    codecOf('text', (value) => readText(value, min, max)),
  )

/** A text of a certain form; `what` completes «must be …». */
export const textOf = (
  schema: Omit<Schema, 'type'> & { readonly maxLength: number },
  what: string,
  read: (value: string) => string | null,
): ValueType<string> =>
  plain(
    'text',
    { type: 'string', ...schema },
    codecOf(schema.format ?? 'text', (value) => {
      const checked = readText(value, 0, schema.maxLength)
      if (E.isLeft(checked)) return checked
      const result = read(checked.right)
      return result === null ? E.left(`must be ${what}`) : E.right(result)
    }),
  )

const matching = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : null)

/** A name in public paths: 1 to 255 characters of `A-Za-z0-9-_.~`, but not `.` or `..` (decisions §7). */
export const urlname: ValueType<string> = textOf(
  { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.~-]+$', minLength: 1, maxLength: 255 },
  '1 to 255 characters of A-Z, a-z, 0-9, hyphen, underscore, period and tilde',
  matching(/^(?!\.{1,2}$)[A-Za-z0-9_.~-]+$/),
)

const webPattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#<>"\\\\]+([/?#][^\\s<>"]*)?$'

/** An absolute address of the web. */
export const webAddress: ValueType<string> = textOf(
  { format: 'web-address', pattern: webPattern, maxLength: 2048 },
  'a web address that starts with http:// or https://',
  matching(new RegExp(webPattern)),
)

export const emailAddress: ValueType<string> = textOf(
  { format: 'email', maxLength: 254 },
  'an e-mail address such as name@example.org',
  matching(/^[^\s@<>"]+@[^\s@<>"]+$/),
)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A UUID in lower case, or null where the text isn't one. Any version, either case (decisions §2.8). */
export const parseUuid = (value: string): string | null =>
  uuidPattern.test(value) ? value.toLowerCase() : null

export const uuid: ValueType<string> = textOf(
  { format: 'uuid', maxLength: 36 },
  'a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
  parseUuid,
)
