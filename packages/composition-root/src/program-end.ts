/** The end of a program: its exit codes, and what it says and does where it can't do its work. */

/** The exit codes of the service and of the administration commands: the numbers of sysexits.h where it has one. */
export const exitCodes = {
  done: 0,
  /** A rule rejected the request. */
  refused: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Something that is needed is out of reach: a folder, a port, a store. */
  unavailable: 69,
  /** Variables of the environment are wrong. */
  configuration: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Writes to the standard error why a program can't do its work: a headline and what is wrong, one line each. */
export const printError = (headline: string, lines: readonly string[]): void => {
  process.stderr.write(`${headline}\n${lines.map((line) => `  - ${line}\n`).join('')}`)
}

/** How long what was given up may hold the process, in milliseconds: a name that is looked up, a connection. */
const lastMoment = 300

/** Ends the process with this code as soon as nothing is left to do, and soon in any case. */
export const endProcess = (code: ExitCode): void => {
  process.exitCode = code
  setTimeout(() => process.exit(), lastMoment).unref()
}
