/** Times of the clock in the zone of an instance. */
export { utcTime, clockTimeIn, type ClockTime } from '../time/naive-date-time.js'
export { instantAt } from '../time/zone.js'
export { parsePeriod } from '../time/naive-date-time.js'
