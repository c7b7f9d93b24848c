import { badParameters, fault } from '@publishing-service/domain'
import type { Parameters } from '@publishing-service/domain/lists'
import { fail } from '../attempt.js'

/** Whether the parameter `confirm` confirms a change that leaves no admin or no operator. */
export const confirmationIn = ({ confirm }: Parameters): boolean => {
  if (confirm === undefined || confirm === 'false') return false
  if (confirm === 'true') return true
  fail(badParameters([fault('confirm', 'parameter', 'must be true or false, and be sent only once')]))
}

/** The parameter `title`, which confirms the deletion of an instance. */
export const titleIn = ({ title = '' }: Parameters): string => {
  if (typeof title === 'string' && [...title].length <= 255) return title
  fail(
    badParameters([fault('title', 'parameter', 'must have at most 255 characters, and be sent only once')]),
  )
}
