/** Times of the clock in the zone of an instance. */
export { utcTime, clockTimeIn, type ClockTime, instantAt } from '../time/naive-date-time.js'
export { parsePeriod } from '../time/parse-date-time.js'
