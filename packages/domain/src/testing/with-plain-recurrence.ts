/** Generated recurrence rules whose parts are accepted together. */
import { isJsonObject, type JsonObject } from '../json.js'

const plainParts = ['freq', 'interval', 'wkst', 'count', 'byday', 'byhour', 'byminute'] as const

const isPlainDay = (day: unknown): boolean => typeof day === 'string' && /^[A-Z]/.test(day)

/** The input with only those parts of its rule that every frequency accepts, and weekdays without numbers. */
export const withPlainRecurrence = (input: JsonObject): JsonObject => {
  const { rrule } = input
  if (!isJsonObject(rrule)) return input
  const rule = Object.fromEntries(
    Object.entries(rrule).filter(([name]) => plainParts.some((each) => each === name)),
  )
  const { byday } = rule
  return {
    ...input,
    rrule: { ...rule, ...(Array.isArray(byday) ? { byday: byday.filter(isPlainDay) } : {}) },
  }
}
