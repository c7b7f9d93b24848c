/** Sign-in with a provider of OpenID Connect (docs/sign-in.md). */
import {
  asLine,
  nullable,
  type Shape,
  shown,
  shownTime,
  textSchema,
} from '@publishing-service/domain/declare'
import { hasWayIn, maxKeyedWaysIn, type AccountState, type Identity } from './account.js'
import { wayInWith } from './keyed-ways-in.js'
import type { ClaimRole } from './provider-roles.js'
import { foldedEmail, nameFaults, normalRoles, userOf, type User, type UserRights } from './user.js'

/** Why nobody is signed in with the provider, as the dashboard receives it in its address. */
export const providerErrors = [
  'provider_off',
  'provider_unavailable',
  'provider_refused',
  'provider_expired',
  'account_unknown',
  'account_disabled',
] as const
export type ProviderError = (typeof providerErrors)[number]

const maxPath = 500

/** The path of the dashboard to return to. Whatever is none leads to its first page. */
export const pathInDashboard = (to: string): string =>
  to.length <= maxPath && /^\/(?!\/)[\w\-.~%/?=&:,]*$/.test(to) ? to : '/'

const isManaged = (mapping: readonly ClaimRole[], instance: number, role: string): boolean =>
  mapping.some(({ grants }) => grants !== 'operator' && grants.instance === instance && grants.role === role)

const has = ({ roles }: UserRights, instance: number, role: string): boolean =>
  roles.some((each) => each.instance === instance && each.roles.some((held) => held === role))

/** Rights without what the provider decides about and does not grant any more. Others have given the rest. */
export const withoutLostRights = (
  held: UserRights,
  mapping: readonly ClaimRole[],
  granted: UserRights,
): UserRights => {
  const decidesOperator = mapping.some(({ grants }) => grants === 'operator')
  return {
    operator: held.operator && (granted.operator || !decidesOperator),
    roles: normalRoles(
      held.roles.map(({ instance, roles }) => ({
        instance,
        roles: roles.filter((role) => !isManaged(mapping, instance, role) || has(granted, instance, role)),
      })),
    ),
  }
}

/** Rights with some more. */
export const withRights = (held: UserRights, more: UserRights): UserRights => ({
  operator: held.operator || more.operator,
  roles: normalRoles([...held.roles, ...more.roles]),
})

/** A text of the provider as the name of a user: one line that is not too long; null if that is no name. */
const nameOf = (text: string | null): string | null => {
  const name = [...asLine(text ?? '').toWellFormed()].slice(0, 255).join('')
  return nameFaults(name).length === 0 ? name : null
}

/** A new user for a person whom the provider knows. It has no role. */
export const userOfIdentity = ({
  name,
  email,
}: {
  readonly name: string | null
  /** Null if the provider has not verified it, or another user has it. */
  readonly email: string | null
}): User => userOf({ name: nameOf(name) ?? email ?? 'New person', email })

/**
 * The UUID of the user who is made for an identity, from the SHA-256 of the identity in hexadecimal digits. It is always the
 * same (version 8 of RFC 9562), so that a store accepts one of two users that are made at once.
 */
export const userIdOfIdentity = (checksum: string): string =>
  checksum.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

/** The address by which an account is found: one that the provider has verified. */
export const verifiedEmail = ({
  email,
  isEmailVerified,
}: {
  readonly email: string | null
  readonly isEmailVerified: boolean
}): string | null => (email !== null && isEmailVerified && email.length <= 254 ? foldedEmail(email) : null)

/** An identity at a provider as its owner sees it. */
export const identityShape: Shape = {
  attributes: {
    id: shown('key', textSchema, 'Identifier of the identity.'),
    provider: shown('issuer', textSchema, 'The address by which the provider is known.'),
    created: shownTime('created', 'When the person first signed in with it, in UTC.'),
    last_used: shownTime('last_used', 'When the person last signed in with it, in UTC.', nullable),
  },
}

/** The account with an identity at a provider; null if it has too many. */
export const withIdentity = (account: AccountState, identity: Identity): AccountState | null => {
  const { identities } = account
  if (wayInWith(identities, identity.key) !== null) return account
  return identities.length >= maxKeyedWaysIn ? null : { ...account, identities: [...identities, identity] }
}

/** Whether the account that was made for an identity is still that of it: not after its person has removed the identity. */
export const isAccountOf = (account: AccountState, key: string): boolean =>
  wayInWith(account.identities, key) !== null || !hasWayIn(account)
