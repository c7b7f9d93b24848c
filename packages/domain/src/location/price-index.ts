import { textOf } from '../value/text.js'
import type { ValueType } from '../value/value-type.js'

const levels = ['free', 'inexpensive', 'moderate', 'expensive', 'very_expensive'] as const

const capitalized = (level: string): string => `${level[0]?.toUpperCase()}${level.slice(1).replace('_', ' ')}`

/** The words of the filter `price_index`, with the values that are stored. */
export const priceLevels: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  levels.map((level) => [level, [capitalized(level)]]),
)

const read = textOf(
  { format: 'price-index', enum: levels.map(capitalized), maxLength: 20 },
  `one of ${levels.join(', ')}`,
  (value) => {
    const sent = value.toLowerCase().replace(' ', '_')
    const level = levels.find((each) => each === sent)
    return level === undefined ? null : capitalized(level)
  },
)

/** How expensive a location is: accepted in any letter case, with a space or an underscore; stored as «Very expensive». */
export const priceIndex: ValueType<string> = {
  ...read,
  inputSchema: { type: 'string', format: 'price-index', maxLength: 20 },
}
