import type { JsonObject } from '../json.js'
import { stored, derived, type WholeOf } from '../resource/attribute.js'
import { partOf } from '../resource/table-entries.js'
import { listOf, textsOf } from '../value/record.js'
import { reference } from '../value/reference.js'
import { text, emailAddresses, urlname, webAddress } from '../value/text.js'
import type { Reference } from '../value/value-type.js'
import { pathHistoryAttributes } from '../path/path-history.js'
import { pathKeys } from '../path/site-path.js'
import { onlyWithFaults, type OnlyWith } from '../resource/variant.js'
import { image } from '../file/file-data.js'
import { sampleObjects, defineResource } from '../resource/resource.js'
import { stamps, sortKey } from '../resource/standard-attributes.js'
import { periodFilter, wordsFilter } from '../resource/collection-filter.js'
import { markup } from '../value/markup.js'
import { oneOf } from '../value/scalar.js'
import { touchedAttributes, touchedFilter, touchedOrder } from '../resource/touched.js'

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
const tagNames = {
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
    part: true,
    initial: [],
  }),
} as const

const person = {
  email: stored(emailAddresses, 'E-mail of a person.'),
  website: stored(webAddress, 'Website of a person.'),
  fb_username: stored(text({ max: 255 }), 'User name of a person at Facebook.'),
  twitter_username: stored(text({ max: 255 }), 'User name of a person at Twitter.'),
  instagram_username: stored(text({ max: 255 }), 'User name of a person at Instagram.'),
  linkedin_url: stored(webAddress, 'Page of a person at LinkedIn.'),
} as const

const onlyWith: OnlyWith = {
  attributes: ['first_name', ...Object.keys(person)],
  where: { attribute: 'type', values: ['person'] },
}

const attributes = {
  ...tagNames,
  ...person,
  title: derived({ type: 'string' }, 'The name for display.', displayName),
  urlname: stored(
    urlname,
    'Name in public paths; unique among tags. Made from the title if an object is created without it.',
    { required: true, madeFrom: displayName },
  ),
  type: stored(oneOf(['default', 'person']), 'Whether it names a person.', { initial: 'default' }),
  state: stored(
    oneOf(['approved', 'provisional', 'internal']),
    'Whether the public website shows it: only approved tags.',
    { initial: 'approved' },
  ),
  description: stored(text({ max: 10_000 }), 'Description.', { searched: 'description' }),
  content: stored(
    markup({ slots: false, max: 1_000_000, plainText: true }),
    'Text: XML-compliant HTML, or plain text without `<`.',
    { heavy: true, searched: 'body' },
  ),
  synonyms: stored(textsOf(text({ max: 255, min: 1 }), 100), 'Other names.', {
    initial: [],
    searched: 'description',
  }),
  ...image('feature_image', 'Feature image'),
  ...stamps,
  ...touchedAttributes,
  ...pathHistoryAttributes,
  ...pathKeys,
  title_order: sortKey(
    'The sort key of the name.',
    ['first_name', 'last_name_or_title'],
    (state: JsonObject) => displayName(state),
  ),
} as const

export type Tag = WholeOf<typeof attributes>

/** Tags: subjects and persons (docs/behaviour/tags.md). */
export const tag = defineResource({
  name: 'tag',
  collection: 'tags',
  description: 'Tags name subjects and persons; with a predicate they are attached to objects.',
  examples: {
    id: sampleObjects.tag,
    bodies: [{ last_name_or_title: 'Trams', urlname: 'trams', synonyms: ['Streetcars'] }],
  },
  attributes,
  onlyWith,
  path: { prefix: '/tags/', listedBy: 'title_order' },
  orders: {
    title: 'title_order',
    urlname: 'urlname',
    created: 'created',
    modified: 'modified',
    ...touchedOrder,
  },
  filters: {
    ...touchedFilter,
    type: wordsFilter('type', 'Only tags of these types', { default: ['default'], person: ['person'] }),
    state: wordsFilter('state', 'Only tags in these states', {
      approved: ['approved'],
      provisional: ['provisional'],
      internal: ['internal'],
    }),
    created: periodFilter('created', 'Created within this period'),
    modified: periodFilter('modified', 'Modified within this period'),
  },
  indexes: [['type', 'title_order'], ['state', 'title_order'], ['past_paths']],
  unique: () => ({ scope: 'tag', message: "'urlname' must be unique for tags." }),
  nameOf: displayName,
  check: (state) => onlyWithFaults(onlyWith, state),
  restrictedBy: ['state'],
  shownToPublic: () => [{ key: 'state', equals: 'approved' }],
})
