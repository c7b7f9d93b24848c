/** Rules of recurrence whose parts make sense together, made of generated ones. */
import { isJsonObject, type JsonObject } from '../json.js'

const kept = ['freq', 'interval', 'wkst', 'count', 'byday', 'byhour', 'byminute'] as const

const isPlainDay = (day: unknown): boolean => typeof day === 'string' && /^[A-Z]/.test(day)

/** The input with the parts of its rule that any frequency takes, weekdays without numbers. */
export const withPlainRecurrence = (input: JsonObject): JsonObject => {
  const { rrule } = input
  if (!isJsonObject(rrule)) return input
  const rule = Object.fromEntries(
    Object.entries(rrule).filter(([name]) => kept.some((each) => each === name)),
  )
  const { byday } = rule
  return {
    ...input,
    rrule: { ...rule, ...(Array.isArray(byday) ? { byday: byday.filter(isPlainDay) } : {}) },
  }
}
