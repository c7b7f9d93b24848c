/** The exit codes of the service and of the administration commands: the numbers of sysexits.h where it has one. */
export const exitCodes = {
  done: 0,
  /** A rule said no. */
  refused: 1,
  /** The command line isn’t one that the program knows. */
  usage: 2,
  /** Something that is needed is out of reach: a folder, a port, a store. */
  unavailable: 69,
  /** Variables of the environment are wrong. */
  configuration: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
