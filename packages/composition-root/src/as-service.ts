/** The service itself as the caller of operations: admin of one instance, strict, without an API user. */
import { randomUUID } from 'node:crypto'
import { E } from '@publishing-service/domain'
import type { Operation, InstanceRequest, Outcome, UseCases } from '@publishing-service/application'

const noLink = () => ''

const requestOn = (instance: number, user: string, requestId: string | null): InstanceRequest => ({
  identity: E.right({
    id: null,
    user,
    key: user,
    isOperator: false,
    roles: new Map([[instance, ['admin']]]),
  }),
  instance,
  address: null,
  requestId,
  links: {
    collection: noLink,
    object: noLink,
    slot: noLink,
    tagging: noLink,
    download: noLink,
    defaultThumbnail: noLink,
  },
  strict: true,
})

/** Runs an operation with an input. */
export type RunOperation = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Outcome<Output>

const runnerOf =
  ({ sessions }: UseCases, request: InstanceRequest): RunOperation =>
  (operation, input) =>
  async () => {
    const session = await sessions.open(operation, request)
    if (E.isLeft(session)) return session
    const output = await operation.run(session.right, input)()
    if (E.isLeft(output) || operation.action === 'read') return output
    const changed = operation.changed(input, output.right)
    const finished = await sessions.finish(session.right, request, operation, changed)
    return E.isLeft(finished) ? finished : output
  }

/** Runs operations on an instance as the service itself. They are not in the audit log. */
export const asService = (useCases: UseCases, instance: number): RunOperation =>
  runnerOf(useCases, requestOn(instance, 'service', null))

/** Runs operations on an instance for a command of the command line. */
export const asCommandLine = (useCases: UseCases, instance: number): RunOperation =>
  runnerOf(useCases, requestOn(instance, 'command line', randomUUID()))
