/** How people sign in to the dashboard, and out of it (docs/behaviour/accounts.md). */
import type { Problem } from '@publishing-service/domain'
import {
  foldedEmail,
  isOneTimeCode,
  keySignIn,
  passkeyParty,
  passkeySignIn,
  passwordSignIn,
  type ProviderRules,
  type SignInWays,
  typedCode,
} from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Secrets } from '@publishing-service/ports'
import type { GuessLimits } from '../access/guess-limit.js'
import type { RecordSignIn, SignInOutcome } from '../access/record-sign-in.js'
import type { SharedRates } from '../access/shared-rates.js'
import type { KeyUser, VerifyKey } from '../access/verify-key.js'
import type { AdministerKeys } from '../administration/administer-keys.js'
import type { AdministerUsers } from '../administration/administer-users.js'
import { draftOf } from '../administration/draft-of.js'
import type { Audit } from '../audit/audit.js'
import type { Ports } from '../ports.js'
import type { Fail } from '../failure.js'
import type { EmailConfirmation } from './email-confirmation.js'
import type { EndAccess } from './end-access.js'
import { createForgottenPassword, type ForgottenPassword } from './forgotten-password.js'
import { verifyPassword } from './hash-password.js'
import { KnownBrowsers } from './known-browsers.js'
import { createLinkUse, type LinkUse } from './link-use.js'
import type { MailQueue } from './mail-queue.js'
import { ProviderPeople } from './provider-people.js'
import { createProviderSignIn, type ProviderSignIn } from './provider-sign-in.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { SignInLinks } from './sign-in-links.js'
import { isSessionToken, type BegunSession, type SignInSessions, type WayIn } from './sign-in-sessions.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { UsedWaysIn } from './used-ways-in.js'
import { reportSignIn, type Visit } from './visit.js'

/** Functions throw a failure that none declares, or end with `failWith`. */
export type SignInUseCases = LinkUse &
  ForgottenPassword & {
    readonly withKey: (
      visit: Visit,
      body: JsonObject,
      failWith: Fail<'InvalidClient'>,
    ) => Promise<BegunSession>
    /** The token is for the browser, which is known by it at the next sign-in. */
    readonly withPassword: (
      visit: Visit,
      body: JsonObject,
      failWith: Fail<'SignInFailed' | 'SecondFactorNeeded'>,
    ) => Promise<BegunSession & { readonly browserToken: string }>
    /** The options of a passkey, as JSON for the browser. */
    readonly passkeyOptions: (visit: Visit) => Promise<JsonObject>
    readonly withPasskey: (
      visit: Visit,
      body: JsonObject,
      failWith: Fail<'SignInFailed'>,
    ) => Promise<BegunSession>
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

const signInFailed: Problem<'SignInFailed'> = { _tag: 'SignInFailed' }
const secondFactorNeeded: Problem<'SecondFactorNeeded'> = { _tag: 'SecondFactorNeeded' }

export const createSignIn = (services: Services): SignInUseCases => {
  const { accounts, forget, ids, passkeys, recordSignIn, secrets } = services
  const { signInChallenges, signInSessions, verifyKey } = services
  const { limitGuesses, limitKnown, limitCodes } = services.guessLimits
  const browsers = new KnownBrowsers(services)
  const ways = new UsedWaysIn(services)

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
    people: new ProviderPeople(services),
    signedIn: async (visit, person, earlier) => {
      const session = await signedIn(visit, person, { way: 'provider' })
      if (earlier !== null) await signInSessions.end(earlier)
      return session
    },
  })

  return {
    ...createForgottenPassword(services),
    ...createLinkUse({
      ...services,
      signedIn: (visit, person) => signedIn(visit, person, { way: 'link' }),
    }),

    withKey: async (visit, body, failWith) => {
      const { api_key: apiKey, api_secret: apiSecret } = draftOf(
        visit,
        keySignIn.attributes,
        'put',
        body,
        null,
      )
      const beginOf = ({ user }: KeyUser) => begin(visit, user, { way: 'key', key: apiKey })
      return verifyKey({ ...visit, apiKey, apiSecret }, beginOf, failWith)
    },

    withPassword: async (visit, body, failWith) => {
      const {
        email: typedEmail,
        password,
        code,
      } = draftOf(visit, passwordSignIn.attributes, 'put', body, null)
      const email = foldedEmail(typedEmail)
      const known = await browsers.knownBrowser(visit, email)
      const attemptSignIn = async () => {
        const { person, account } = await browsers.personWith(email)
        const { password: hash } = account
        const isRight = await verifyPassword(services, password, hash)
        if (!isRight || hash === null || person === null || person.user.disabled) {
          report(visit, isRight && person !== null ? 'disabled user' : 'wrong password', person)
          return null
        }
        if (account.one_time_secret !== null) {
          // Not a failure, and no success either, which would reset the failures of codes.
          if (code === null) return failWith(secondFactorNeeded)
          const typed = typedCode(code)
          const use = () => ways.usedCode(person.id, account, typed)
          // Recovery codes cannot be guessed, so the person has them while others guess one-time codes.
          const used = await (isOneTimeCode(typed) ? limitCodes(known ?? person.id, use) : use())
          if (used === null) {
            report(visit, 'wrong code', person)
            return null
          }
        }
        const session = await signedIn(visit, person, { way: 'password' })
        return { ...session, browserToken: browsers.browserTokenOf(known ?? ids.secret(), person.id, hash) }
      }
      const begun = await (known === null
        ? limitGuesses(visit.address, email, attemptSignIn)
        : limitKnown(known, attemptSignIn))
      return begun ?? failWith(signInFailed)
    },

    passkeyOptions: async ({ base }) => {
      const { options, challenge } = await passkeys.use(passkeyParty(base))
      await signInChallenges.open('passkey', challenge, null)
      return options
    },

    withPasskey: async (visit, body, failWith) => {
      const { answer } = draftOf(visit, passkeySignIn.attributes, 'put', body, null)
      const claimed = passkeys.claimed(answer)
      const key = secrets.digest(claimed?.id ?? '')
      const begun = await limitGuesses(visit.address, key, async () => {
        const person = claimed === null ? null : await accounts.userWith('passkey_keys', key)
        const used =
          claimed === null || person === null ? null : await ways.usedPasskey(visit, person, claimed, answer)
        if (person === null || used === null || person.user.disabled) {
          report(visit, used === null ? 'passkey refused' : 'disabled user', person)
          return null
        }
        return signedIn(visit, person, { way: 'passkey' })
      })
      return begun ?? failWith(signInFailed)
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
