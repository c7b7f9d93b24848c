/** The roles of people whom a provider of OpenID Connect knows, by what it says of them (docs/sign-in.md#roles). */
import type { Role } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { isRole, roles } from '@publishing-service/domain/roles'
import { maxInstance, normalRoles, type UserRights } from './user.js'

/** What the holders of a value of a claim may do. */
export type ClaimRole = {
  /** The name of the claim, and below it the names in objects. */
  readonly claim: readonly string[]
  /** The text that the claim is, or that is in its list. */
  readonly value: string
  readonly grants: 'operator' | { readonly instance: number; readonly role: Role }
}

/** What becomes of a person whom the provider knows and no account. */
export const unknownPeople = ['refuse', 'create', 'match-email'] as const
export type UnknownPeople = (typeof unknownPeople)[number]

/** How people sign in with a provider. */
export type ProviderRules = {
  /** The text of the button. */
  readonly button: string
  /** Empty if the provider decides about no roles. */
  readonly roles: readonly ClaimRole[]
  readonly unknown: UnknownPeople
}

const entryPattern = /^([^:=,\s]+):([^:=,]+)=(?:operator|([1-9]\d*)\/(\w+))$/

const expected =
  'must be entries such as groups:editors=1/editor or groups:admins=operator, separated by commas'

/** Text in which characters that entries consist of are encoded as in addresses; null if it is malformed. */
const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

const isText = (text: string | null): text is string => text !== null && text !== ''

const claimRoleOf = (entry: string): Either<string, ClaimRole> => {
  const [, names, text, number, role] = entryPattern.exec(entry) ?? []
  const claim = (names ?? '').split('.').map(decoded)
  const value = decoded(text ?? '')
  if (!claim.every(isText) || !isText(value)) return E.left(`${expected}: “${entry}” is none`)
  if (number === undefined || role === undefined) return E.right({ claim, value, grants: 'operator' })
  const instance = Number(number)
  if (instance > maxInstance) return E.left(`${expected}: the instance in “${entry}” is above ${maxInstance}`)
  return isRole(role)
    ? E.right({ claim, value, grants: { instance, role } })
    : E.left(`${expected}: the role in “${entry}” is none of ${roles.join(', ')}`)
}

/** The entries of a setting, or what it has to be. Empty entries are ignored. */
export const claimRolesOf = (text: string): Either<string, readonly ClaimRole[]> => {
  const found: ClaimRole[] = []
  for (const entry of text.split(',').map((each) => each.trim())) {
    if (entry === '') continue
    const read = claimRoleOf(entry)
    if (E.isLeft(read)) return read
    found.push(read.right)
  }
  return E.right(found)
}

const claimIn = (claims: JsonObject, names: readonly string[]): Json =>
  names.reduce<Json>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null),
    claims,
  )

const holds = (claims: JsonObject, { claim, value }: ClaimRole): boolean => {
  const found = claimIn(claims, claim)
  const held: readonly Json[] = Array.isArray(found) ? found : [found]
  return held.some((each) => each !== null && typeof each !== 'object' && String(each) === value)
}

/** What a person with these claims may do: everything that an entry grants. */
export const rolesOfClaims = (mapping: readonly ClaimRole[], claims: JsonObject): UserRights => {
  const granted = mapping.filter((each) => holds(claims, each)).map(({ grants }) => grants)
  return {
    operator: granted.includes('operator'),
    roles: normalRoles(
      granted.flatMap((each) =>
        each === 'operator' ? [] : [{ instance: each.instance, roles: [each.role] }],
      ),
    ),
  }
}
