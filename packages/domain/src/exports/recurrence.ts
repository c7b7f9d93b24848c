/** Recurrence rules of events, and their occurrences. */
export { occurrencesOf } from '../content/content.js'
export {
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  selectiveFilters,
} from '../events/occurrence-index.js'
export {
  overlapping,
  overlappingOf,
  startOf,
  type OccurrencePeriod,
  type OccurrenceRange,
} from '../events/occurring.js'
export { expandOccurrences } from '../events/occurrences.js'
export { isOfDays, recurrenceFaults } from '../events/recurrence-faults.js'
export { recurrenceRule, type RecurrenceRule } from '../events/recurrence-rule.js'
