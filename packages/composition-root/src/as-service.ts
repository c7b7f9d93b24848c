/** The service itself as the caller of operations: strict, without an API user. */
import { randomUUID } from 'node:crypto'
import { E } from '@publishing-service/domain/fp'
import type { UserRights } from '@publishing-service/access'
import {
  attempt,
  noLinks,
  principalWith,
  type AnyDeploymentOperation,
  type Operation,
  type OperationRequest,
  type Outcome,
  type UseCases,
} from '@publishing-service/application'

/** What opens sessions: all use cases, or a trial. */
type SessionSource = { readonly sessions: Pick<UseCases['sessions'], 'open'> }

const requestOf = (
  user: string,
  requestId: string | null,
  instance: number | null,
  rights: UserRights,
): OperationRequest => ({
  identity: E.right(principalWith({ id: null, user, key: user }, rights)),
  address: null,
  requestId,
  links: noLinks,
  strict: true,
  instance,
})

/** Runs an operation with an input. */
export type RunOperation = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Outcome<Output>

/** Runs an operation on the deployment with an input. */
export type RunOnDeployment = <Input, Output>(
  operation: AnyDeploymentOperation<Input, Output>,
  input: Input,
) => Outcome<Output>

const runnerOf =
  ({ sessions }: SessionSource, request: OperationRequest) =>
  <Input, Output>(
    operation: Operation<Input, Output> | AnyDeploymentOperation<Input, Output>,
    input: Input,
  ): Outcome<Output> =>
  () =>
    attempt(async () => {
      const { run } = await sessions.open(operation, request)
      return run(input)
    })

const adminOf = (instance: number): UserRights => ({
  operator: false,
  roles: [{ instance, roles: ['admin'] }],
})

/** Runs operations on an instance as the service itself. They are not in the audit log. */
export const asService = (useCases: UseCases, instance: number): RunOperation =>
  runnerOf(useCases, requestOf('service', null, instance, adminOf(instance)))

/** Runs operations on an instance for a command of the command line. */
export const asCommandLine = (source: SessionSource, instance: number): RunOperation =>
  runnerOf(source, requestOf('command line', randomUUID(), instance, adminOf(instance)))

/** Runs operations on the deployment as an operator, for a command of the command line. */
export const asOperator = (useCases: UseCases): RunOnDeployment =>
  runnerOf(useCases, requestOf('command line', randomUUID(), null, { operator: true, roles: [] }))
