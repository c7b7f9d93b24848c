/** The task of a command line, and the form of its result. */
import type { ExitCode, ReplaceableModules } from '@publishing-service/composition-root'
import type { Either, Json } from '@publishing-service/domain'

/** The result, as JSON and as text. */
export type AdminResult = {
  readonly value: Json
  readonly text: string
  /** If it is not `done`, the result contains what was found. */
  readonly code?: ExitCode
}

/** Why a task failed: one line for each problem, with what to do about it. */
export type TaskFailure = {
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
  readonly run: (setting: AdminSetting) => Promise<Either<TaskFailure, AdminResult>>
}

/** A task, and whether data is created if DATA_DIR is empty. */
export type AdminCommand = { readonly task: AdminTask; readonly create: boolean }

/** Receives the task that a command line chooses. */
export type Choose = (task: AdminTask) => void
