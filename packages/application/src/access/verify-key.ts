import type { Problem } from '@publishing-service/domain'
import { effectiveRights, hasRights, type InstanceRoles, userOf } from '@publishing-service/access'
import { StoredKey } from '../administration/stored-keys.js'
import { unwrap } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { Fail } from '../failure.js'
import type { Ports } from '../ports.js'
import { unlessBusy, type LimitGuesses } from './guess-limit.js'
import type { RecordSignIn, SignIn, SignInOutcome, SignInSource } from './record-sign-in.js'
import { userIn } from './stored-user.js'

/** A key and its secret, as somebody sent them. */
export type KeyAttempt = SignInSource & {
  readonly apiKey: string
  readonly apiSecret: string
  /** Receives how the attempt ended, if it was decided. */
  readonly onSignIn?: (signIn: SignIn) => void
}

/** The user of a key, with its roles in the order of instances. */
export type KeyUser = {
  readonly user: string
  readonly name: string
  readonly roles: readonly InstanceRoles[]
}

const invalidClient: Problem<'InvalidClient'> = { _tag: 'InvalidClient' }
const maxKey = 200
const { keys, users } = systemCollections

/**
 * The user of a key whose secret is right; fails otherwise. An unknown key and a wrong secret take the same
 * work. `finish` runs once the secret is verified, and before the attempt is recorded as a success.
 */
export type VerifyKey = <A>(
  attempt: KeyAttempt,
  finish: (user: KeyUser) => Promise<A>,
  failWith: Fail<'InvalidClient'>,
) => Promise<A>

export const createVerifyKey = (
  { documents, secrets }: Pick<Ports, 'documents' | 'secrets'>,
  limitGuesses: LimitGuesses,
  recordSignIn: RecordSignIn,
): VerifyKey => {
  const verifiedUser = async (
    { apiKey, apiSecret }: KeyAttempt,
    decide: Decide,
    failWith: Fail<'InvalidClient'>,
  ): Promise<KeyUser | null> => {
    const found =
      apiKey.length > maxKey ? null : unwrap(await documents.get(keys.name, systemInstance, apiKey)())
    const key = found === null ? null : decodeStored(StoredKey, found)
    const usable = key?.revoked === null ? key : null
    const isRight = await unlessBusy(secrets.verify(apiSecret, usable === null ? null : usable.secret))
    if (!isRight || usable === null) {
      if (key === null) decide('unknown key', null, null)
      else decide(usable === null ? 'revoked key' : 'wrong secret', apiKey, null)
      return null
    }
    const owner = unwrap(await documents.get(users.name, systemInstance, usable.user)())
    const user = owner === null ? userOf({}) : userIn(owner)
    const rights = effectiveRights(user)
    // An operator without roles needs a token for the deployment.
    if (!hasRights(rights)) {
      decide(user.disabled ? 'disabled user' : 'no role', apiKey, { id: usable.user, name: user.name })
      return failWith(invalidClient)
    }
    return { user: usable.user, name: user.name, roles: rights.roles }
  }

  return async (attempt, finish, failWith) => {
    const decide: Decide = (outcome, key, user) => {
      const signIn: SignIn = { operation: 'exchangeToken', key, outcome }
      attempt.onSignIn?.(signIn)
      recordSignIn(signIn, attempt, user)
    }
    const finished = await limitGuesses(attempt.address, attempt.apiKey, async () => {
      const user = await verifiedUser(attempt, decide, failWith)
      if (user === null) return null
      const result = await finish(user)
      decide('succeeded', attempt.apiKey, { id: user.user, name: user.name })
      return { result }
    })
    return finished === null ? failWith(invalidClient) : finished.result
  }
}

type Decide = (
  outcome: SignInOutcome,
  key: string | null,
  user: { readonly id: string; readonly name: string } | null,
) => void
