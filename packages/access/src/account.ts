/**
 * People who sign in: their accounts, sessions and links (docs/behaviour/accounts.md). Functions of (state, command, now);
 * times are in milliseconds since 1970.
 */
import { badParameters, type Fault, fault, type Problem } from '@publishing-service/domain'
import {
  boolean,
  flagSchema,
  requiredReadOnly,
  requiredInternal,
  integer,
  internal,
  listOf,
  matching,
  momentSchema,
  nullable,
  readOnly,
  record,
  serviceText,
  serviceTime,
  type Shape,
  shown,
  shownId,
  shownTime,
  type StateOf,
  stored,
  text,
  textOf,
  textSchema,
  uuidSchema,
  type ValueType,
  type WholeOf,
} from '@publishing-service/domain/declare'
import { partOf } from '@publishing-service/domain/engine'
import type { Queryable } from '@publishing-service/domain/lists'
import { keyOf, wayInWith, withKeys, withoutKey, type KeyedWayIn } from './keyed-ways-in.js'
import { isUnexpired, ownUserAttributes, type User, type UserRights } from './user.js'

const countSchema = { type: 'integer', minimum: 0 } as const

/** The name of the service, for people. */
export const serviceName = 'Publishing Service'

const minute = 60_000
export const hour = 60 * minute
const day = 24 * hour

/** A picture of a person, as data in the address: small enough to be part of a response. */
export const maxPictureCharacters = 24_000
const picturePattern = '^data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$'
const picture: ValueType<string> = textOf(
  { pattern: picturePattern, maxLength: maxPictureCharacters },
  `a PNG, JPEG or WebP as data:image/…;base64,… with at most ${maxPictureCharacters} characters`,
  matching(new RegExp(picturePattern)),
)

/** A text that is compared with a stored hash. What it has to be is checked when it is set. */
export const secretText = text({ max: 1000, min: 1 })

const ownAttributes = {
  ...ownUserAttributes,
  picture: stored(picture, 'A small picture, as `data:image/…`.'),
} as const

/** What a person can change in their own account. */
export const accountChange = {
  attributes: ownAttributes,
  examples: { bodies: [{ language: 'de' }] },
} as const

export const passwordAttribute = {
  password: stored(secretText, 'The password.', { required: true }),
} as const

/** A new password. */
export const newPassword = {
  attributes: passwordAttribute,
  examples: { bodies: [{ password: 'an example of a long password' }] },
} as const

/** A sign-in with an API key. */
export const keySignIn = {
  attributes: {
    api_key: stored(text({ max: 200, min: 1 }), 'The API key.', { required: true }),
    api_secret: stored(secretText, 'Its secret.', { required: true }),
  },
  examples: {
    bodies: [
      { api_key: 'example-key-of-the-demo', api_secret: 'an-example-of-a-secret-that-nobody-may-know' },
    ],
  },
} as const

/** Names the account whose password was forgotten. */
export const forgottenPassword = {
  attributes: { email: stored(text({ max: 254, min: 1 }), 'The e-mail address.', { required: true }) },
  examples: { bodies: [{ email: 'ada@example.org' }] },
} as const

const time = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const storedText = text({ max: 10_000 })

/** The most passkeys of a person, and the most identities at providers. */
export const maxKeyedWaysIn = 20

const storedPasskey = {
  id: stored(storedText, 'Id of the credential.', { required: true }),
  public_key: stored(storedText, 'The public key.', { required: true }),
  counter: stored(integer({ min: 0, max: 2 ** 32 }), 'Uses that the authenticator counts.', {
    required: true,
  }),
  transports: stored(listOf(storedText, 20), 'How browsers reach it.', { required: true }),
  is_synced: stored(boolean, 'Whether devices of the person share it.', { required: true }),
  title: stored(text({ max: 255, min: 1 }), 'Name, for people.', { required: true }),
  created: stored(time, 'When it was made.', { required: true }),
  last_used: stored(time, 'When it was last used.'),
} as const

