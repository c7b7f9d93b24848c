/** A log for tests: it keeps what was written, hidden fields included as `[hidden]`, for a test to look at. */
import type { Log, LogFields, LogLevel } from '@publishing-service/ports'

export type LogEntry = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

export type RecordingLog = Log & {
  /** What was written until now, the oldest first. */
  readonly entries: () => readonly LogEntry[]
}

const ranks: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 }
const hidden: ReadonlySet<string> = new Set([
  'secret',
  'api_secret',
  'access_token',
  'authorization',
  'password',
])

const shown = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, hidden.has(name) ? '[hidden]' : value]),
  )

/** An empty log that keeps lines of this level and above; all of them unless told. */
export const recordingLog = (level: LogLevel = 'debug'): RecordingLog => {
  const entries: LogEntry[] = []
  const enabled = (asked: LogLevel): boolean => ranks[asked] <= ranks[level]
  return {
    enabled,
    write: (at, event, fields = {}) => {
      if (enabled(at)) entries.push({ level: at, event, fields: shown(fields) })
    },
    entries: () => [...entries],
    close: async () => undefined,
  }
}
