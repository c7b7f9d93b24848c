/**
 * Steps of start-up and of the admin command: a failure of a use case becomes an Error with a message for the operator.
 */
import { E } from '@publishing-service/domain'
import type { Failure, Outcome } from '@publishing-service/application'

/** Why a use case failed, as a message for the operator. */
export const failureText = (failure: Failure): string => {
  switch (failure._tag) {
    case 'PortFailure':
      return `${failure.part}: ${failure.reason}`
    case 'BadParameters':
      return failure.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
    default:
      return failure._tag
  }
}

/** The result of a step; throws an Error that says which step failed, and why. */
export const stepOrThrow = async <A>(what: string, outcome: Outcome<A>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(`${what} failed: ${failureText(result.left)}`)
  return result.right
}
