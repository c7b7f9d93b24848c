/** What a command line asks for: a piece of work over the use cases, and how its result is told. */
import type { Either, Json } from '@publishing-service/domain'
import type { UseCases } from '@publishing-service/application'
import type { ExitCode } from '../exit-codes.js'

/** The result, for programs and for people. */
export type AdminAnswer = { readonly value: Json; readonly text: string }

/** Why it wasn't done: one line for each thing that is wrong, and what to do about it. */
export type Refusal = { readonly code: ExitCode; readonly lines: readonly string[] }

export type AdminTask = {
  /** Whether the answer is told as JSON. */
  readonly json: boolean
  readonly run: (useCases: UseCases) => Promise<Either<Refusal, AdminAnswer>>
}

/** Takes the one task that a command line chooses. */
export type Choose = (task: AdminTask) => void
