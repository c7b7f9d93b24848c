import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { unread, urlnameOf } from './fold.js'
import type { Schema } from './schema.js'
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

const maxUrlname = 255
const urlnamePattern = '^(?!\\.{1,2}$)[A-Za-z0-9_.~-]+$'
const isUrlname = new RegExp(urlnamePattern)

/**
 * A name in public paths: 1 to 255 characters of `A-Za-z0-9-_.~`, but not `.` or `..`
 * (docs/behaviour/writing.md#urlname). Other characters are replaced as in a urlname that is made from a title.
 */
export const urlname: ValueType<string> = alsoTaking(
  textOf(
    { pattern: urlnamePattern, minLength: 1, maxLength: maxUrlname },
    '1 to 255 characters of A-Z, a-z, 0-9, hyphen, underscore, period and tilde',
    matching(isUrlname),
  ),
  (value) => {
    const sent = numberAsText(value)
    if (typeof sent === 'string' && isUrlname.test(sent)) return sent
    const checked = readText(sent, 0, maxUrlname)
    return E.isRight(checked) ? urlnameOf(checked.right).slice(0, maxUrlname) : sent
  },
  { type: 'string', minLength: 1, maxLength: maxUrlname },
)

const maxAddressLength = 2048
const web = '[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#<>"\\\\]+([/?#][^\\s<>"]*)?'
const webPattern = `^${web}$`

const absoluteAddress = new RegExp(webPattern)

// The host needs a dot, and only digits may follow its colon, so that no other scheme matches.
const bare = '(//)?[^\\s/?#<>"\\\\:@.]+(\\.[^\\s/?#<>"\\\\:@.]+)+(:[0-9]{1,5})?([/?#][^\\s<>"]*)?'
const bareAddress = new RegExp(`^${bare}$`)

/** An absolute address; https:// is prepended to one without a scheme (docs/behaviour/writing.md#addresses). */
const readAddress = (value: string): string | null => {
  const address = bareAddress.test(value) ? `https://${value.replace(/^\/\//, '')}` : value
  return absoluteAddress.test(address) && address.length <= maxAddressLength ? address : null
}

const unseenCharacters = '\\s\\u00ad\\u200b-\\u200f\\u2060'
const unseen = `[${unseenCharacters}]*`
const seen = new RegExp(`[^${unseenCharacters}]`)

/** A text without white space and invisible characters at its start and end, as they are copied with addresses. */
const trimmed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const start = value.search(seen)
  let end = value.length
  while (start !== -1 && !seen.test(value.charAt(end - 1))) end -= 1
  return start === -1 ? '' : value.slice(start, end)
}

/** Addresses with or without a scheme, and with white space around them. */
const sentAddress = (further = ''): Schema => ({
  type: 'string',
  format: 'bare-web-address',
  pattern: `^${unseen}(${bare}|${web}${further})${unseen}$`,
  maxLength: maxAddressLength - 'https://'.length,
})

const address = (
  schema: Schema & { readonly maxLength: number },
  what: string,
  read: (value: string) => string | null,
  sent: Schema = { anyOf: [schema, sentAddress()] },
) => alsoTaking(textOf(schema, what, read), trimmed, sent)

const absoluteSchema = {
  type: 'string',
  format: 'web-address',
  pattern: webPattern,
  maxLength: maxAddressLength,
} as const

/** An absolute address of the web, with or without its scheme. */
export const webAddress: ValueType<string> = address(
  absoluteSchema,
  'a web address such as https://www.example.org/page',
  readAddress,
)

const websitePath = '/(?![/\\\\])[^\\s<>"\\\\]*'
const pathPattern = `^${websitePath}$`
const path = new RegExp(pathPattern)

const addressOrPathSchema = {
  type: 'string',
  format: 'web-address-or-path',
  pattern: `${webPattern}|${pathPattern}`,
  maxLength: maxAddressLength,
} as const

/** An address of the web, or a path on the publication's own website. */
export const webAddressOrPath: ValueType<string> = address(
  addressOrPathSchema,
  'a web address such as https://www.example.org/page, or a path that starts with one /',
  (value) => (path.test(value) ? value : readAddress(value)),
  { anyOf: [addressOrPathSchema, sentAddress(`|${websitePath}`)] },
)

const mailbox = '[^\\s@<>",]+@[^\\s@<>",]+'
// No two alternatives match the same text, which prevents exponential backtracking.
const namedMailbox = `([ ]*${mailbox}|[ ]*"[^"\\r\\n]*"[ ]*<${mailbox}>|[^@<>",\\r\\n]*<${mailbox}>)[ ]*`
const mailboxList = `${namedMailbox}(,${namedMailbox})*`
const mailboxes = `^(?!\\s)(?!.*\\s$)${mailboxList}$`

/** E-mail addresses as a header names them: several separated by commas, each with or without a name. */
export const emailAddresses: ValueType<string> = address(
  { type: 'string', format: 'email-addresses', pattern: mailboxes, maxLength: 1000 },
  'an e-mail address such as name@example.org or Name <name@example.org>, or several separated by commas',
  matching(new RegExp(mailboxes)),
  { type: 'string', format: 'email-addresses', maxLength: 1000 },
)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A UUID in lower case, or null if the text is none. Any version and either case is accepted (docs/behaviour/writing.md#uuids). */
export const parseUuid = (value: string): string | null =>
  uuidPattern.test(value) ? value.toLowerCase() : null

export const uuid: ValueType<string> = textOf(
  { format: 'uuid', maxLength: 36 },
  'a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
  parseUuid,
)
