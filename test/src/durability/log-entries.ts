/** What a service has logged. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

/** What the log says, as objects. */
export const entriesOf = (lines: readonly string[]): readonly JsonObject[] =>
  lines.flatMap((line) => {
    if (!line.startsWith('{')) return []
    const entry: unknown = JSON.parse(line)
    return isJsonObject(entry) ? [entry] : []
  })

/** Warnings of a first start, and of the orphaned data that are made. */
const expectedWarnings = new Set(['set-up link written', 'orphaned blobs quarantined'])

/** The entries that tell of something wrong, in words. */
export const logFaults = (lines: readonly string[]): readonly string[] =>
  entriesOf(lines)
    .filter(
      ({ level, event }) => level === 'error' || (level === 'warn' && !expectedWarnings.has(String(event))),
    )
    .map((entry) => `the log has ${JSON.stringify(entry)}`)
