/** The task of a command line, and the form of its result. */
import type { ExitCode, ReplaceableModules } from '@publishing-service/composition-root'
import type { Either, Json } from '@publishing-service/domain'

/** The result, for programs and for people. */
export type AdminAnswer = {
  readonly value: Json
  readonly text: string
  /** If it is not `done`, the result contains what was found. */
  readonly code?: ExitCode
}

/** Why it wasn't done: one line for each thing that is wrong, and what to do about it. */
export type Refusal = {
  readonly code: ExitCode
  readonly lines: readonly string[]
  /** The line above the others, if something was done anyway or there is more to report. */
  readonly headline?: string
}

/** The context of every task of a command line. */
type AdminSetting = {
  /** The modules that the program replaces. */
  readonly replaced: Partial<ReplaceableModules>
  /** Whether data is created if DATA_DIR is empty. */
  readonly create: boolean
}

export type AdminTask = {
  /** Whether the output is JSON. */
  readonly json: boolean
  /** Rejects with an Error for the operator if something that it needs is unavailable. */
  readonly run: (setting: AdminSetting) => Promise<Either<Refusal, AdminAnswer>>
}

/** A task, and whether data is created if DATA_DIR is empty. */
export type AdminCommand = { readonly task: AdminTask; readonly create: boolean }

/** Receives the task that a command line chooses. */
export type Choose = (task: AdminTask) => void
