/**
 * Days of the calendar, `YYYY-MM-DD`, of the years 0001 to 9999.
 */
import { E, type Either } from '../fp.js'

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Why a text of the form `YYYY-MM-DD` is not a day; null if the day exists. */
export const dayFault = (text: string): string | null => {
  const year = text.slice(0, 4)
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (year === '0000') return `${text} does not exist: years go from 0001 to 9999`
  const name = monthNames[month - 1]
  if (name === undefined) return `${text} does not exist: months go from 01 to 12`
  const length = month === 2 && isLeapYear(Number(year)) ? 29 : (monthLengths[month - 1] ?? 0)
  return day >= 1 && day <= length ? null : `${text} does not exist: ${name} ${year} has ${length} days`
}

/** Whether a text has the form of a day. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Parses a date, `YYYY-MM-DD`. Left: the message for the client. */
export const parseDate = (input: string): Either<string, string> => {
  if (!isDay(input)) return E.left('must be a date such as 2024-05-17 (YYYY-MM-DD)')
  const fault = dayFault(input)
  return fault === null ? E.right(input) : E.left(fault)
}
