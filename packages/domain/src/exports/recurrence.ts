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
  type OccurrencePeriod,
  type OccurrenceRange,
} from '../events/occurring.js'
export { recurrenceRule } from '../events/recurrence-rule.js'
