import { RRuleTemporal } from 'rrule-temporal'
import { fault, type Fault } from '../fault.js'
import { hasOccurrence, namedTimes } from './has-occurrence.js'
import { libraryOptions } from './library-options.js'
import { lastTimeOf, type RecurrenceRule } from './recurrence-rule.js'

/** Messages of the library about parts that cannot be combined, with the part and our message. */
const misplaced: readonly (readonly [telling: RegExp, part: keyof RecurrenceRule, message: string])[] = [
  [/^COUNT and UNTIL/, 'until', 'cannot be used together with count'],
  [/^BYWEEKNO/, 'byweekno', 'can only be used with freq YEARLY'],
  [/^BYYEARDAY/, 'byyearday', 'cannot be used with freq DAILY, WEEKLY or MONTHLY'],
  [/^BYMONTHDAY/, 'bymonthday', 'cannot be used with freq WEEKLY'],
  [/^BYDAY.*BYWEEKNO/, 'byday', 'cannot have numbers together with byweekno'],
  [/^BYDAY/, 'byday', 'can only have numbers with freq MONTHLY or YEARLY'],
  [/^BYSETPOS/, 'bysetpos', 'needs another part whose name starts with by'],
]

/** The maximum number of times of day in a rule: each minute. With more, the steps of its expansion would block requests. */
const maxTimes = 1440

/** RFC 5545 counts days, weeks and positions from 1, or backwards from -1. */
const zeroFaults = (rule: RecurrenceRule): readonly Fault[] =>
  (['bymonthday', 'byyearday', 'byweekno', 'bysetpos'] as const).flatMap((name) =>
    (rule[name] ?? []).flatMap((value, index) =>
      value === 0 ? [fault(`${name}.${index}`, 'range', 'must not be 0')] : [],
    ),
  )

const withoutZero = ({ bysetpos }: RecurrenceRule): readonly number[] | null =>
  bysetpos === null ? null : bysetpos.filter((value) => value !== 0)

/** All parts that cannot be combined with others. The library reports one at a time, so it is called repeatedly. */
const placeFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  try {
    new RRuleTemporal(libraryOptions(rule, dtstart)).options()
    return []
  } catch (error) {
    const told = misplaced.find(([telling]) => error instanceof Error && telling.test(error.message))
    if (told === undefined) throw error
    const [, part, message] = told
    return [fault(part, 'rule', message), ...placeFaults({ ...rule, [part]: null }, dtstart)]
  }
}

/**
 * The faults of a rule as a whole: parts that cannot be combined, too many times of day, and rules without occurrences (RFC 5545, 3.3.10;
 * docs/behaviour/content.md#recurrence). Each part is valid, and `dtstart` is a date-time in the same zone as `until`.
 */
export const recurrenceFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  if (namedTimes(rule) > maxTimes)
    return [
      fault(
        '',
        'limit',
        `must not have more than ${maxTimes} times of day: byhour, byminute and bysecond, multiplied`,
      ),
    ]
  const faults = [...zeroFaults(rule), ...placeFaults({ ...rule, bysetpos: withoutZero(rule) }, dtstart)]
  if (faults.length > 0) return faults
  const last = lastTimeOf(rule)
  if (last !== null && last < dtstart) return [fault('until', 'range', 'must not be before dtstart')]
  return hasOccurrence(rule, dtstart)
    ? []
    : [fault('', 'rule', 'must have an occurrence: there is none, or none within many years of dtstart')]
}
