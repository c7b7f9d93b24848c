/** Tags, and the attributes by which objects have them. */
import type { JsonObject } from '../json.js'
import { stored, derived, folded, type WholeOf, computed } from '../resource/attribute.js'
import { partOf, onlyWithFaults, attributeIn } from '../resource/attribute-tables.js'
import { listOf, textsOf, record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { emailAddresses, webAddress } from '../value/address.js'
import { text, urlname } from '../value/text.js'
import type { Reference } from '../value/value-type.js'
import { image } from '../files/file-data.js'
import { sampleObjects, defineResource, type ResourceWith } from '../resource/resource.js'
import {
  stamps,
  touchedAttributes,
  touchedFilter,
  touchedOrder,
  stampFilters,
} from '../resource/standard-attributes.js'
import { wordsFilter } from '../resource/collection-filter.js'
import { markup } from '../value/markup.js'
import { oneOf, dateTime } from '../value/scalar.js'
import { contentTypeAttributes, contentTypes, type ContentType } from '../content/content-type.js'

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

/** The attributes that only tags of persons have. */
const ofPersons = { onlyWith: { attribute: 'type', values: ['person'] } } as const

/** The attributes that contain the name of a tag. */
const tagNames = {
  last_name_or_title: stored(text({ max: 255, min: 1 }), 'Last name of a person, or title.', {
    required: true,
    searched: 'title',
  }),
  first_name: stored(text({ max: 255 }), 'First name of a person; may be empty.', {
    searched: 'title',
    ...ofPersons,
  }),
} as const

/** The name of a tag for display: first and last name of a person, else the title. */
export const displayName = (state: JsonObject): string => {
  const { first_name, last_name_or_title } = partOf(tagNames, state)
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
  email: stored(emailAddresses, 'E-mail of a person.', ofPersons),
  website: stored(webAddress, 'Website of a person.', ofPersons),
  fb_username: stored(text({ max: 255 }), 'User name of a person at Facebook.', ofPersons),
  twitter_username: stored(text({ max: 255 }), 'User name of a person at Twitter.', ofPersons),
  instagram_username: stored(text({ max: 255 }), 'User name of a person at Instagram.', ofPersons),
  linkedin_url: stored(webAddress, 'Page of a person at LinkedIn.', ofPersons),
} as const

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
  title_order: folded(
    'The sort key of the name.',
    ['first_name', 'last_name_or_title'],
    (state: JsonObject) => displayName(state),
  ),
} as const

export type Tag = WholeOf<typeof attributes>

/** Tags: subjects and persons (docs/behaviour/tags.md). */
export const tag: ResourceWith<typeof attributes, 'tags'> = defineResource({
  name: 'tag',
  collection: 'tags',
  description: 'Tags name subjects and persons; with a predicate they are attached to objects.',
  examples: {
    id: sampleObjects.tag,
    bodies: [{ last_name_or_title: 'Trams', urlname: 'trams', synonyms: ['Streetcars'] }],
  },
  attributes,
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
    ...stampFilters,
  },
  indexes: [
    ['type', 'title_order'],
    ['state', 'title_order'],
  ],
  unique: () => ({ scope: 'tag', message: "'urlname' must be unique for tags." }),
  nameOf: displayName,
  check: (state) => onlyWithFaults(attributes, state),
  shownToPublic: { where: () => [{ key: 'state', equals: 'approved' }], keys: ['state'], times: [] },
})

// The attributes by which objects have tags.

const reviews = ['review_album', 'review_book', 'review_product', 'review_movie'] as const

const everyContent: readonly ContentType[] = contentTypes

/** The collections whose objects can have tags. */
export const taggableCollections = ['content', 'locations', 'files', 'blogs'] as const
export type TaggableCollection = (typeof taggableCollections)[number]

type Kinds = {
  /** The content types that accept it; none by default. */
  readonly content?: readonly ContentType[]
  readonly others?: readonly Exclude<TaggableCollection, 'content'>[]
}

