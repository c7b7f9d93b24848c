/** How people sign in to the dashboard, and out of it (docs/behaviour/accounts.md). */
import type { Problem } from '@publishing-service/domain'
import {
  type AccountState,
  foldedEmail,
  isOneTimeCode,
  keySignIn,
  passkeyParty,
  passkeySignIn,
  passwordSignIn,
  type ProviderRules,
  type SignInWays,
  typedCode,
  wayInWith,
  withCodeUse,
  withPasskeyUse,
  withRecoveryCodeUse,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Secrets } from '@publishing-service/ports'
import type { GuessLimits } from '../access/guess-limit.js'
import type { RecordSignIn, SignInOutcome } from '../access/record-sign-in.js'
import type { SharedRates } from '../access/shared-rates.js'
import type { VerifyKey } from '../access/verify-key.js'
import type { AdministerKeys } from '../administration/administer-keys.js'
import type { AdministerUsers } from '../administration/administer-users.js'
import { draftOf } from '../administration/draft-of.js'
import type { Audit } from '../audit/audit.js'
import type { Ports } from '../ports.js'
import type { EmailConfirmation } from './email-confirmation.js'
import type { EndAccess } from './end-access.js'
import { createForgottenPassword, type ForgottenPassword } from './forgotten-password.js'
import { verifyPassword } from './hash-password.js'
import { createLinkUse, type LinkUse } from './link-use.js'
import type { MailQueue } from './mail-queue.js'
import { portPasskey } from './new-passkey.js'
import { createProviderSignIn, type ProviderSignIn } from './provider-sign-in.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { SignInLinks } from './sign-in-links.js'
import { isSessionToken, type BegunSession, type SignInSessions, type WayIn } from './sign-in-sessions.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { reportSignIn, type Visit } from './visit.js'

/** All functions throw a Failure. */
export type SignInUseCases = LinkUse &
  ForgottenPassword & {
    readonly withKey: (visit: Visit, body: JsonObject) => Promise<BegunSession>
    /** The token is for the browser, which is known by it at the next sign-in. */
    readonly withPassword: (
      visit: Visit,
      body: JsonObject,
    ) => Promise<BegunSession & { readonly browserToken: string }>
    /** The options of a passkey, as JSON for the browser. */
    readonly passkeyOptions: (visit: Visit) => Promise<JsonObject>
    readonly withPasskey: (visit: Visit, body: JsonObject) => Promise<BegunSession>
    /** Ways in that the deployment offers. */
    readonly ways: SignInWays
    readonly provider: ProviderSignIn
    /** Ends the session of a token. Returns where the person signs out of the provider too; null if nowhere. */
    readonly signOut: (token: string, next: string) => Promise<string | null>
  }

type Services = Pick<
  Ports,
  | 'checksum'
  | 'clock'
  | 'identityProvider'
  | 'mailSender'
  | 'ids'
  | 'log'
  | 'oneTimeCodes'
  | 'passkeys'
  | 'passwordStrength'
> & {
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly signInSessions: SignInSessions
  readonly signInLinks: SignInLinks
  readonly signInChallenges: SignInChallenges
  readonly mailQueue: MailQueue
  readonly administerUsers: AdministerUsers
  readonly administerKeys: AdministerKeys
  readonly endAccess: EndAccess
  readonly emailConfirmation: EmailConfirmation
  readonly guessLimits: GuessLimits
  readonly sharedRates: Pick<SharedRates, 'share'>
  readonly provider: ProviderRules | null
  readonly verifyKey: VerifyKey
  readonly recordSignIn: RecordSignIn
  readonly audit: Pick<Audit, 'recorded'>
  /** Has the principal of a token be read again. */
  readonly forget: (token: string) => void
}

const signInFailed: Problem = { _tag: 'SignInFailed' }
const secondFactorNeeded: Problem = { _tag: 'SecondFactorNeeded' }

