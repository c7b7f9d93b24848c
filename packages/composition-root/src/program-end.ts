/** The end of a program: its exit codes, and what it reports and does if it cannot do its work. */

/** The exit codes of the service and of the administration commands: the numbers of sysexits.h if it has one. */
export const exitCodes = {
  done: 0,
  /** A rule rejected the request. */
  refused: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Something that is needed is unavailable: a folder, a port, a store. */
  unavailable: 69,
  /** Variables of the environment are wrong. */
  configuration: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Writes to the standard error why a program can't do its work: a headline and what is wrong, one line each. */
export const printError = (headline: string, lines: readonly string[]): void => {
  process.stderr.write(`${headline}\n${lines.map((line) => `  - ${line}\n`).join('')}`)
}

/** Milliseconds for which abandoned work, such as a DNS query or a connection, may delay the end of the process. */
const lastMoment = 300

/** Ends the process with this code as soon as nothing is left to do, and soon in any case. */
export const endProcess = (code: ExitCode): void => {
  process.exitCode = code
  setTimeout(() => process.exit(), lastMoment).unref()
}