const storedIdentity = {
  issuer: stored(storedText, 'The provider.', { required: true }),
  subject: stored(storedText, 'The person at the provider.', { required: true }),
  created: stored(time, 'When the person first signed in with it.', { required: true }),
  last_used: stored(time, 'When the person last signed in with it.'),
} as const

/** The ways in and the picture of an account as they are stored, under the UUID of its user. */
export const storedAccountAttributes = {
  picture: stored(picture, 'A small picture.'),
  password: stored(storedText, 'The hash of the password.'),
  password_changed: stored(time, 'When the password was set.'),
  one_time_secret: stored(storedText, 'The secret of one-time codes.'),
  one_time_step: stored(time, 'The step of the last code that was used.'),
  recovery_codes: stored(listOf(storedText, 20), 'The digests of recovery codes that were not used.'),
  passkeys: stored(listOf(record(storedPasskey), maxKeyedWaysIn), 'The passkeys.'),
  passkey_keys: stored(
    listOf(storedText, maxKeyedWaysIn),
    'The keys of the passkeys, in their order: the digests of their ids.',
  ),
  identities: stored(listOf(record(storedIdentity), maxKeyedWaysIn), 'The identities at providers.'),
  identity_keys: stored(
    listOf(storedText, maxKeyedWaysIn),
    'The keys of the identities, in their order: the digests of issuer and subject.',
  ),
} as const

type StoredAccount = StateOf<typeof storedAccountAttributes>

export type Passkey = KeyedWayIn & NonNullable<StoredAccount['passkeys']>[number]
export type Identity = KeyedWayIn & NonNullable<StoredAccount['identities']>[number]

/** The ways in of a person, and their picture. */
export type AccountState = Pick<
  StoredAccount,
  'picture' | 'password' | 'password_changed' | 'one_time_secret' | 'one_time_step'
> & {
  readonly recovery_codes: readonly string[]
  readonly passkeys: readonly Passkey[]
  readonly identities: readonly Identity[]
}

/** A stored account: what is missing is null or empty. */
export const accountOf = (found: Partial<StoredAccount>): AccountState => ({
  picture: found.picture ?? null,
  password: found.password ?? null,
  password_changed: found.password_changed ?? null,
  one_time_secret: found.one_time_secret ?? null,
  one_time_step: found.one_time_step ?? null,
  recovery_codes: found.recovery_codes ?? [],
  passkeys: withKeys(found.passkeys ?? [], found.passkey_keys ?? []),
  identities: withKeys(found.identities ?? [], found.identity_keys ?? []),
})

/** The account as it is stored. A store finds it by lists of texts, so the keys of its ways in are separate lists. */
export const storedAccount = ({ passkeys, identities, ...account }: AccountState): StoredAccount => ({
  ...account,
  passkeys: passkeys.map(withoutKey),
  passkey_keys: passkeys.map(keyOf),
  identities: identities.map(withoutKey),
  identity_keys: identities.map(keyOf),
})

/** An account without one-time codes. */
export const withoutCodes = { one_time_secret: null, one_time_step: null, recovery_codes: [] } as const

/** Whether a person can sign in with the account. */
export const hasWayIn = ({ password, passkeys, identities }: AccountState): boolean =>
  password !== null || passkeys.length > 0 || identities.length > 0

/** Why the ways in of a person cannot be taken away; null if one is left. */
export const lastWayInProblem = (before: AccountState, after: AccountState): Problem | null =>
  hasWayIn(before) && !hasWayIn(after)
    ? badParameters([fault('', 'rule', 'is the only way in of the account: add another one first')])
    : null

const lacksOneOf = (before: readonly KeyedWayIn[], after: readonly KeyedWayIn[]): boolean =>
  before.some(({ key }) => wayInWith(after, key) === null)

