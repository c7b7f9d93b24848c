/** The service itself as the caller of operations: admin of one instance, strict, without an API user. */
import { randomUUID } from 'node:crypto'
import { E } from '@publishing-service/domain/fp'
import type { UserRights } from '@publishing-service/access'
import {
  attempt,
  noLinks,
  principalWith,
  type DeploymentOperation,
  type DeploymentRequest,
  type Operation,
  type Outcome,
  type UseCases,
} from '@publishing-service/application'

const requestOf = (user: string, requestId: string | null, rights: UserRights): DeploymentRequest => ({
  identity: E.right(principalWith({ id: null, user, key: user }, rights)),
  address: null,
  requestId,
  links: noLinks,
  strict: true,
})

/** Runs an operation with an input. */
export type RunOperation = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Outcome<Output>

const runnerOf = (
  { sessions }: UseCases,
  instance: number,
  user: string,
  requestId: string | null,
): RunOperation => {
  const rights = { operator: false, roles: [{ instance, roles: ['admin'] as const }] }
  const request = { ...requestOf(user, requestId, rights), instance }
  return (operation, input) => () =>
    attempt(async () => sessions.run(await sessions.open(operation, request), request, operation, input))
}

/** Runs operations on an instance as the service itself. They are not in the audit log. */
export const asService = (useCases: UseCases, instance: number): RunOperation =>
  runnerOf(useCases, instance, 'service', null)

/** Runs operations on an instance for a command of the command line. */
export const asCommandLine = (useCases: UseCases, instance: number): RunOperation =>
  runnerOf(useCases, instance, 'command line', randomUUID())

/** Runs an operation on the deployment with an input. */
export type RunOnDeployment = <Input, Output>(
  operation: DeploymentOperation<Input, Output>,
  input: Input,
) => Outcome<Output>

/** Runs operations on the deployment as an operator, for a command of the command line. */
export const asOperator = ({ sessions }: UseCases): RunOnDeployment => {
  const request = requestOf('command line', randomUUID(), { operator: true, roles: [] })
  return (operation, input) => () =>
    attempt(async () => {
      const session = sessions.openOnDeployment(operation.permission, request)
      return sessions.runOnDeployment(session, request, operation, input)
    })
}
