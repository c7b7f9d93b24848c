import { RRuleTemporal } from 'rrule-temporal'
import { fault, type Fault } from '../fault.js'
import { comesAbout } from './comes-about.js'
import { libraryOptions } from './library-options.js'
import type { RecurrenceRule } from './recurrence-rule.js'

/** The parts that the library tells of when they are out of place, with what would be right. */
const misplaced: readonly (readonly [telling: RegExp, part: keyof RecurrenceRule, message: string])[] = [
  [/^COUNT and UNTIL/, 'until', 'can’t stand together with count'],
  [/^BYWEEKNO/, 'byweekno', 'can only stand with freq YEARLY'],
  [/^BYYEARDAY/, 'byyearday', 'can’t stand with freq DAILY, WEEKLY or MONTHLY'],
  [/^BYMONTHDAY/, 'bymonthday', 'can’t stand with freq WEEKLY'],
  [/^BYDAY.*BYWEEKNO/, 'byday', 'can’t have numbers together with byweekno'],
  [/^BYDAY/, 'byday', 'can only have numbers with freq MONTHLY or YEARLY'],
  [/^BYSETPOS/, 'bysetpos', 'needs another part that begins with by'],
]

/** RFC 5545 counts days, weeks and places from 1, or backwards from -1. */
const zeroFaults = (rule: RecurrenceRule): readonly Fault[] =>
  (['bymonthday', 'byyearday', 'byweekno', 'bysetpos'] as const).flatMap((name) =>
    (rule[name] ?? []).flatMap((value, index) =>
      value === 0 ? [fault(`${name}.${index}`, 'must not be 0')] : [],
    ),
  )

const withoutZero = ({ bysetpos }: RecurrenceRule): readonly number[] | null =>
  bysetpos === null ? null : bysetpos.filter((value) => value !== 0)

/** The parts that can't stand with the others, one after the other: the library tells the first. */
const placeFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  try {
    new RRuleTemporal(libraryOptions(rule, dtstart)).options()
    return []
  } catch (error) {
    const told = misplaced.find(([telling]) => error instanceof Error && telling.test(error.message))
    if (told === undefined) throw error
    const [, part, message] = told
    return [fault(part, message), ...placeFaults({ ...rule, [part]: null }, dtstart)]
  }
}

/**
 * What is wrong with a rule as a whole: parts that can’t stand together, and that no start follows from it (RFC 5545,
 * 3.3.10; docs/behaviour/content.md#recurrence). Its parts are right each by itself, `dtstart` is a date-time in the
 * same zone as `until`.
 */
export const recurrenceFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  const faults = [...zeroFaults(rule), ...placeFaults({ ...rule, bysetpos: withoutZero(rule) }, dtstart)]
  if (faults.length > 0) return faults
  if (rule.until !== null && rule.until < dtstart) return [fault('until', 'must not be before dtstart')]
  return comesAbout(rule, dtstart)
    ? []
    : [fault('', 'must come about: no start follows from it, or none within many years of dtstart')]
}
