import type { Subcollection } from '../resource/resource.js'
import { periodFilter } from '../resource/standard-filters.js'

/** Events as a list of their own (further families, 1). */
export const events = {
  name: 'event',
  segments: 'events',
  description: 'Events are content of the type event.',
  where: [{ key: 'content_type', equals: 'event' }],
  orders: {
    title: 'title_order',
    sort_title: 'sort_title_order',
    created: 'created',
    modified: 'modified',
    issued: 'issued',
    dtstart: 'dtstart',
  },
  filters: { dtstart: periodFilter('dtstart', 'Starting within this period') },
  selectedBy: { filter: 'ctypes', value: 'events' },
} as const satisfies Subcollection