/** The predicates, and the kinds of objects that accept them (docs/behaviour/tags.md#predicates). */
export const predicates = {
  describes: { content: everyContent, others: ['locations', 'files', 'blogs'] },
  authored: { content: everyContent },
  edited: { content: everyContent },
  is_brand_of_reviewed: { content: reviews },
  type_of_reviewed: { content: reviews },
  created_reviewed: { content: ['review_album', 'review_book', 'review_movie'] },
  illustrated_reviewed: { content: ['review_book'] },
  translated_reviewed: { content: ['review_book'] },
  photographed: { others: ['files'] },
  illustrated: { others: ['files'] },
} as const satisfies Readonly<Record<string, Kinds>>

export type Predicate = keyof typeof predicates

export const isPredicate = (name: string): name is Predicate => Object.hasOwn(predicates, name)

export const predicateNames: readonly Predicate[] = Object.keys(predicates).filter(isPredicate)

/** Whether an object accepts a predicate, by its collection and, for content, its type. */
export const acceptsPredicate = (
  predicate: Predicate,
  collection: TaggableCollection,
  state: JsonObject,
): boolean => {
  const { content = [], others = [] }: Kinds = predicates[predicate]
  return collection === 'content'
    ? content.some((type) => type === attributeIn(contentTypeAttributes, 'content_type', state))
    : others.includes(collection)
}

/** The collections whose objects accept a predicate. */
export const collectionsAccepting = (predicate: Predicate): readonly TaggableCollection[] => {
  const { content = [], others = [] }: Kinds = predicates[predicate]
  return taggableCollections.filter((each) =>
    each === 'content' ? content.length > 0 : others.includes(each),
  )
}

const tagging = {
  tag: stored(reference('tags'), 'The tag.', { required: true }),
  predicate: stored(oneOf(predicateNames), 'How it relates to the object.', { required: true }),
  created: stored(dateTime, 'When it was attached.', { required: true }),
} as const

/** One tag on one object, as the object stores it. */
export type Tagging = WholeOf<typeof tagging>

/** Maximum number of tags on one object, all predicates together. */
export const maxTaggings = 500

const storedTaggings = {
  taggings: stored(listOf(record(tagging), maxTaggings), 'Its tags, with their predicates.', {
    internal: true,
    part: true,
    includedAs: 'tags',
    initial: [],
  }),
} as const

/** The taggings of an object, in the order in which they were attached. */
export const taggingsOf = (state: JsonObject): readonly Tagging[] =>
  attributeIn(storedTaggings, 'taggings', state) ?? []

/** The tags of an object, each once. */
export const tagsOn = (state: JsonObject): readonly string[] => [
  ...new Set(taggingsOf(state).map((each) => each.tag)),
]

/** The text under which an object is found by predicate and tag. */
export const taggedAs = (predicate: string, id: string): string => `${predicate} ${id}`

/**
 * The taggings of an object. They are stored in the object, so that they are deleted with it and are live when it is.
 */
export const taggingAttributes = {
  ...storedTaggings,
  tags: derived(
    {
      type: 'array',
      maxItems: maxTaggings,
      items: {
        type: 'object',
        properties: {
          uuid: { type: 'string', format: 'uuid', description: 'The tag.' },
          predicate: tagging.predicate.type.schema,
        },
        required: ['uuid', 'predicate'],
      },
    },
    'Its tags, with their predicates.',
    (state: JsonObject, { find }) =>
      taggingsOf(state).flatMap(({ tag: uuid, predicate }) =>
        find('tags', uuid) === undefined ? [] : [{ uuid, predicate }],
      ),
    { needs: ['taggings'], rowsOnly: true },
  ),
  tagged: computed('texts', 'Its tags.', ['taggings'], tagsOn),
  tagged_as: computed('texts', 'Its tags by predicate.', ['taggings'], (state: JsonObject) =>
    taggingsOf(state).map((each) => taggedAs(each.predicate, each.tag)),
  ),
} as const
