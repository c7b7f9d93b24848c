import {
  type AccountState,
  passkeyParty,
  wayInWith,
  withCodeUse,
  withPasskeyUse,
  withRecoveryCodeUse,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Secrets } from '@publishing-service/ports'
import type { Ports } from '../ports.js'
import { portPasskey } from './new-passkey.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { Accounts, NamedUser } from './stored-account.js'
import type { Visit } from './visit.js'

type Services = Pick<Ports, 'clock' | 'oneTimeCodes' | 'passkeys'> & {
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly signInChallenges: SignInChallenges
}

/** Checks of codes and passkeys, each of which is used once. */
export class UsedWaysIn {
  constructor(private readonly services: Services) {}

  /** Writes an account after a use, in one step; null if the use is not accepted. */
  async #usedBy(
    id: string,
    rule: (before: AccountState) => AccountState | null,
  ): Promise<AccountState | null> {
    let isAccepted = false
    const after = await this.services.accounts.change(id, (before) => {
      const used = rule(before)
      isAccepted = used !== null
      return used ?? before
    })
    return isAccepted ? after : null
  }

  /** The account after the use of a code, which nobody has used before; null if the code is wrong. */
  async usedCode(
    id: string,
    { one_time_secret: secret }: AccountState,
    code: string,
  ): Promise<AccountState | null> {
    const step =
      secret === null ? null : this.services.oneTimeCodes.stepOf(secret, code, this.services.clock.now())
    const digest = this.services.secrets.digest(code)
    return this.#usedBy(id, (before) => {
      // The person may have changed the codes meanwhile.
      if (before.one_time_secret !== secret) return null
      return step === null ? withRecoveryCodeUse(before, digest) : withCodeUse(before, step)
    })
  }

  /** The account after the use of a passkey; null if the answer is not accepted. */
  async usedPasskey(
    { base }: Visit,
    { id }: NamedUser,
    { challenge, id: credential }: { readonly challenge: string; readonly id: string },
    answer: JsonObject,
  ): Promise<AccountState | null> {
    if ((await this.services.signInChallenges.close('passkey', challenge, null)) === null) return null
    const key = this.services.secrets.digest(credential)
    const stored = wayInWith((await this.services.accounts.read(id)).passkeys, key)
    if (stored === null) return null
    const verified = await this.services.passkeys.verifyUse(
      passkeyParty(base),
      challenge,
      portPasskey(stored),
      answer,
    )
    if (E.isLeft(verified)) return null
    const use = { counter: verified.right.counter, now: this.services.clock.now() }
    return this.#usedBy(id, (before) => withPasskeyUse(before, key, use))
  }
}
