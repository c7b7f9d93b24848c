import { badParameters, fault, type Fault, type Problem, type Role } from '@publishing-service/domain'
import { mayActAs, strongest } from '@publishing-service/domain/roles'
import {
  effectsOfLoss,
  accessLostBy,
  type InstanceRoles,
  type UsableKey,
  type User,
  type UserRights,
} from './user.js'
import { administeredBy, roleChanges } from './user-administration.js'

const path = 'confirm'
const beginning = 'must be true: '

/** Why a change with these effects needs a confirmation; null if it has none (docs/behaviour/administration.md#confirmation). */
export const confirmFault = (effects: readonly string[]): Fault | null =>
  effects.length === 0 ? null : fault(path, 'confirmation', `${beginning}${effects.join(', and ')}`)

/** The effects that a confirmation is needed for; null if the faults are others. */
export const unconfirmedEffects = (faults: readonly Fault[]): string | null =>
  faults
    .find((each) => each.code === 'confirmation' && each.path === path)
    ?.message.slice(beginning.length) ?? null

/** Maximum number of keys of an API user that are not revoked (docs/behaviour/administration.md#keys). */
export const maxUsableKeys = 20

/** A way in of a user: a key that is not revoked, or null for those of the account of a person. */
export type OwnedKey = UsableKey & {
  readonly api_key: string | null
  /** UUID of the user. */
  readonly user: string
}

/** A change that takes rights away, or adds a key. */
export type RightsChange =
  | { readonly kind: 'revokedKey'; readonly user: string; readonly key: string }
  | { readonly kind: 'removedUser'; readonly user: string }
  /** The instances of which the user is admin no longer, and whether it is an operator no longer. */
  | {
      readonly kind: 'reducedRights'
      readonly user: string
      readonly instances: readonly number[]
      readonly operator: boolean
    }

/** What a change of the rights of a user takes away; null if neither the role admin nor the operator's rights. */
export const reductionOf = (user: string, before: UserRights, after: UserRights): RightsChange | null => {
  const left = administeredBy(after)
  const instances = [...administeredBy(before)].filter((instance) => !left.has(instance))
  const operator = before.operator && !after.operator
  return instances.length === 0 && !operator ? null : { kind: 'reducedRights', user, instances, operator }
}

const withoutAdmin = (
  roles: readonly InstanceRoles[],
  instances: readonly number[],
): readonly InstanceRoles[] =>
  roles.filter(
    ({ instance, roles: held }) =>
      !instances.includes(instance) || !held.some((role) => mayActAs(role, 'admin')),
  )

const keyAfter = (key: OwnedKey, change: RightsChange): OwnedKey | null => {
  if (key.user !== change.user) return key
  switch (change.kind) {
    case 'revokedKey':
      return key.api_key === change.key ? null : key
    case 'removedUser':
      return null
    case 'reducedRights':
      return {
        ...key,
        operator: key.operator && !change.operator,
        roles: withoutAdmin(key.roles, change.instances),
      }
  }
}

/** Why a user cannot have another key; null if they can. */
export const newKeyProblem = (keys: readonly OwnedKey[], owner: string): Problem<'TooManyKeys'> | null => {
  const ofUser = keys.filter(({ user, api_key: key }) => user === owner && key !== null)
  return ofUser.length < maxUsableKeys ? null : { _tag: 'TooManyKeys', limit: maxUsableKeys }
}

/**
 * Why a change cannot be made; null if it can. A change that leaves an instance without an admin, or the deployment
 * without an operator who can get in, needs a confirmation.
 */
export const rightsChangeProblem = (
  keys: readonly OwnedKey[],
  change: RightsChange,
  isConfirmed: boolean,
): Problem | null => {
  if (isConfirmed) return null
  const after = keys.flatMap((key) => keyAfter(key, change) ?? [])
  const found = confirmFault(effectsOfLoss(accessLostBy(keys, after)))
  return found === null ? null : badParameters([found])
}

const isStronger = (role: Role | null, than: Role | null): boolean =>
  role !== null && (than === null || !mayActAs(than, role))

/** A way in of a user that somebody else has made, and so may use: keys, an open link, or the address that receives links. */
export type MadeWayIn = { readonly made: 'keys' | 'link' | 'address'; readonly maker: User }

const gainText = ({ made, maker: { name } }: MadeWayIn, gains: string): string => {
  const maker = `“${name}”`
  switch (made) {
    case 'keys':
      return `keys that ${maker} has made would have rights ${gains} that ${maker} does not have`
    case 'link':
      return `the link that ${maker} has made would end, because ${maker} does not have the new rights ${gains}`
    case 'address':
      return `the e-mail address that ${maker} has set would lead to rights ${gains} that ${maker} does not have`
  }
}

/**
 * The effects of new rights of a user where others have made ways in: rights that the maker does not have
 * (docs/behaviour/administration.md#makers-of-keys).
 */
export const gainEffects = (
  before: UserRights,
  after: UserRights,
  ways: readonly MadeWayIn[],
): readonly string[] => {
  const on = ({ roles }: UserRights, instance: number): Role | null =>
    strongest(roles.find((each) => each.instance === instance)?.roles ?? [])
  const stronger = roleChanges(before.roles, after.roles).filter((each) =>
    isStronger(strongest(each.after), strongest(each.before)),
  )
  return ways.flatMap((way) => {
    const { maker } = way
    if (maker.operator) return []
    const instances = stronger.filter((each) => isStronger(strongest(each.after), on(maker, each.instance)))
    const gains = [
      ...instances.map(({ instance }) => `on instance ${instance}`),
      ...(after.operator && !before.operator ? ['on the whole deployment'] : []),
    ]
    return gains.length === 0 ? [] : [gainText(way, gains.join(', '))]
  })
}
