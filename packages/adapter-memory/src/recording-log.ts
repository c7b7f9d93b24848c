/** A log for tests, which stores its entries. Secret fields are replaced with `[hidden]`. */
import type { Log, LogFields, LogLevel } from '@publishing-service/ports'

export type LogEntry = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

export type RecordingLog = Log & {
  /** The entries until now, the oldest first. */
  readonly entries: () => readonly LogEntry[]
}

const ranks: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 }
const redacted: ReadonlySet<string> = new Set([
  'secret',
  'api_secret',
  'access_token',
  'authorization',
  'password',
])

const redact = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, redacted.has(name) ? '[hidden]' : value]),
  )

/** Creates an empty log that stores entries of this level and above. Default: all. */
export const recordingLog = (level: LogLevel = 'debug'): RecordingLog => {
  const entries: LogEntry[] = []
  const enabled = (requested: LogLevel): boolean => ranks[requested] <= ranks[level]
  return {
    enabled,
    write: (at, event, fields = {}) => {
      if (enabled(at)) entries.push({ level: at, event, fields: redact(fields) })
    },
    entries: () => [...entries],
    close: async () => undefined,
  }
}
