/** Runs operations as the HTTP adapter does. */
import { E } from '@publishing-service/domain'
import type { DeploymentOperation } from '../deployment-operation.js'
import type { Outcome } from '../failure.js'
import type { DeploymentRequest, InstanceRequest, Sessions } from '../open-session.js'
import type { Operation } from '../operation.js'
import type { Session } from '../session.js'

/** The output of an operation, and what it depends on. */
export type Execution<Output> = { readonly output: Output } & Pick<Session, 'dependencies' | 'isTimed'>

/** Opens a session for a request, then decodes the input and runs the operation. */
export type Execute = <Input, Output>(
  operation: Operation<Input, Output>,
  request: InstanceRequest,
  input: Outcome<Input>,
) => Outcome<Execution<Output>>

export const executeIn =
  (sessions: Sessions): Execute =>
  (operation, request, input) =>
  async () => {
    const session = await sessions.open(operation, request)
    if (E.isLeft(session)) return session
    const decoded = await input()
    if (E.isLeft(decoded)) return decoded
    const output = await sessions.run(session.right, request, operation, decoded.right)
    if (E.isLeft(output)) return output
    const { dependencies, isTimed } = session.right
    return E.right({ output: output.right, dependencies, isTimed })
  }

/** The same on the deployment. */
export type ExecuteOnDeployment = <Input, Output>(
  operation: DeploymentOperation<Input, Output>,
  request: DeploymentRequest,
  input: Outcome<Input>,
) => Outcome<Output>

export const executeOnDeploymentIn =
  (sessions: Sessions): ExecuteOnDeployment =>
  (operation, request, input) =>
  async () => {
    const session = sessions.openOnDeployment(operation.permission, request)
    if (E.isLeft(session)) return session
    const decoded = await input()
    if (E.isLeft(decoded)) return decoded
    return sessions.runOnDeployment(session.right, request, operation, decoded.right)
  }
