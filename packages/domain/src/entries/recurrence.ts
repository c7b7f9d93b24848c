/** Recurrence rules of events, and their occurrences. */
export {
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  selectiveFilters,
} from '../content/occurrence-index.js'
export {
  overlapping,
  overlappingOf,
  type OccurrencePeriod,
  type OccurrenceRange,
} from '../content/occurring.js'
export { recurrenceRule } from '../content/recurrence-rule.js'
