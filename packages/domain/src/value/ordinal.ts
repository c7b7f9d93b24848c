import { integer } from './scalar.js'

/** The highest position. */
export const maxOrdinal = 2_000_000_000

/** A position in an order that editors set. */
export const ordinal = integer({ min: -maxOrdinal, max: maxOrdinal })
