import { badParameters, E, fault, type Either, type Parameters } from '@publishing-service/domain'
import type { Failure } from '../failure.js'

/** Whether the parameter `confirm` confirms a change that leaves no admin key or no operator key. */
export const confirmationIn = ({ confirm }: Parameters): Either<Failure, boolean> => {
  if (confirm === undefined || confirm === 'false') return E.right(false)
  return confirm === 'true'
    ? E.right(true)
    : E.left(badParameters([fault('confirm', 'must be true or false, and be sent only once')]))
}

/** The parameter `title`, which confirms the deletion of an instance. */
export const titleIn = ({ title = '' }: Parameters): Either<Failure, string> =>
  typeof title === 'string' && [...title].length <= 255
    ? E.right(title)
    : E.left(badParameters([fault('title', 'must have at most 255 characters, and be sent only once')]))