/**
 * Whether a change takes a way in away, or replaces one, so that the sessions that somebody else may have begun with it end.
 * One that is added ends nothing.
 */
export const losesWayIn = (before: AccountState, after: AccountState): boolean =>
  (before.password !== null && after.password !== before.password) ||
  (before.one_time_secret !== null && after.one_time_secret !== before.one_time_secret) ||
  lacksOneOf(before.passkeys, after.passkeys) ||
  lacksOneOf(before.identities, after.identities)

type OwnAttributes = StateOf<typeof ownUserAttributes>

/** What a person may change of their own user, as it is. */
export const ownOf = (user: User): OwnAttributes => partOf(ownUserAttributes, { ...user })

/** An account as its owner sees it. */
export type Account = OwnAttributes & {
  readonly email_confirmed: boolean
  readonly uuid: string
  /** When the link ends that was mailed to confirm the address, in UTC; null if none is open. */
  readonly confirmation_expires: string | null
  readonly picture: string | null
  readonly has_password: boolean
  readonly has_one_time_codes: boolean
  /** How many recovery codes are left. */
  readonly recovery_codes: number
  readonly passkeys: number
  readonly identities: number
  /** The session of the request; null for a token. */
  readonly session: string | null
}

export const accountShape: Shape = {
  attributes: {
    uuid: shown('uuid', uuidSchema, 'Identifier of the user.'),
    ...ownUserAttributes,
    email_confirmed: shown(
      'email_confirmed',
      flagSchema,
      'Whether an administrator has set the address, or it was confirmed by a mailed link.',
    ),
    confirmation_expires: shown(
      'confirmation_expires',
      momentSchema,
      'When the link ends that was mailed to confirm the address, in UTC; null if none is open.',
      nullable,
    ),
    picture: shown('picture', textSchema, 'A small picture, as `data:image/…`.', nullable),
    has_password: shown('has_password', flagSchema, 'Whether the account has a password.'),
    has_one_time_codes: shown(
      'has_one_time_codes',
      flagSchema,
      'Whether a sign-in with the password needs a one-time code.',
    ),
    recovery_codes: shown('recovery_codes', countSchema, 'How many recovery codes are left.'),
    passkeys: shown('passkeys', countSchema, 'How many passkeys the account has.'),
    identities: shown('identities', countSchema, 'How many identities at providers the account has.'),
    session: shown(
      'session',
      textSchema,
      'Identifier of the session that the request belongs to; null for a token.',
      nullable,
    ),
  },
}

/** The ways in that a service offers. */
export type SignInWays = {
  readonly password: true
  readonly passkey: true
  readonly key: true
  /** The text of the button; null without a provider. */
  readonly provider: string | null
  /** Whether the service sends mail, so that a password can be forgotten. */
  readonly mail: boolean
}

export const signInWaysShape: Shape = {
  attributes: {
    password: shown('password', flagSchema, 'With e-mail address and password.'),
    passkey: shown('passkey', flagSchema, 'With a passkey.'),
    key: shown('key', flagSchema, 'With an API key.'),
    provider: shown(
      'provider',
      textSchema,
      'Text of the button that leads to the provider of OpenID Connect; null if there is none.',
      nullable,
    ),
    mail: shown('mail', flagSchema, 'Whether the service sends mail: a new password can be requested.'),
  },
}

/** What a person is shown who has signed out. */
export const signedOutShape: Shape = {
  attributes: {
    msg: shown('msg', textSchema, 'What was done.'),
    provider_url: shown(
      'provider_url',
      textSchema,
      'Where the person signs out of the provider too; null if they have not signed in there.',
      nullable,
    ),
  },
}

/** Minutes within which a person must have signed in for changes of the ways in. */
export const recentSignInMinutes = 15

const idle = 12 * hour
/** Milliseconds after which a session ends, however it is used. */
export const longestSession = 30 * day

/** How long a session is not written again after a use. */
export const sessionRenewal = 5 * minute

