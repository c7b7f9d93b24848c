/** How people sign in with a provider of OpenID Connect (docs/sign-in.md). */
import {
  pathInDashboard,
  withWayInChange,
  type ProviderError,
  type ProviderRules,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { Clock, IdentityProvider, Ids, Log, Secrets } from '@publishing-service/ports'
import type { RecordSignIn, SignInOutcome } from '../access/record-sign-in.js'
import { attempt, fail, orThrow } from '../attempt.js'
import type { ProviderPeople } from './provider-people.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { BegunSession } from './sign-in-sessions.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { reportSignIn, type Visit } from './visit.js'

/** A sign-in that was begun: where the browser goes, and the state and the secret that identify it when it comes back. */
type BegunProviderSignIn = { readonly address: string; readonly state: string; readonly secret: string }

/** A sign-in that has ended: the session, and the path of the dashboard to go to. */
type ProviderSignedIn = BegunSession & { readonly to: string }

/** None of the functions rejects: a browser that comes from the provider shows what the dashboard says. */
export type ProviderSignIn = {
  readonly begin: (visit: Visit, to: string) => Promise<E.Either<ProviderError, BegunProviderSignIn>>
  /** `returned` is the path that the browser came back to, with its query; `secret` is that of its cookie. */
  readonly finish: (
    visit: Visit,
    returned: string,
    answer: { readonly state: string; readonly secret: string },
  ) => Promise<E.Either<ProviderError, ProviderSignedIn>>
  /** Where a person of the provider signs out there too; null if nowhere. */
  readonly signOut: (next: string) => Promise<string | null>
}

type Services = {
  readonly provider: IdentityProvider | null
  readonly rules: ProviderRules | null
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly people: ProviderPeople
  readonly signInChallenges: SignInChallenges
  readonly recordSignIn: RecordSignIn
  /** Begins the session of a person who has signed in, and ends the one with the id that the browser had. */
  readonly signedIn: (visit: Visit, person: NamedUser, earlier: string | null) => Promise<BegunSession>
}

/** Where the provider sends the browser back to. */
const callbackOf = ({ base }: Visit): string => `${base}/sign-in/provider/callback`

export const createProviderSignIn = (services: Services): ProviderSignIn => {
  const { provider, rules, clock, ids, log, secrets, accounts, people, signInChallenges, recordSignIn } =
    services

  const refuse = (visit: Visit, outcome: SignInOutcome, person: NamedUser | null): void =>
    reportSignIn(recordSignIn, visit, outcome, person, person !== null)

  /** The result of steps; an unavailable part is one of the errors. */
  const orUnavailable = async <A>(
    steps: () => Promise<E.Either<ProviderError, A>>,
  ): Promise<E.Either<ProviderError, A>> => {
    const outcome = await attempt(steps)
    if (E.isRight(outcome)) return outcome.right
    const { _tag } = outcome.left
    const reason = outcome.left._tag === 'PortFailure' ? outcome.left.reason : _tag
    log.write('warn', 'sign-in with the provider failed', { reason })
    return E.left('provider_unavailable')
  }

  return {
    begin: (visit, to) =>
      orUnavailable(async () => {
        if (provider === null) return E.left('provider_off')
        const { address, secrets: known } = await orThrow(provider.begin(callbackOf(visit)))
        const secret = ids.secret()
        const { state, nonce, verifier } = known
        // The browser comes back from another site, which is why its session is not known then.
        const session = visit.session === null ? {} : { session: secrets.digest(visit.session) }
        const content = { nonce, verifier, to: pathInDashboard(to), ...session }
        await signInChallenges.open('provider', state, secrets.digest(secret), content)
        return E.right({ address, state, secret })
      }),

    finish: (visit, returned, { state, secret }) =>
      orUnavailable(async () => {
        if (provider === null || rules === null) return E.left('provider_off')
        const opened = await signInChallenges.close('provider', state, secrets.digest(secret))
        if (opened === null) return E.left('provider_expired')
        const { nonce = '', verifier = '', to = '/', session = null } = opened
        const found = await provider.finish(callbackOf(visit), returned, { state, nonce, verifier })()
        if (E.isLeft(found)) {
          if (found.left._tag === 'PortFailure') fail(found.left)
          log.write('warn', 'the provider has refused a sign-in', { reason: found.left.reason })
          refuse(visit, 'identity refused', null)
          return E.left('provider_refused')
        }
        const identity = found.right
        const person = await people.personOf(visit, identity, rules)
        if (person === null || person.user.disabled) {
          refuse(visit, person === null ? 'identity refused' : 'disabled user', person)
          return E.left(person === null ? 'account_unknown' : 'account_disabled')
        }
        await people.applyRoles(visit, person, identity, rules)
        const use = { last_used: clock.now() }
        await accounts.change(person.id, (before) => ({
          ...before,
          identities: withWayInChange(before.identities, people.keyOf(identity), use),
        }))
        return E.right({ ...(await services.signedIn(visit, person, session)), to })
      }),

    signOut: async (next) => {
      const address = provider === null ? null : await provider.signOut(next)()
      return address === null || E.isLeft(address) ? null : address.right
    },
  }
}
