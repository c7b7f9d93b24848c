import { dateTime } from '../value/scalar.js'
import { uuid } from '../value/text.js'
import { stored } from './attribute.js'

/** When an object was created and last changed, in the instance's zone, and which API user created it. */
export const stamps = {
  created: stored(dateTime, 'When it was created; now, unless sent.', { retained: true, alwaysSet: true }),
  modified: stored(dateTime, 'When it was last changed; now on each change, unless sent.', {
    retained: true,
    alwaysSet: true,
  }),
  created_by: stored(uuid, 'API user that created it; null if the service did.', {
    readOnly: true,
    visibleTo: 'reader',
  }),
} as const
