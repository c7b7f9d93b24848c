import type { JsonObject } from '../json.js'
import { computed, derived, stored, type WholeOf } from '../resource/attribute.js'
import { attributeIn } from '../resource/table-entries.js'
import { listOf, record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { dateTime, oneOf } from '../value/scalar.js'
import { predicateNames } from './predicates.js'

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
    includedAs: 'tags',
    initial: [],
  }),
} as const

/** The taggings of an object, in the order in which they were attached. */
export const taggingsOf = (state: JsonObject): readonly Tagging[] =>
  attributeIn(storedTaggings, 'taggings', state) ?? []

/** The tags of an object, each once. */
export const tagsOn = (state: JsonObject): readonly string[] => [
  ...new Set(taggingsOf(state).map(({ tag }) => tag)),
]

/** The text under which an object is found by predicate and tag. */
export const taggedAs = (predicate: string, tag: string): string => `${predicate} ${tag}`

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
      taggingsOf(state).flatMap(({ tag, predicate }) =>
        find('tags', tag) === undefined ? [] : [{ uuid: tag, predicate }],
      ),
    { needs: ['taggings'], rowsOnly: true },
  ),
  tagged: computed('texts', 'Its tags.', ['taggings'], tagsOn),
  tagged_as: computed('texts', 'Its tags by predicate.', ['taggings'], (state: JsonObject) =>
    taggingsOf(state).map(({ predicate, tag }) => taggedAs(predicate, tag)),
  ),
} as const
