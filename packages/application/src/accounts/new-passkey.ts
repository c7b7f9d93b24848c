/** How a person gets a new passkey: their browser answers to options. */
import { badParameters, fault } from '@publishing-service/domain'
import {
  type AccountState,
  type Passkey as AccountPasskey,
  passkeyLimitProblem,
  passkeyParty,
  refusedAnswer,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Clock, Passkey, Passkeys, Secrets } from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { Accounts, NamedUser } from './stored-account.js'

type Services = {
  readonly accounts: Accounts
  readonly signInChallenges: SignInChallenges
  readonly passkeys: Passkeys
  readonly secrets: Secrets
  readonly clock: Clock
}

export const portPasskey = ({
  id,
  public_key: publicKey,
  counter,
  transports,
  is_synced: isSynced,
}: AccountPasskey): Passkey => ({ id, publicKey, counter, transports, isSynced })

/** The options of a new passkey, as JSON for the browser. `by` is who may answer: the id of the person, or of a link. */
export const optionsOfNewPasskey = async (
  { accounts, passkeys, signInChallenges }: Services,
  base: string,
  { id, user: { name, email } }: NamedUser,
  by: string,
): Promise<JsonObject> => {
  const account = await accounts.read(id)
  throwIf(passkeyLimitProblem(account))
  const person = { id, name: email ?? name, displayName: name }
  const { options, challenge } = await passkeys.creation(
    passkeyParty(base),
    person,
    account.passkeys.map(portPasskey),
  )
  await signInChallenges.open('new passkey', challenge, by)
  return options
}

/** The passkey of an answer; throws BadParameters if it is not accepted. `path` is where the answer was sent. */
export const verifyNewPasskey = async (
  { accounts, passkeys, signInChallenges, secrets, clock }: Services,
  base: string,
  { answer, path, title }: { readonly answer: JsonObject; readonly path: string; readonly title: string },
  by: string,
): Promise<AccountPasskey> => {
  const challenge = passkeys.claimed(answer)?.challenge
  const opened = challenge === undefined ? null : await signInChallenges.close('new passkey', challenge, by)
  if (challenge === undefined || opened === null) fail(refusedAnswer(path))
  const verified = await passkeys.verifyCreation(passkeyParty(base), challenge, answer)
  if (E.isLeft(verified)) fail(refusedAnswer(path))
  const { id, publicKey, counter, transports, isSynced } = verified.right
  const key = secrets.digest(id)
  // Otherwise it would not be clear who signs in with it.
  if ((await accounts.userWith('passkey_keys', key)) !== null)
    fail(badParameters([fault(path, 'taken', 'is of a passkey that an account has already')]))
  return {
    key,
    id,
    public_key: publicKey,
    counter,
    transports,
    is_synced: isSynced,
    title,
    created: clock.now(),
    last_used: null,
  }
}

/** The account with a new passkey; throws BadParameters if it has too many. */
export const withNewPasskey =
  (passkey: AccountPasskey) =>
  (before: AccountState): AccountState => {
    throwIf(passkeyLimitProblem(before))
    return { ...before, passkeys: [...before.passkeys, passkey] }
  }
