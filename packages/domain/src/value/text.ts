import { E, type Either } from '../fp.js'
import type { Schema } from './schema.js'
import { codecOf, plain, type ValueType } from './value-type.js'

// Control characters other than tab, line feed and carriage return are not allowed in XML and break logs.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const longerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > max * 2 || [...text].length > max)

const readText = (value: unknown, min: number, max: number): Either<string, string> => {
  if (typeof value !== 'string') return E.left('must be a string')
  if (value.length < min)
    return E.left(min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
  if (longerThan(value, max)) return E.left(`must have at most ${max} characters`)
  if (!value.isWellFormed())
    return E.left('must be well-formed Unicode: it contains half of a surrogate pair')
  if (control.test(value)) return E.left('must not contain control characters other than tab and line breaks')
  return E.right(value)
}

type TextOptions = { readonly max: number; readonly min?: number }

/** Any text of at most `max` characters (code points), stored unchanged. */
export const text = ({ max, min = 0 }: TextOptions): ValueType<string> =>
  plain(
    'text',
    { type: 'string', format: 'text', maxLength: max, ...(min > 0 ? { minLength: min } : {}) },
    codecOf('text', (value) => readText(value, min, max)),
  )

/** A text of a certain form; `what` completes the message «must be …». */
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

/**
 * A name in public paths: 1 to 255 characters of `A-Za-z0-9-_.~`, but not `.` or `..`
 * (docs/behaviour/writing.md#urlname).
 */
export const urlname: ValueType<string> = textOf(
  { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.~-]+$', minLength: 1, maxLength: 255 },
  '1 to 255 characters of A-Z, a-z, 0-9, hyphen, underscore, period and tilde',
  matching(/^(?!\.{1,2}$)[A-Za-z0-9_.~-]+$/),
)

const maxAddressLength = 2048
const webPattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#<>"\\\\]+([/?#][^\\s<>"]*)?$'

const absoluteAddress = new RegExp(webPattern)

// The host needs a dot, and only digits may follow its colon, so that no other scheme matches.
const barePattern = '^(//)?[^\\s/?#<>"\\\\:@.]+(\\.[^\\s/?#<>"\\\\:@.]+)+(:[0-9]{1,5})?([/?#][^\\s<>"]*)?$'
const bareAddress = new RegExp(barePattern)

/** An absolute address; https:// is prepended to one without a scheme (docs/behaviour/writing.md#addresses). */
const readAddress = (value: string): string | null => {
  const address = bareAddress.test(value) ? `https://${value.replace(/^\/\//, '')}` : value
  return absoluteAddress.test(address) && address.length <= maxAddressLength ? address : null
}

const sentAddress = {
  type: 'string',
  format: 'bare-web-address',
  pattern: barePattern,
  maxLength: maxAddressLength - 'https://'.length,
} as const

const address = (
  schema: Schema & { readonly maxLength: number },
  what: string,
  read: (value: string) => string | null,
) => ({
  ...textOf(schema, what, read),
  inputSchema: { anyOf: [schema, sentAddress] },
})

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

const pathPattern = '^/(?![/\\\\])[^\\s<>"\\\\]*$'
const path = new RegExp(pathPattern)

/** An address of the web, or a path on the publication's own website. */
export const webAddressOrPath: ValueType<string> = address(
  {
    type: 'string',
    format: 'web-address-or-path',
    pattern: `${webPattern}|${pathPattern}`,
    maxLength: maxAddressLength,
  },
  'a web address such as https://www.example.org/page, or a path that starts with one /',
  (value) => (path.test(value) ? value : readAddress(value)),
)

const mailbox = '[^\\s@<>",]+@[^\\s@<>",]+'
// No two alternatives match the same text, which prevents exponential backtracking.
const namedMailbox = `([ ]*${mailbox}|[ ]*"[^"\\r\\n]*"[ ]*<${mailbox}>|[^@<>",\\r\\n]*<${mailbox}>)[ ]*`
const mailboxes = `^${namedMailbox}(,${namedMailbox})*$`

/** E-mail addresses as a header names them: several separated by commas, each with or without a name. */
export const emailAddresses: ValueType<string> = textOf(
  { format: 'email-addresses', pattern: mailboxes, maxLength: 1000 },
  'an e-mail address such as name@example.org or Name <name@example.org>, or several separated by commas',
  matching(new RegExp(mailboxes)),
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