export const createSignIn = (services: Services): SignInUseCases => {
  const { accounts, clock, forget, ids, oneTimeCodes, passkeys, recordSignIn, secrets } = services
  const { signInChallenges, signInSessions, verifyKey } = services
  const { limitGuesses, limitKnown, limitCodes } = services.guessLimits

  const endSession = async (token: string): Promise<void> => {
    if (isSessionToken(token)) await signInSessions.end(secrets.digest(token))
    forget(token)
  }

  /** Begins a session in place of the one that the browser has. */
  const begin = async (visit: Visit, user: string, wayIn: WayIn): Promise<BegunSession> => {
    const begun = await signInSessions.begin(user, wayIn, visit)
    if (visit.session !== null) await endSession(visit.session)
    return begun
  }

  const report = (visit: Visit, outcome: SignInOutcome, person: NamedUser | null): void =>
    reportSignIn(recordSignIn, visit, outcome, person, outcome === 'succeeded')

  /** Begins the session of a person who has signed in, and reports that. */
  const signedIn = async (visit: Visit, person: NamedUser, wayIn: WayIn): Promise<BegunSession> => {
    const session = await begin(visit, person.id, wayIn)
    report(visit, 'succeeded', person)
    return session
  }

  const provider = createProviderSignIn({
    ...services,
    provider: services.identityProvider,
    rules: services.provider,
    signedIn: async (visit, person, earlier) => {
      const session = await signedIn(visit, person, { way: 'provider' })
      if (earlier !== null) await signInSessions.end(earlier)
      return session
    },
  })

  /** Writes an account after a use, in one step; null if the use is not accepted. */
  const usedBy = async (
    id: string,
    rule: (before: AccountState) => AccountState | null,
  ): Promise<AccountState | null> => {
    let isAccepted = false
    const after = await accounts.change(id, (before) => {
      const used = rule(before)
      isAccepted = used !== null
      return used ?? before
    })
    return isAccepted ? after : null
  }

  /** What a known browser of a person has. It is signed with the hash of the password, which never leaves the service. */
  const browserTokenOf = (browser: string, user: string, hash: string): string =>
    `${browser}.${secrets.digest(`${browser} ${user} ${hash}`)}`

  /** The person with an address, and their account. An unknown address takes the same work. */
  const personWith = async (email: string) => {
    const person = await accounts.userWithEmail(email)
    return { person, account: await accounts.read(person?.id ?? email.slice(0, 40)) }
  }

  /** The browser of a visit, if the person with the address has signed in there with their present password; else null. */
  const knownBrowser = async ({ browserToken: token }: Visit, email: string): Promise<string | null> => {
    if (token === null) return null
    const { person, account } = await personWith(email)
    const [browser = ''] = token.split('.')
    const isKnown =
      person !== null &&
      account.password !== null &&
      token === browserTokenOf(browser, person.id, account.password)
    return isKnown ? browser : null
  }

  /** The account after the use of a code, which nobody has used before; null if the code is wrong. */
  const usedCode = async (
    id: string,
    { one_time_secret: secret }: AccountState,
    code: string,
  ): Promise<AccountState | null> => {
    const step = secret === null ? null : oneTimeCodes.stepOf(secret, code, clock.now())
    const digest = secrets.digest(code)
    return usedBy(id, (before) => {
      // The person may have changed the codes meanwhile.
      if (before.one_time_secret !== secret) return null
      return step === null ? withRecoveryCodeUse(before, digest) : withCodeUse(before, step)
    })
  }

  /** The account after the use of a passkey; null if the answer is not accepted. */
  const usedPasskey = async (
    { base }: Visit,
    { id }: NamedUser,
    { challenge, id: credential }: { readonly challenge: string; readonly id: string },
    answer: JsonObject,
  ): Promise<AccountState | null> => {
    if ((await signInChallenges.close('passkey', challenge, null)) === null) return null
    const key = secrets.digest(credential)
    const stored = wayInWith((await accounts.read(id)).passkeys, key)
    if (stored === null) return null
    const verified = await passkeys.verifyUse(passkeyParty(base), challenge, portPasskey(stored), answer)
    if (E.isLeft(verified)) return null
    const use = { counter: verified.right.counter, now: clock.now() }
    return usedBy(id, (before) => withPasskeyUse(before, key, use))
  }

  return {
    ...createForgottenPassword(services),
    ...createLinkUse({
      ...services,
      signedIn: (visit, person) => signedIn(visit, person, { way: 'link' }),
    }),

    withKey: async (visit, body) => {
      const { api_key: apiKey, api_secret: apiSecret } = draftOf(
        visit,
        keySignIn.attributes,
        'put',
        body,
        null,
      )
      return verifyKey({ ...visit, apiKey, apiSecret }, ({ user }) =>
        begin(visit, user, { way: 'key', key: apiKey }),
      )
    },

    withPassword: async (visit, body) => {
      const {
        email: typedEmail,
        password,
        code,
      } = draftOf(visit, passwordSignIn.attributes, 'put', body, null)
      const email = foldedEmail(typedEmail)
      const known = await knownBrowser(visit, email)
      const attemptSignIn = async () => {
        const { person, account } = await personWith(email)
        const { password: hash } = account
        const isRight = await verifyPassword(services, password, hash)
        if (!isRight || hash === null || person === null || person.user.disabled) {
          report(visit, isRight && person !== null ? 'disabled user' : 'wrong password', person)
          return null
        }
        if (account.one_time_secret !== null) {
          // Not a failure, and no success either, which would reset the failures of codes.
          if (code === null) throw secondFactorNeeded
          const typed = typedCode(code)
          const use = () => usedCode(person.id, account, typed)
          // Recovery codes cannot be guessed, so the person has them while others guess one-time codes.
          const used = await (isOneTimeCode(typed) ? limitCodes(known ?? person.id, use) : use())
          if (used === null) {
            report(visit, 'wrong code', person)
            return null
          }
        }
        const session = await signedIn(visit, person, { way: 'password' })
        return { ...session, browserToken: browserTokenOf(known ?? ids.secret(), person.id, hash) }
      }
      const begun = await (known === null
        ? limitGuesses(visit.address, email, attemptSignIn)
        : limitKnown(known, attemptSignIn))
      if (begun === null) throw signInFailed
      return begun
    },

    passkeyOptions: async ({ base }) => {
      const { options, challenge } = await passkeys.use(passkeyParty(base))
      await signInChallenges.open('passkey', challenge, null)
      return options
    },

    withPasskey: async (visit, body) => {
      const { answer } = draftOf(visit, passkeySignIn.attributes, 'put', body, null)
      const claimed = passkeys.claimed(answer)
      const key = secrets.digest(claimed?.id ?? '')
      const begun = await limitGuesses(visit.address, key, async () => {
        const person = claimed === null ? null : await accounts.userWith('passkey_keys', key)
        const used =
          claimed === null || person === null ? null : await usedPasskey(visit, person, claimed, answer)
        if (person === null || used === null || person.user.disabled) {
          report(visit, used === null ? 'passkey refused' : 'disabled user', person)
          return null
        }
        return signedIn(visit, person, { way: 'passkey' })
      })
      if (begun === null) throw signInFailed
      return begun
    },

    ways: {
      password: true,
      passkey: true,
      key: true,
      provider: services.provider?.button ?? null,
      mail: services.mailSender !== null,
    },

    provider,

    signOut: async (token, next) => {
      const session = isSessionToken(token) ? await signInSessions.read(secrets.digest(token)) : null
      await endSession(token)
      return session?.way === 'provider' ? provider.signOut(next) : null
    },
  }
}
