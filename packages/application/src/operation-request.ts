/** Requests for operations, and what they run. */
import type { E } from '@publishing-service/domain/fp'
import type { Links } from '@publishing-service/domain/engine'
import type { Principal } from './access/principals.js'
import type { Precondition } from './engine/precondition.js'
import type { Failure } from './failure.js'
import type { Session } from './session.js'

/** The principal of the token, or why the token is not valid; null if the request has no token. */
export type Identity = E.Either<Failure, Principal> | null

/** A request for an operation, without its input. */
export type OperationRequest = {
  readonly identity: Identity
  /** Remote address of the client; null for the command line. */
  readonly address: string | null
  /** The request id. The changes of a request without one, such as writing the sample, are not in the audit log. */
  readonly requestId: string | null
  /** The request id that the client chose; null if it has sent none. */
  readonly clientRequestId?: string | null
  readonly links: Links
  /** Whether unknown names and tolerated values are faults: `Prefer: handling=strict`. */
  readonly strict: boolean
  /** If-Match and If-None-Match of a write. */
  readonly precondition?: Precondition | undefined
  /** The number that the address names; null if it names none. An operation on the deployment ignores it. */
  readonly instance: number | null
}

/** A request at the address of an instance. */
export type InstanceRequest = OperationRequest & { readonly instance: number }

/** An operation that a request may run. */
export type Opened<Input, Output> = {
  /**
   * Runs it once in its session. A write is recorded in the audit log. NotFound if the instance was deleted in the meantime,
   * and the write with it.
   */
  readonly run: (input: Input) => Promise<Output>
  /** Its session on the instance; null for an operation on the deployment, whose results no cache has. */
  readonly session: Session | null
}
