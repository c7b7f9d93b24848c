/**
 * Addresses of the web, and of e-mail (docs/behaviour/writing.md#addresses). An address that no program can follow is not
 * accepted, nor one with a user name or a password, because everybody who reads the publication sees it.
 */
import { fault } from '../fault.js'
import { addressFlaw } from './parsed-address.js'
import type { Schema } from './schema.js'
import { matching, textOf } from './text.js'
import { alsoTaking, refined, type ValueType } from './value-type.js'

/** The texts of a type with a complete address, as `addressIn` reads it from them. It is null for a path. */
export const withAddress = (
  type: ValueType<string>,
  addressIn: (value: string) => string | null,
): ValueType<string> =>
  refined(type, (value) => {
    const address = addressIn(value)
    const flaw = address === null ? null : addressFlaw(address)
    return flaw === null ? null : fault('', 'format', `must be an address ${flaw}`)
  })

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
export const webAddress: ValueType<string> = withAddress(
  address(absoluteSchema, 'a web address such as https://www.example.org/page', readAddress),
  (value) => value,
)

const websiteFormat = { type: 'string', format: 'website-address', maxLength: maxAddressLength } as const

/** The address of a website. Paths are added to it. */
export const websiteAddress: ValueType<string> = withAddress(
  address(
    { ...websiteFormat, pattern: '^[^?#]*$' },
    'a web address with scheme, host, port and path only, such as https://www.example.org, because paths are added to it',
    (value) => (/[?#]/.test(value) ? null : readAddress(value)),
    websiteFormat,
  ),
  (value) => value,
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
export const webAddressOrPath: ValueType<string> = withAddress(
  address(
    addressOrPathSchema,
    'a web address such as https://www.example.org/page, or a path that starts with one /',
    (value) => (path.test(value) ? value : readAddress(value)),
    { anyOf: [addressOrPathSchema, sentAddress(`|${websitePath}`)] },
  ),
  (value) => (value.startsWith('/') ? null : value),
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
