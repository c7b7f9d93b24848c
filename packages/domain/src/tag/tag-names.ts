import type { JsonObject } from '../json.js'
import { stored } from '../resource/attribute.js'
import { partOf } from '../resource/table-entries.js'
import { listOf } from '../value/record.js'
import { reference } from '../value/reference.js'
import { text } from '../value/text.js'
import type { Reference } from '../value/value-type.js'

/**
 * What a category can be used for in addition to grouping tags. At most one of an instance has each kind
 * (docs/behaviour/tags.md#location-types).
 */
export const categoryKinds = ['location_types'] as const

/** The category of an instance whose tags are returned as `location_types`, regardless of its UUID. */
export const locationTypesReference: Reference = {
  path: '',
  collection: 'tag_categories',
  id: 'kind:location_types',
  by: { key: 'kind', value: 'location_types' },
}

/** The attributes that contain the name of a tag. */
export const tagNames = {
  last_name_or_title: stored(text({ max: 255, min: 1 }), 'Last name of a person, or title.', {
    required: true,
    searched: 'title',
  }),
  first_name: stored(text({ max: 255 }), 'First name of a person; may be empty.', { searched: 'title' }),
} as const

/** The name of a tag for display: first and last name of a person, else the title. */
export const displayName = (tag: JsonObject): string => {
  const { first_name, last_name_or_title } = partOf(tagNames, tag)
  return [first_name, last_name_or_title].filter((name) => name !== null && name !== '').join(' ')
}

/** Maximum number of tags in one category. */
export const maxMembers = 10_000

/** The tags of a category. */
export const membersAttributes = {
  members: stored(listOf(reference('tags'), maxMembers), 'Its tags, in order.', {
    internal: true,
    initial: [],
  }),
} as const
