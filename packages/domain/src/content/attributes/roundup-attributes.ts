import { stored } from '../../resource/attribute.js'
import { listOf, record } from '../../value/record.js'
import { markup } from '../../value/markup.js'
import { reference } from '../../value/reference.js'
import { boolean, oneOf } from '../../value/scalar.js'
import { text } from '../../value/text.js'

const entry = {
  title: stored(text({ max: 255 }), 'Title in place of the target’s own.'),
  content: stored(markup({ slots: false, max: 100_000 }), 'Text of the roundup about it.'),
} as const

const roundupLocation = record({
  location_uuid: stored(reference('locations'), 'The location.', { required: true }),
  ...entry,
})

const roundupTarget = record({
  target_uuid: stored(reference('content'), 'The content object.', { required: true }),
  ...entry,
})

/** The lists that every content type accepts empty (docs/behaviour/content.md#roundups). */
export const roundupLists = ['roundup_locations', 'roundup_content_targets'] as const

/** Attributes of location and content roundups (docs/behaviour/content.md#roundups). */
export const roundupAttributes = {
  roundup_locations: stored(listOf(roundupLocation, 500), 'The locations, in order.', {
    only: ['roundup_location'],
    initial: [],
    heavy: true,
  }),
  roundup_content_targets: stored(listOf(roundupTarget, 500), 'The content objects, in order.', {
    only: ['roundup_content'],
    initial: [],
    heavy: true,
  }),
  roundup_numbering: stored(oneOf(['none', 'asc', 'desc']), 'How the entries are numbered.', {
    only: ['roundup_location', 'roundup_content'],
    initial: 'none',
  }),
  roundup_location_tour_type: stored(
    oneOf(['walking', 'driving', 'bicycling']),
    'How readers navigate between entries.',
    {
      only: ['roundup_location'],
    },
  ),
  roundup_location_hide_map: stored(boolean, 'Whether the map is hidden.', {
    only: ['roundup_location'],
    initial: false,
  }),
} as const
