import { stored } from './attribute.js'
import { text } from '../value/text.js'

/** The longest moment: two date-times and what separates them. */
const maxMoment = 61

/** The moment of a date-time in a repeated hour; null where the date-time itself is the moment. */
export const momentOf = (name: string) =>
  stored(text({ max: maxMoment }), `The moment of ${name}, if that is in a repeated hour.`, {
    internal: true,
    momentOf: name,
  })

/** When a date-time is reached, as a text that sorts by time. */
export const reachedAt = (
  time: string | null | undefined,
  moment: string | null | undefined,
): string | null => (typeof time === 'string' ? (moment ?? time) : null)
