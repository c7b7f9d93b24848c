/** One-time codes as the second factor of passwords (docs/behaviour/accounts.md#one-time-codes). */
import { badParameters, fault, type Problem } from '@publishing-service/domain'
import { stored, text } from '@publishing-service/domain/declare'
import { challengeMinutes, passwordAttribute, type AccountState } from './account.js'

const code = text({ max: 40, min: 1 })

/** The code that a person types at a sign-in. */
const signInCode = stored(code, 'A one-time code, or a recovery code; null if the account has none.')

/** A sign-in with a password. */
export const passwordSignIn = {
  attributes: {
    email: stored(text({ max: 254, min: 1 }), 'The e-mail address.', { required: true }),
    ...passwordAttribute,
    code: signInCode,
  },
  examples: { bodies: [{ email: 'ada@example.org', password: 'an example of a long password' }] },
} as const

/** The code with which a person shows that their authenticator has the secret. */
export const codeActivation = {
  attributes: { code: stored(code, 'The present one-time code.', { required: true }) },
  examples: { bodies: [{ code: '123456' }] },
} as const

/** Whether passwords alone are enough. */
export const secondFactors = ['optional', 'required'] as const
export type SecondFactor = (typeof secondFactors)[number]

/** How many recovery codes a person has at first. */
export const recoveryCodeCount = 10

/** A code as it is compared: apps and papers show it in groups. */
export const typedCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase()

/** Whether a code, as it is compared, is of an authenticator app; recovery codes are longer. */
export const isOneTimeCode = (typed: string): boolean => /^\d{6}$/.test(typed)

/** A recovery code, from a random text of at least 32 letters and digits: 24 of them in groups. They have more than 112 bits, so that a digest is enough to store them. */
export const recoveryCodeFrom = (random: string): string =>
  (
    random
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(-24)
      .match(/.{1,4}/g) ?? []
  ).join('-')

const wrongCode = fault(
  'code',
  'rule',
  'is not the present code of the secret: type the one that is shown now',
)

/** The problem of a code that is not of the secret. */
export const wrongCodeProblem: Problem = badParameters([wrongCode])

/** The problem of a secret that was not requested within the time of a challenge. */
export const noSecretProblem: Problem = badParameters([
  fault('code', 'rule', `has no secret: ask for a new one, and use it within ${challengeMinutes} minutes`),
])

/** Why an account has no use for one-time codes; null if it has. */
export const codesProblem = ({ password }: AccountState): Problem | null =>
  password === null
    ? badParameters([fault('', 'rule', 'has no password: one-time codes are its second factor')])
    : null

/** The account with one-time codes. `step` is that of the code by which they were activated, which is used up. */
export const withCodes = (
  account: AccountState,
  {
    secret,
    step,
    digests,
  }: { readonly secret: string; readonly step: number; readonly digests: readonly string[] },
): AccountState => ({ ...account, one_time_secret: secret, one_time_step: step, recovery_codes: digests })

/** The account after a code of this step; null if that or a later one was used. */
export const withCodeUse = (account: AccountState, step: number): AccountState | null =>
  step > (account.one_time_step ?? -1) ? { ...account, one_time_step: step } : null

/** The account after a recovery code; null if it has no such code. */
export const withRecoveryCodeUse = (account: AccountState, digest: string): AccountState | null =>
  account.recovery_codes.includes(digest)
    ? { ...account, recovery_codes: account.recovery_codes.filter((each) => each !== digest) }
    : null

/**
 * Whether a session has no rights until its person has set up a second factor: where the deployment requires one, after a
 * sign-in with a password or a link alone. A passkey is two factors, and a provider and a key have other rules.
 */
export const needsSecondFactor = (
  setting: SecondFactor,
  way: string,
  { one_time_secret: secret, passkeys }: AccountState,
): boolean => {
  if (setting === 'optional' || secret !== null) return false
  return way === 'password' || (way === 'link' && passkeys.length === 0)
}
