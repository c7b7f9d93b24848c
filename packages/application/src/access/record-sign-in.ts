import { clientAddress } from '@publishing-service/access'
import type { Audit } from '../audit/audit.js'
import type { Ports } from '../ports.js'
import { WindowCounts } from './rate-limits.js'

/** How an attempt to sign in ended. The response is the same for all that fail with a key, and for all of a person. */
export type SignInOutcome =
  | 'succeeded'
  | 'unknown key'
  | 'revoked key'
  | 'wrong secret'
  | 'no role'
  | 'disabled user'
  | 'wrong password'
  | 'wrong code'
  | 'passkey refused'
  | 'identity refused'

/** The attempt, for logs. */
export type SignIn = {
  /** `exchangeToken` with a key, `signIn` of a person. */
  readonly operation: 'exchangeToken' | 'signIn'
  /**
   * The API key, or the UUID of the person; null if it does not exist, because the text could be anything, such as a
   * secret.
   */
  readonly key: string | null
  readonly outcome: SignInOutcome
}

/** Where an attempt came from. */
export type SignInSource = {
  /** Remote address. Failures are counted by it. */
  readonly address: string
  /** The request id. Attempts without one are not in the audit log. */
  readonly requestId?: string
  readonly clientRequestId?: string | null
}

const minute = 60_000
const maxKeys = 10_000
const failuresOfKey = 10

/** Records a sign-in. `user` is null if the attempt has not shown that it is by the user of the key. */
export type RecordSignIn = (
  signIn: SignIn,
  source: SignInSource,
  user: { readonly id: string; readonly name: string } | null,
) => void

/**
 * Adds attempts with existing keys to the audit log, in the background (docs/behaviour/administration.md#sign-ins): in a
 * minute one entry for a key, an address and an outcome, and at most ten for failures with a key.
 */
export const createRecordSignIn = (
  { clock, metrics }: Pick<Ports, 'clock' | 'metrics'>,
  audit: Pick<Audit, 'note'>,
): RecordSignIn => {
  const entries = new WindowCounts(clock, minute, maxKeys)
  const failures = new WindowCounts(clock, minute, maxKeys)
  return (
    { operation, key, outcome },
    { address, requestId: request, clientRequestId: clientRequest = null },
    user,
  ) => {
    metrics.count('signIn', { operation, outcome })
    if (key === null || request === undefined) return
    const entry = `${key} ${clientAddress(address)} ${outcome}`
    const hasFailed = outcome !== 'succeeded'
    if (entries.of(entry).count > 0) return
    if (hasFailed && failures.of(key).count >= failuresOfKey) return
    entries.count(entry)
    if (hasFailed) failures.count(key)
    audit.note(
      {
        user: user?.id ?? null,
        name: user?.name ?? 'unknown',
        apiKey: user === null || operation === 'signIn' ? null : key,
        address,
        request,
        clientRequest,
      },
      {
        instance: null,
        operation,
        collection: operation === 'signIn' ? 'users' : 'keys',
        object: key,
        changes: { outcome },
      },
    )
  }
}
