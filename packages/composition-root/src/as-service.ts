/** The service itself as the caller of operations: admin of one instance, strict, without an API user. */
import { E, pipe, TE } from '@publishing-service/domain'
import type { Operation, OperationRequest, Outcome, UseCases } from '@publishing-service/application'

const noLink = () => ''

const requestOn = (instance: number): OperationRequest => ({
  identity: E.right({
    id: null,
    user: 'service',
    key: 'service',
    isOperator: false,
    roles: new Map([[instance, ['admin']]]),
  }),
  instance,
  address: null,
  requestId: null,
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

/** Runs operations on an instance as the service itself. */
export const asService = ({ execute }: UseCases, instance: number) => {
  const request = requestOn(instance)
  return <Input, Output>(operation: Operation<Input, Output>, input: Input): Outcome<Output> =>
    pipe(
      execute(operation, request, TE.right(input)),
      TE.map(({ output }) => output),
    )
}

export type RunAsService = ReturnType<typeof asService>
