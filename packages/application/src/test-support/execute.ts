/** Runs operations as the HTTP adapter does. */
import { attempt, orThrow } from '../attempt.js'
import type { AnyDeploymentOperation } from '../deployment-operation.js'
import type { Outcome } from '../failure.js'
import type { OperationRequest } from '../operation-request.js'
import type { Operation } from '../operation.js'
import type { Session } from '../session.js'
import type { UseCases } from '../use-cases.js'

/** The output of an operation, and what it depends on. */
export type Execution<Output> = { readonly output: Output } & Pick<Session, 'dependencies' | 'isTimed'>

/** Opens a session for a request, then decodes the input and runs the operation. */
export type Execute = <Input, Output>(
  operation: Operation<Input, Output>,
  request: OperationRequest,
  input: Outcome<Input>,
) => Outcome<Execution<Output>>

export const executeIn =
  (sessions: UseCases['sessions']): Execute =>
  (operation, request, input) =>
  () =>
    attempt(async () => {
      const { run, session } = await sessions.open(operation, request)
      const output = await run(await orThrow(input))
      if (session === null) throw new Error(`${operation.name} has no instance`)
      const { dependencies, isTimed } = session
      return { output, dependencies, isTimed }
    })

/** The same on the deployment. */
export type ExecuteOnDeployment = <Input, Output>(
  operation: AnyDeploymentOperation<Input, Output>,
  request: OperationRequest,
  input: Outcome<Input>,
) => Outcome<Output>

export const executeOnDeploymentIn =
  (sessions: UseCases['sessions']): ExecuteOnDeployment =>
  (operation, request, input) =>
  () =>
    attempt(async () => {
      const { run } = await sessions.open(operation, request)
      return run(await orThrow(input))
    })
