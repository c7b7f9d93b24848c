/** Messages of the admin command for failures of use cases, with the options and the next step. */
import type { Fault } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import { exitCodes, errorText } from '@publishing-service/composition-root'
import type { TaskFailure } from './admin-task.js'

/** A hint for the fault of an option, in addition to the fault; null if there is none. */
export type Advice = (option: string) => string | null

/** Options that are named otherwise than the attribute that they set. */
const optionNames: Readonly<Record<string, string>> = { website_url: 'website' }

/** The option for an attribute. */
export const optionOf = (path: string): string => optionNames[path] ?? path.replaceAll('_', '-')

const lineOf = ({ path, message }: Fault, advice: Advice): string => {
  const option = optionOf(path)
  const help = advice(option)
  return `--${option}: ${message}${help === null ? '' : `. ${help}`}`
}

/** Why a use case failed. `missing` is the message for NotFound. */
export const taskFailureOf = (failure: Failure, missing = '', advice: Advice = () => null): TaskFailure => {
  switch (failure._tag) {
    case 'BadParameters':
      return { code: exitCodes.refused, lines: failure.faults.map((fault) => lineOf(fault, advice)) }
    case 'NotFound':
      return { code: exitCodes.refused, lines: [missing] }
    case 'PortFailure':
      return {
        code: exitCodes.unavailable,
        lines: [
          `the ${failure.part} is unavailable: ${errorText(failure.reason)}. Fix that, or try again later`,
        ],
      }
    case 'Unavailable':
      return {
        code: exitCodes.unavailable,
        lines: ['another process changes the same data: try again'],
      }
    default:
      return { code: exitCodes.refused, lines: [failure._tag] }
  }
}
