/** What a command line asks for: a piece of work, and how its result is told. */
import type { Either, Json } from '@publishing-service/domain'
import type { Modules } from '../container.js'
import type { ExitCode } from '../exit-codes.js'

/** The result, for programs and for people. */
export type AdminAnswer = { readonly value: Json; readonly text: string }

/** Why it wasn't done: one line for each thing that is wrong, and what to do about it. */
export type Refusal = {
  readonly code: ExitCode
  readonly lines: readonly string[]
  /** What stands above the lines, where something was done all the same or there is more to say. */
  readonly headline?: string
}

export type AdminTask = {
  /** Whether the answer is told as JSON. */
  readonly json: boolean
  /**
   * `replaced` are the modules that the program brings for the service of its environment. Rejects with an Error, for
   * whoever runs the command, where something that it needs is out of reach.
   */
  readonly run: (replaced: Partial<Modules>) => Promise<Either<Refusal, AdminAnswer>>
}

/** Takes the one task that a command line chooses. */
export type Choose = (task: AdminTask) => void
