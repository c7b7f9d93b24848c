import type { JsonObject } from '../json.js'
import type { Reference } from '../value/value-type.js'

/** What a category can be used for beside grouping tags. At most one of an instance has each kind (decisions §16.9). */
export const categoryKinds = ['location_types'] as const

/** The category of an instance whose tags read as `location_types`, whatever its UUID. */
export const locationTypesReference: Reference = {
  path: '',
  collection: 'tag_categories',
  id: 'kind:location_types',
  by: { key: 'kind', value: 'location_types' },
}

/** A tag as people read it: a person's first and last name, else the title. */
export const displayName = ({ first_name, last_name_or_title }: JsonObject): string =>
  [first_name, last_name_or_title].filter((name) => typeof name === 'string' && name !== '').join(' ')
