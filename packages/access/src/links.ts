/** Links with which people set up their accounts, or get in again (docs/behaviour/accounts.md#links). */
import { badParameters, type Fault, fault, type Problem } from '@publishing-service/domain'
import {
  flagSchema,
  internal,
  line,
  nullable,
  oneOf,
  requiredInternal,
  serviceText,
  serviceTime,
  type Shape,
  shown,
  stored,
  text,
  textSchema,
  type WholeOf,
} from '@publishing-service/domain/declare'
import type { JsonObject } from '@publishing-service/domain/json'
import { hour, secretText } from './account.js'
import { withAcceptedEmail, withTypedEmail } from './email-address.js'
import { linkPasskey, linkPasskeyTitle } from './passkeys.js'
import { isUnexpired, userAttributes, type User } from './user.js'

const linkToken = {
  token: stored(text({ max: 200, min: 1 }), 'The token of the link.', { required: true }),
} as const

/** Names a link. */
export const linkRequest = {
  attributes: linkToken,
  examples: { bodies: [{ token: 'an-example-of-the-token-of-a-link-nobody-has' }] },
} as const

/** Uses a link: what the person chooses. */
export const linkAcceptance = {
  attributes: {
    ...linkToken,
    name: stored(line({ max: 255, min: 1 }), 'Name, for people: one line; null to keep it.'),
    email: userAttributes.email,
    password: stored(secretText, 'A new password; null for none.'),
    passkey: linkPasskey,
    passkey_title: linkPasskeyTitle,
  },
  examples: {
    bodies: [
      {
        token: 'an-example-of-the-token-of-a-link-nobody-has',
        name: 'Ada',
        password: 'an example of a long password',
      },
    ],
  },
} as const

/** A link for getting in is made at the first start, for a new person, and for a person who has lost a way in. */
export const entryKinds = ['set-up', 'invitation', 'reset', 'forgotten'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The other kind is mailed to an address and confirms it, in the session of its person. */
export const linkKinds = [...entryKinds, 'confirmation'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A link as it is stored, under the digest of its token. */
export const storedLinkAttributes = {
  user: stored(serviceText, 'UUID of the person.', requiredInternal),
  kind: stored(oneOf(linkKinds), 'What the link is for.', requiredInternal),
  expires: stored(serviceTime, 'When it ends.', requiredInternal),
  of: stored(serviceText, 'The id of the link that this is another token of; null for a link.', internal),
  email: stored(serviceText, 'The address that the link confirms.', internal),
  created_by: stored(serviceText, 'UUID of the API user who has made it.', internal),
  created_by_name: stored(serviceText, 'Name of that user at that time.', internal),
} as const

export type StoredLink = WholeOf<typeof storedLinkAttributes>

/** The kinds of links that a new one replaces. A link that anybody can request does not replace one of an administrator. */
export const replacedKinds = (kind: LinkKind): readonly LinkKind[] =>
  kind === 'forgotten' || kind === 'confirmation' ? [kind] : entryKinds

export const linkHours: Readonly<Record<LinkKind, number>> = {
  'set-up': 24,
  invitation: 72,
  reset: 72,
  forgotten: 1,
  confirmation: 72,
}

/** How long a new link can be used, in milliseconds. */
export const linkTime = (kind: LinkKind): number => linkHours[kind] * hour

export const linkEnd = (kind: LinkKind, now: number): number => now + linkTime(kind)

/** Whether a link that ends then can be used. */
export const isLinkValid = (kind: LinkKind, expires: number, now: number): boolean =>
  isUnexpired(expires, now, linkTime(kind))

/** The kind of link that an administrator makes: an invitation until the person has a way in. */
export const linkKindFor = (isSetUp: boolean): 'reset' | 'invitation' => (isSetUp ? 'reset' : 'invitation')

/** What a link is for, as a person who has it sees it. */
export type ShownLink = Pick<User, 'name' | 'email' | 'language'> & {
  readonly kind: EntryKind
  /** Whether the person can sign in without a new password. */
  readonly has_way_in: boolean
}

export const shownLinkShape: Shape = {
  attributes: {
    kind: shown('kind', { type: 'string', enum: entryKinds }, 'What the link is for.'),
    name: shown('name', textSchema, 'Name of the person.'),
    email: shown('email', textSchema, 'E-mail address.', nullable),
    language: shown('language', textSchema, 'Language of the dashboard and of mail.', nullable),
    has_way_in: shown('has_way_in', flagSchema, 'Whether the person can sign in without a new password.'),
  },
}

/** What the use of a link has led to, as responses have it. */
export const usedLinkShape: Shape = {
  attributes: {
    signed_in: shown('signed_in', flagSchema, 'Whether a session has begun; its token is in a cookie then.'),
    needs: shown(
      'needs',
      { type: 'string', enum: ['code'] },
      'What a sign-in needs beside the password: `code` is a one-time code. Null if a session has begun.',
      nullable,
    ),
    uuid: shown(
      'uuid',
      textSchema,
      'Identifier of the user whose session has begun; null if none has.',
      nullable,
    ),
  },
}

/** The parts of the address of a link after that of the service. The token is in the fragment, which servers never receive. */
export const linkPath = ({ token, kind }: { readonly token: string; readonly kind: LinkKind }): string =>
  `#/${kind === 'confirmation' ? 'confirm' : 'link'}/${token}`

/** What a person has to send who uses a link; null if that is all. */
export const acceptanceProblem = (
  kind: EntryKind,
  sent: {
    readonly email: string | null
    readonly password: string | null
    readonly passkey: JsonObject | null
  },
  account: { readonly hasOtherWayIn: boolean; readonly email: string | null },
): Problem | null => {
  const { email, password, passkey } = sent
  const faults: Fault[] = []
  if (kind === 'forgotten') {
    // The reader of the mail may be another person.
    if (password === null)
      faults.push(fault('password', 'required', 'is required: the link is for a new one'))
    if (passkey !== null)
      faults.push(fault('passkey', 'rule', 'must not be sent: the link is for a new password'))
  } else if (password === null && passkey === null && !account.hasOtherWayIn)
    faults.push(
      fault('password', 'required', 'is required without a passkey: the account has no other way in'),
    )
  if (password !== null && email === null && account.email === null)
    faults.push(fault('email', 'required', 'is required: people sign in with it and the password'))
  return faults.length === 0 ? null : badParameters(faults)
}

/** What a person with a link becomes. A link that came by mail changes neither name nor address. */
export const acceptedUser = (
  kind: EntryKind,
  before: User,
  chosen: { readonly name: string | null; readonly email: string | null },
): User =>
  kind === 'forgotten'
    ? before
    : withAcceptedEmail({
        ...withTypedEmail(before, chosen.email ?? before.email),
        name: chosen.name ?? before.name,
      })
