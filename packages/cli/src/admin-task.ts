/** The task of a command line, and the form of its result. */
import type { ExitCode, ReplaceableModules } from '@publishing-service/composition-root'
import type { Either, Json } from '@publishing-service/domain'

/** The result, for programs and for people. */
export type AdminAnswer = {
  readonly value: Json
  readonly text: string
  /** Where it isn’t `done`: what was found is part of the answer. */
  readonly code?: ExitCode
}

/** Why it wasn't done: one line for each thing that is wrong, and what to do about it. */
export type Refusal = {
  readonly code: ExitCode
  readonly lines: readonly string[]
  /** The line above the others, where something was done all the same or there is more to say. */
  readonly headline?: string
}

/** What holds for every task of a command line. */
type AdminSetting = {
  /** The modules that the program replaces. */
  readonly replaced: Partial<ReplaceableModules>
  /** Whether data are made where DATA_DIR holds none. */
  readonly create: boolean
}

export type AdminTask = {
  /** Whether the answer is JSON. */
  readonly json: boolean
  /** Rejects with an Error for the operator where something that it needs is out of reach. */
  readonly run: (setting: AdminSetting) => Promise<Either<Refusal, AdminAnswer>>
}

/** A task, and whether data are made where DATA_DIR holds none. */
export type AdminCommand = { readonly task: AdminTask; readonly create: boolean }

/** Takes the one task that a command line chooses. */
export type Choose = (task: AdminTask) => void
