/** The outcome of a task as a test wants it: the value or the failure, and a plain error where it was the other. */
import type { TaskEither } from '@publishing-service/domain'
import { expect } from 'chai'

/** The value of a task that has to succeed. */
export const valueOf = async <Value>(task: TaskEither<unknown, Value>): Promise<Value> => {
  const outcome = await task()
  if (outcome._tag === 'Right') return outcome.right
  throw new Error(`expected success, got the failure ${JSON.stringify(outcome.left)}`)
}

/** The failure of a task that has to fail. */
export const failureOf = async <Failure>(task: TaskEither<Failure, unknown>): Promise<Failure> => {
  const outcome = await task()
  if (outcome._tag === 'Left') return outcome.left
  throw new Error(`expected a failure, got the value ${JSON.stringify(outcome.right)}`)
}

/** A defect is thrown, at the call or by its promise; it is neither an answer nor a PortFailure. */
export const expectDefect = async (call: () => Promise<unknown>): Promise<void> => {
  let thrown: unknown
  try {
    await call()
  } catch (error) {
    thrown = error
  }
  expect(thrown, 'expected the call to throw an Error').to.be.an.instanceOf(Error)
  expect(thrown).to.not.have.property('_tag', 'PortFailure')
}
