import type { JsonObject } from '../json.js'
import { computed, stored } from '../resource/attribute.js'
import { listOf } from '../value/list.js'
import { record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { dateTime, oneOf } from '../value/scalar.js'
import { predicateNames } from './predicates.js'

const tagging = record({
  tag: stored(reference('tags'), 'The tag.', { required: true }),
  predicate: stored(oneOf(predicateNames), 'What it says of the object.', { required: true }),
  created: stored(dateTime, 'When it was attached.', { required: true }),
})

/** One tag on one object, as the object keeps it. */
export type Tagging = { readonly tag: string; readonly predicate: string; readonly created: string }

/** Tags on one object, all predicates together. */
export const maxTaggings = 500

/** The taggings of an object, in the order in which they came. */
export const taggingsOf = (state: JsonObject): readonly Tagging[] =>
  Array.isArray(state['taggings']) ? state['taggings'] : []

/** The tags of an object, each once. */
export const tagsOn = (state: JsonObject): readonly string[] => [
  ...new Set(taggingsOf(state).map(({ tag }) => tag)),
]

/** The text under which an object is found by predicate and tag. */
export const taggedAs = (predicate: string, tag: string): string => `${predicate} ${tag}`

/**
 * What an object that takes tags keeps of them. They stand in the object itself, so that they come and go with it
 * and are live exactly when it is.
 */
export const taggingAttributes = {
  taggings: stored(listOf(tagging, maxTaggings), 'Its tags, with their predicates.', {
    internal: true,
    initial: [],
  }),
  tagged: computed('texts', 'Its tags.', tagsOn),
  tagged_as: computed('texts', 'Its tags by predicate.', (state) =>
    taggingsOf(state).map(({ predicate, tag }) => taggedAs(predicate, tag)),
  ),
} as const
