/** Times of the clock in the zone of an instance. */
export {
  utcTime,
  clockTimeIn,
  type ClockTime,
  instantAt,
  isZone,
  offsetAt,
  offsetChanges,
} from '../time/naive-date-time.js'
export { isDay, parseInstant, parsePeriod } from '../time/parse-date-time.js'