/** When a session ends that is used now. */
export const sessionEnd = (created: number, now: number): number =>
  Math.min(now + idle, created + longestSession)

/** Whether a session that ends then is valid. */
export const isSessionValid = (expires: number, now: number): boolean => isUnexpired(expires, now, idle)

/** Minutes within which a sign-in or a new way in that has begun must be finished. */
export const challengeMinutes = 5
const challengeTime = challengeMinutes * minute

/** When a sign-in that begins now must be finished. */
export const challengeEnd = (now: number): number => now + challengeTime

/** Whether a sign-in that must be finished then can be. */
export const isChallengeOpen = (expires: number, now: number): boolean =>
  isUnexpired(expires, now, challengeTime)

/** The session of a principal. */
export type OwnSession = {
  /** The digest of its token. */
  readonly id: string
  /** When the person last showed a way in. */
  readonly authenticated: number
  /** Whether it has no rights until the person has set up a second factor. */
  readonly needsSecondFactor: boolean
}

/** Why a person may not change their ways in now: only in a session, shortly after a sign-in; null if they may. */
export const wayInChangeProblem = (
  session: Pick<OwnSession, 'authenticated'> | null,
  now: number,
): Problem | null => {
  if (session === null) return { _tag: 'Forbidden', reason: 'session' }
  const isRecent = Math.abs(now - session.authenticated) <= recentSignInMinutes * minute
  return isRecent ? null : { _tag: 'Forbidden', reason: 'sign-in' }
}

export const minPasswordCharacters = 12
const maxPasswordCharacters = 256

/** What is wrong with the length of a new password, without knowing how common it is. */
export const passwordFaults = (password: string): readonly Fault[] => {
  const { length } = [...password]
  if (length >= minPasswordCharacters && length <= maxPasswordCharacters) return []
  const message = `must have ${minPasswordCharacters} to ${maxPasswordCharacters} characters`
  return [fault('password', 'length', message)]
}

export const weakPassword: Fault = fault(
  'password',
  'rule',
  'is easily guessed: choose a longer one, or words that do not belong together',
)

/** Texts that a password must not consist of. */
export const personalTexts = ({ name, email }: Pick<User, 'name' | 'email'>): readonly string[] => [
  ...name.split(/\s+/),
  ...(email === null ? [] : email.split(/[@.]/)),
]

/** A session, stored under the digest of its token (docs/behaviour/accounts.md#sessions). */
export const sessionAttributes = {
  id: shownId(textSchema, 'Identifier of the session.'),
  created: stored(serviceTime, 'When it began, in UTC.', requiredReadOnly),
  last_used: shownTime('used', 'When it was last used, in UTC, to some minutes.'),
  expires: stored(serviceTime, 'When it ends if it is not used, in UTC.', requiredReadOnly),
  way: stored(
    serviceText,
    'How the person signed in: `password`, `passkey`, `provider`, `key` or `link`.',
    requiredReadOnly,
  ),
  agent: stored(serviceText, 'What the browser called itself; null if it did not.', readOnly),
  address: stored(serviceText, 'Remote address at the sign-in.', requiredReadOnly),
  user: stored(serviceText, 'UUID of the person.', requiredInternal),
  key: stored(serviceText, 'The API key that it was begun with, and with which it ends.', internal),
  authenticated: stored(serviceTime, 'When the person last showed a way in.', requiredInternal),
  used: stored(serviceTime, 'When it was last used.', requiredInternal),
} as const

export type StoredSession = WholeOf<typeof sessionAttributes>

export const sessionRows: Queryable = {
  initialFields: ['id', 'created', 'last_used', 'expires', 'way', 'agent'],
  attributes: sessionAttributes,
  orders: { created: 'created' },
  filters: {},
}

/** What a user may do now: nothing while it is disabled. */
export const effectiveRights = (user: User): UserRights =>
  user.disabled ? { operator: false, roles: [] } : { operator: user.operator, roles: user.roles }
