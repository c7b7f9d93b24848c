import { stored } from '../../resource/attribute.js'
import { listOf } from '../../value/list.js'
import { record } from '../../value/record.js'
import { boolean, dateTime, integer, oneOf } from '../../value/scalar.js'
import { emailAddress, text, textOf, webAddress } from '../../value/text.js'
import { webLink } from './web-link.js'

const only = ['event']

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const weekday = textOf(
  { pattern: '^([+-]?([1-9]|[1-4][0-9]|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$', maxLength: 5 },
  'a weekday such as MO, 2TU or -1FR',
  (value) => (/^(?:[+-]?(?:[1-9]|[1-4]\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value) ? value : null),
)

const parts = (min: number, max: number) => listOf(integer({ min, max }), 400)

const recurrenceRule = record({
  freq: stored(oneOf(['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']), 'FREQ.', {
    required: true,
  }),
  interval: stored(integer({ min: 1, max: 10_000 }), 'INTERVAL.'),
  count: stored(integer({ min: 1, max: 100_000 }), 'COUNT; not together with until.'),
  until: stored(dateTime, 'UNTIL; not together with count.'),
  byday: stored(listOf(weekday, 400), 'BYDAY.'),
  bymonth: stored(parts(1, 12), 'BYMONTH.'),
  bymonthday: stored(parts(-31, 31), 'BYMONTHDAY.'),
  byyearday: stored(parts(-366, 366), 'BYYEARDAY.'),
  byweekno: stored(parts(-53, 53), 'BYWEEKNO.'),
  byhour: stored(parts(0, 23), 'BYHOUR.'),
  byminute: stored(parts(0, 59), 'BYMINUTE.'),
  bysecond: stored(parts(0, 60), 'BYSECOND.'),
  bysetpos: stored(parts(-366, 366), 'BYSETPOS.'),
  wkst: stored(oneOf(weekdays), 'WKST.'),
})

/** Attributes of an event (specification, Content object; decisions §7); its location stands with the reviews’. */
export const eventAttributes = {
  dtstart: stored(dateTime, 'When it starts.', { only, required: true }),
  dtend: stored(dateTime, 'When it ends.', { only }),
  rrule: stored(recurrenceRule, 'How it recurs: the parts of an RFC 5545 rule.', { only }),
  rdates: stored(listOf(dateTime, 1000), 'Further starts.', { only, initial: [] }),
  exdates: stored(listOf(dateTime, 1000), 'Starts that are left out.', { only, initial: [] }),
  location_alt: stored(text({ max: 1000 }), 'Where it takes place, when that is no location object.', {
    only,
  }),
  website: stored(webAddress, 'Website of the event.', { only }),
  phone: stored(text({ max: 255 }), 'Telephone of the organizer.', { only }),
  email: stored(emailAddress, 'E-mail of the organizer.', { only }),
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
    'What became of it.',
    { only },
  ),
  ical_uid: stored(text({ max: 255 }), 'UID in calendars it came from.', { only }),
} as const
