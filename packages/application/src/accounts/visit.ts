/** Requests of people who sign in, for the audit log and the log. */
import type { User } from '@publishing-service/access'
import type { RecordSignIn, SignIn, SignInOutcome, SignInSource } from '../access/record-sign-in.js'
import type { AuditSource } from '../audit/audit.js'

/** The browser of a sign-in. */
export type Browser = { readonly address: string; readonly agent: string | null }

/** A request to sign in, without its body. */
export type Visit = SignInSource &
  Browser & {
    /** The token of the session that the browser has, which is replaced; null if it has none. */
    readonly session: string | null
    /** What the browser got at the last sign-in with a password, to be known again; null if it has nothing. */
    readonly browserToken: string | null
    readonly strict: boolean
    /** The base of the addresses of the service as the browser knows them. */
    readonly base: string
    readonly onSignIn: (signIn: SignIn) => void
  }

type Person = { readonly id: string; readonly user: Pick<User, 'name'> }

/** The source of what a visit changes; null for a person who is not known. Changes without a request id are not recorded. */
export const sourceOfVisit = (
  { address, requestId: request, clientRequestId: clientRequest = null }: Visit,
  person: Person | null,
): AuditSource | null =>
  request === undefined
    ? null
    : {
        user: person?.id ?? null,
        name: person?.user.name ?? 'unknown',
        apiKey: null,
        address,
        request,
        clientRequest,
      }

/** Reports how a sign-in ended. `isShown` says whether it has shown that it is by the person. */
export const reportSignIn = (
  recordSignIn: RecordSignIn,
  visit: Visit,
  outcome: SignInOutcome,
  person: Person | null,
  isShown: boolean,
): void => {
  const signIn: SignIn = { operation: 'signIn', key: person?.id ?? null, outcome }
  visit.onSignIn(signIn)
  recordSignIn(signIn, visit, isShown && person !== null ? { id: person.id, name: person.user.name } : null)
}
