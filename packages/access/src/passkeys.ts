/** The passkeys of a person (docs/behaviour/accounts.md#passkeys). Functions of (state, command, now). */
import { badParameters, fault, type Problem } from '@publishing-service/domain'
import {
  flagSchema,
  line,
  nullable,
  opaque,
  type Shape,
  shown,
  shownTime,
  stored,
  textSchema,
  type ValueType,
} from '@publishing-service/domain/declare'
import { type JsonObject, jsonObject } from '@publishing-service/domain/json'
import { challengeMinutes, maxKeyedWaysIn, serviceName, type AccountState } from './account.js'
import { wayInWith, withWayInChange } from './keyed-ways-in.js'

/** The address of the service as browsers see it, and its name: what passkeys are bound to. */
export type PasskeyParty = { readonly id: string; readonly origin: string; readonly name: string }

const defaultPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/** The party of a base of addresses, such as `https://cms.example.org`. */
export const passkeyParty = (base: string): PasskeyParty => {
  const [, scheme = '', host = '', port = ''] =
    /^(https?):\/\/(\[[^\]]*\]|[^/:]+)(:\d+)?/.exec(base.toLowerCase()) ?? []
  return {
    id: host,
    origin: `${scheme}://${host}${port === defaultPorts[scheme] ? '' : port}`,
    name: serviceName,
  }
}

/** What a browser has answered, as `@simplewebauthn/browser` returns it. The adapter that verifies it knows its parts. */
const answer: ValueType<JsonObject> = {
  ...opaque(jsonObject),
  // Types of clients are those of the browser.
  schema: { type: 'object', additionalProperties: { description: 'A part of the answer.' } },
}

const exampleAnswer = {
  id: 'an-example-of-the-id-of-a-passkey',
  rawId: 'an-example-of-the-id-of-a-passkey',
  type: 'public-key',
  clientExtensionResults: {},
  response: {},
}

const title = stored(line({ max: 255, min: 1 }), 'Name of the passkey, for people: one line.', {
  required: true,
})
const ownAnswer = stored(answer, 'What the browser has answered to the options.', { required: true })

/** A new passkey. */
export const newPasskey = {
  attributes: { title, answer: ownAnswer },
  examples: { bodies: [{ title: 'Laptop', answer: exampleAnswer }] },
} as const

/** What can be changed of a passkey. */
export const passkeyChange = {
  attributes: { title },
  examples: { bodies: [{ title: 'Old laptop' }] },
} as const

/** A sign-in with a passkey. */
export const passkeySignIn = {
  attributes: { answer: ownAnswer },
  examples: { bodies: [{ answer: exampleAnswer }] },
} as const

/** The passkey with which a person uses a link. */
export const linkPasskey = stored(answer, 'What the browser has answered to the options of a new passkey.')
export const linkPasskeyTitle = stored(
  line({ max: 255, min: 1 }),
  'Name of the new passkey, for people: one line.',
)

/** The name of a passkey that has none. */
export const firstPasskeyTitle = 'Passkey'

/** A passkey as its owner sees it. */
export const passkeyShape: Shape = {
  attributes: {
    id: shown('key', textSchema, 'Identifier of the passkey.'),
    title: shown('title', textSchema, 'Name, for people.'),
    created: shownTime('created', 'When it was made, in UTC.'),
    last_used: shownTime('last_used', 'When it was last used, in UTC; null before.', nullable),
    synced: shown('is_synced', flagSchema, 'Whether devices of the person share it.'),
  },
}

const manyPasskeys = fault('', 'limit', `has ${maxKeyedWaysIn} passkeys: remove one first`)

/** Why the account cannot have another passkey; null if it can. */
export const passkeyLimitProblem = ({ passkeys }: AccountState): Problem | null =>
  passkeys.length < maxKeyedWaysIn ? null : badParameters([manyPasskeys])

/** The fault of an answer that no passkey follows from. */
export const refusedAnswer = (path: string): Problem =>
  badParameters([
    fault(
      path,
      'rule',
      `is not accepted: ask for new options, and answer them within ${challengeMinutes} minutes`,
    ),
  ])

/**
 * The account after a use of a passkey; null if it was removed, or another use has moved its counter as far. Counters of
 * synchronised passkeys are 0.
 */
export const withPasskeyUse = (
  account: AccountState,
  key: string,
  { counter, now }: { readonly counter: number; readonly now: number },
): AccountState | null => {
  const before = wayInWith(account.passkeys, key)
  if (before === null || (before.counter > 0 && counter <= before.counter)) return null
  return { ...account, passkeys: withWayInChange(account.passkeys, key, { counter, last_used: now }) }
}
