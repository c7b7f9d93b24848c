import { dateTime } from '../value/scalar.js'
import { stored } from './attribute.js'

/** When an object was made and last changed, in the instance's zone (decisions §2.4). */
export const stamps = {
  created: stored(dateTime, 'When it was created; now, unless sent.', { kept: true, filled: true }),
  modified: stored(dateTime, 'When it was last changed; now on each change, unless sent.', {
    kept: true,
    filled: true,
  }),
} as const
