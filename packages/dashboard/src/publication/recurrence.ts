/** Changes of a recurrence rule, whose parts are those of RFC 5545 in lower case. Absent parts are null. */
import type { Json, JsonObject } from '@publishing-service/domain/json'

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** The frequencies with which a part cannot be combined (docs/behaviour/content.md#recurrence). */
const excluded: Readonly<Record<string, readonly string[]>> = {
  byweekno: ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY'],
  byyearday: ['DAILY', 'WEEKLY', 'MONTHLY'],
  bymonthday: ['WEEKLY'],
}

const isPlain = (day: Json): boolean => weekdays.some((each) => each === day)

const listIn = (rule: JsonObject, part: string): readonly Json[] => {
  const value = rule[part]
  return Array.isArray(value) ? value : []
}

/** An empty list is no part. */
export const withPart = (rule: JsonObject, part: string, value: Json): JsonObject => ({
  ...rule,
  [part]: Array.isArray(value) && value.length === 0 ? null : value,
})

/** The rule with another frequency, without the parts that it excludes. */
export const withFrequency = (rule: JsonObject, freq: string): JsonObject => {
  const kept = Object.entries(rule).map(([part, value]) => [
    part,
    excluded[part]?.includes(freq) === true ? null : value,
  ])
  const changed: JsonObject = { ...Object.fromEntries(kept), freq }
  const days = listIn(rule, 'byday')
  return freq === 'MONTHLY' || freq === 'YEARLY' || days.every(isPlain)
    ? changed
    : withPart(changed, 'byday', days.filter(isPlain))
}

/** When a rule ends: at no time, after a number of occurrences, or at a time. */
export type RecurrenceEnd = 'never' | 'count' | 'until'

export const recurrenceEnd = ({ count = null, until = null }: JsonObject): RecurrenceEnd => {
  if (count !== null) return 'count'
  return until === null ? 'never' : 'until'
}

export const withEnd = (rule: JsonObject, end: RecurrenceEnd, value: Json = null): JsonObject => ({
  ...rule,
  count: end === 'count' ? value : null,
  until: end === 'until' ? value : null,
})

/** The weekdays without a number, and the others: `MO` is each Monday, `-1FR` the last Friday. */
export const plainWeekdays = (rule: JsonObject): readonly string[] =>
  weekdays.filter((day) => listIn(rule, 'byday').includes(day))

/** The rule on these weekdays; those with a number remain. */
export const withPlainWeekdays = (rule: JsonObject, days: readonly string[]): JsonObject =>
  withPart(rule, 'byday', [
    ...weekdays.filter((day) => days.includes(day)),
    ...listIn(rule, 'byday').filter((day) => !isPlain(day)),
  ])

/** The numbers of weekdays in a month that have a word: first to fourth, and last. */
export const monthlyNumbers = ['1', '2', '3', '4', '-1'] as const

export type MonthlyDay = { readonly number: string; readonly day: string }

/** The weekday of a rule such as the last Friday of the month; null if it has another or several. */
export const monthlyDay = (rule: JsonObject): MonthlyDay | null => {
  const [only, ...others] = listIn(rule, 'byday')
  const found = typeof only === 'string' && others.length === 0 ? /^\+?([1-4]|-1)(\w\w)$/.exec(only) : null
  const [, number, day] = found ?? []
  return number === undefined || day === undefined ? null : { number, day }
}

export const withMonthlyDay = (rule: JsonObject, chosen: MonthlyDay | null): JsonObject =>
  withPart(rule, 'byday', chosen === null ? null : [`${chosen.number}${chosen.day}`])
