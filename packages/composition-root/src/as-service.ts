/** The service itself as the caller of operations: admin of one instance, strict, without an API user. */
import { randomUUID } from 'node:crypto'
import { E, pipe, TE } from '@publishing-service/domain'
import type { Operation, OperationRequest, Outcome, UseCases } from '@publishing-service/application'

const noLink = () => ''

const requestOn = (instance: number, user: string, requestId: string | null): OperationRequest => ({
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

const runnerOf =
  ({ execute }: UseCases, request: OperationRequest) =>
  <Input, Output>(operation: Operation<Input, Output>, input: Input): Outcome<Output> =>
    pipe(
      execute(operation, request, TE.right(input)),
      TE.map(({ output }) => output),
    )

/** Runs operations on an instance as the service itself. They are not in the audit log. */
export const asService = (useCases: UseCases, instance: number) =>
  runnerOf(useCases, requestOn(instance, 'service', null))

/** Runs operations on an instance for a command of the command line. */
export const asCommandLine = (useCases: UseCases, instance: number) =>
  runnerOf(useCases, requestOn(instance, 'command line', randomUUID()))

export type RunAsService = ReturnType<typeof asService>
