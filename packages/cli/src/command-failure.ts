/** Why a command fails: the exit code and the messages, with the options and the next step. */
import { exitCodes, errorText, type ExitCode } from '@publishing-service/composition-root'
import type { AnyFailure } from '@publishing-service/application'
import type { Fault } from '@publishing-service/domain'
import { programName } from './result-text.js'

/** Ends a command: an exit code, a line above the others, and a line for each problem, with what to do about it. */
export class CommandFailure extends Error {
  readonly code: ExitCode
  readonly lines: readonly string[]
  readonly headline: string
  constructor(code: ExitCode, lines: readonly string[], headline = 'Nothing was done.') {
    super(lines.join('\n'))
    this.code = code
    this.lines = lines
    this.headline = headline
  }
}

/** The failure where a rule rejects the command. */
export const refusal = (line: string): CommandFailure => new CommandFailure(exitCodes.refused, [line])

/** A hint for the fault of an option, in addition to the fault; null if there is none. */
export type Advice = (option: string) => string | null

/** Options that are named otherwise than the attribute that they set. */
const optionNames: Readonly<Record<string, string>> = {
  website_url: 'website',
  preview_url: 'preview',
  hub_url: 'hub',
}

/** The option for an attribute. */
export const optionOf = (path: string): string => optionNames[path] ?? path.replaceAll('_', '-')

/** How to find what an option or an argument names. */
export const listHint = (things: string): string => `List them: ${programName} ${things} list`

const lineOf = ({ path, message }: Fault, advice: Advice): string => {
  const option = optionOf(path)
  const hint = option === 'instance' || option === 'user' ? listHint(option) : advice(option)
  return `--${option}: ${message}${hint === null ? '' : `. ${hint}`}`
}

/** Why an operation failed; `missing` is the message if it did not find its object. */
export const commandFailureOf = (failure: AnyFailure, missing: string, advice: Advice): CommandFailure => {
  switch (failure._tag) {
    case 'BadParameters':
      return new CommandFailure(
        exitCodes.refused,
        failure.faults.map((fault) => lineOf(fault, advice)),
      )
    case 'NotFound':
      return refusal(missing)
    case 'PortFailure':
      return new CommandFailure(exitCodes.unavailable, [
        `the ${failure.part} is unavailable: ${errorText(failure.reason)}. Fix that, or try again later`,
      ])
    case 'Unavailable':
      return new CommandFailure(exitCodes.unavailable, ['another process changes the same data: try again'])
    default:
      return refusal(failure._tag)
  }
}
