/** Filters and orders as data, for stores and use cases: this entry loads no resource. */
export {
  compareTexts,
  isInRange,
  matchesFilter,
  type Filter,
  type KeyFilter,
  type Order,
  type TextRange,
} from '../resource/filter.js'
