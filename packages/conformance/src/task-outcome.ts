/** The value or the failure of a task. The other outcome throws an error that fails the test. */
import type { TaskEither } from '@publishing-service/domain/fp'
import { expect } from 'chai'

/** The value of a task that must succeed. */
export const valueOf = async <Value>(task: TaskEither<unknown, Value>): Promise<Value> => {
  const outcome = await task()
  if (outcome._tag === 'Right') return outcome.right
  throw new Error(`expected success, got the failure ${JSON.stringify(outcome.left)}`)
}

/** The failure of a task that must fail. */
export const failureOf = async <Failure>(task: TaskEither<Failure, unknown>): Promise<Failure> => {
  const outcome = await task()
  if (outcome._tag === 'Left') return outcome.left
  throw new Error(`expected a failure, got the value ${JSON.stringify(outcome.right)}`)
}

/** Expects a defect of the caller: the call or its promise throws an Error that is not a PortFailure. */
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
