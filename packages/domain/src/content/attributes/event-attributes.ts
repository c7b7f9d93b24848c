import { stored } from '../../resource/attribute.js'
import { listOf } from '../../value/record.js'
import { boolean, dateTime, dateTimeOrDay, oneOf } from '../../value/scalar.js'
import { emailAddresses, text, webAddress } from '../../value/text.js'
import { recurrenceRule } from '../recurrence-rule.js'
import { webLink } from './web-link.js'

const only = ['event'] as const

/** The number of occurrences of an event that are listed: before the time of the expansion, and from then on. */
export const listedOccurrences = { past: 250, future: 750 } as const

const periods = {
  ...listOf(text({ max: 61 }), listedOccurrences.past + listedOccurrences.future),
  key: 'intervals' as const,
}

/** Attributes of an event (docs/behaviour/content.md#events); its location attributes are in `review-attributes.ts`. */
export const eventAttributes = {
  dtstart: stored(dateTime, 'When it starts.', { only, required: true }),
  dtend: stored(dateTime, 'When it ends.', { only }),
  rrule: stored(recurrenceRule, 'How it recurs: the parts of an RFC 5545 rule.', { only }),
  rdates: stored(listOf(dateTimeOrDay, 1000), 'Further starts; a day means the time of dtstart.', {
    only,
    initial: [],
  }),
  exdates: stored(listOf(dateTimeOrDay, 1000), 'Starts that are left out; a day means all its starts.', {
    only,
    initial: [],
  }),
  occurrences: stored(periods, 'Its occurrences as texts `start end`, by start.', {
    only,
    internal: true,
    heavy: true,
    initial: [],
  }),
  occurrences_due: stored(dateTime, 'When its list of occurrences must be renewed.', {
    only,
    internal: true,
  }),
  location_alt: stored(text({ max: 1000 }), 'Where it takes place, if that is not a location object.', {
    only,
    searched: 'body',
  }),
  website: stored(webAddress, 'Website of the event.', { only }),
  phone: stored(text({ max: 255 }), 'Telephone of the organizer.', { only }),
  email: stored(emailAddresses, 'E-mail of the organizer.', { only }),
  prices: stored(text({ max: 5000 }), 'Prices.', { only }),
  ticket_urls: stored(listOf(webLink, 100), 'Where to get tickets.', { only, initial: [] }),
  sort_title: stored(text({ max: 255 }), 'Title to sort by.', { only }),
  sponsored: stored(boolean, 'Whether it is highlighted; directory add-on only.', {
    only,
    initial: false,
    addon: true,
  }),
  event_status_type: stored(
    oneOf(['cancelled', 'postponed', 'rescheduled', 'moved_online']),
    'Whether it takes place as planned.',
    { only },
  ),
  ical_uid: stored(text({ max: 255 }), 'UID in the calendar from which it was imported.', { only }),
} as const
