/** The end of a program that can't do its work. */
import type { ExitCode } from './exit-codes.js'

/** How long what was given up may hold the process, in milliseconds: a name that is looked up, a connection. */
const lastMoment = 300

/** Ends the process with this code as soon as nothing is left to do, and soon in any case. */
export const endProcess = (code: ExitCode): void => {
  process.exitCode = code
  setTimeout(() => process.exit(), lastMoment).unref()
}
