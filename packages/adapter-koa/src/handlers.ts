import type { Outcome } from '@publishing-service/application'
import type { Operation } from '@publishing-service/http-contract'
import type { Answer } from './answer.js'
import type { InstanceRequest, WireRequest } from './wire-request.js'

/** The operations that anybody may ask for, on no instance. */
export type ServiceOperation =
  'exchangeToken' | 'readService' | 'readLiveness' | 'readReadiness' | 'readPage' | 'readOpenApi'

/** What answers each operation: an operation without a handler doesn't compile. */
export type Handlers = {
  readonly [O in Operation]: (
    request: O extends ServiceOperation ? WireRequest : InstanceRequest,
  ) => Outcome<Answer>
}
