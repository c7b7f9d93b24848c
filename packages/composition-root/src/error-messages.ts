/** Messages of errors and failures for operators. */
import type { AnyFailure, Outcome } from '@publishing-service/application'
import type { ProblemTag } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { messageOf } from './thrown-errors.js'

/** The message of an error, without its stack and without names of error classes. */
export const errorText = (error: unknown): string =>
  messageOf(error).replaceAll(/(^|: )(?:[A-Z]\w*)?Error: /g, '$1')

/**
 * The result of `opening`. If a part cannot be opened, the Error names the variables that it was opened with: `variables`
 * has them by the options that they became, and an error whose `option` is one of them names that variable alone.
 */
export const naming = async <A>(
  variables: Readonly<Record<string, string>>,
  opening: Promise<A>,
): Promise<A> => {
  try {
    return await opening
  } catch (error) {
    // Some servers send messages of several lines.
    const words = messageOf(error).replaceAll(/\s*\n\s*/g, ' ')
    const option = error instanceof Error && 'option' in error ? String(error.option) : ''
    const named = variables[option] ?? Object.values(variables).join(', ')
    throw new Error(`${words} (see ${named})`, { cause: error })
  }
}

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code)) &&
  error.message.includes(`'${name}'`)

/** The result of `load` for an optional package. Rejects with this message if the package is not installed. */
export const optionalPackage = async <A>(
  name: string,
  load: () => Promise<A>,
  message: string,
): Promise<A> => {
  try {
    return await load()
  } catch (error) {
    throw isMissing(error, name) ? new Error(message, { cause: error }) : error
  }
}

/** The message of the failure of a use case, for operators. */
export const failureText = (failure: AnyFailure): string => {
  switch (failure._tag) {
    case 'PortFailure':
      return `${failure.part}: ${failure.reason}`
    case 'BadParameters':
      return failure.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
    default:
      return failure._tag
  }
}

/** The result of a step. Throws an Error that names the step and the reason. */
export const stepOrThrow = async <A>(what: string, outcome: Outcome<A, ProblemTag>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(`${what} failed: ${failureText(result.left)}`)
  return result.right
}
