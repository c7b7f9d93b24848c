import type { JsonObject } from '../json.js'
import { stored, type WholeOf } from '../resource/attribute.js'
import { defineResource } from '../resource/resource.js'
import { attributeIn } from '../resource/table-entries.js'
import { text } from '../value/text.js'
import { noStories, storiesAttribute, type StoredStories } from './stories.js'

/** The lists of stories on a homepage, by their names in paths. */
export const storyLists = ['headline_stories', 'featured_stories'] as const
export type StoryList = (typeof storyLists)[number]

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { initial: 'Homepage' }),
  headline_stories: storiesAttribute('Headline stories.'),
  featured_stories: storiesAttribute('Featured stories.'),
} as const

export type Homepage = WholeOf<typeof attributes>

const initial = (title: string): Homepage => ({
  title,
  headline_stories: noStories,
  featured_stories: noStories,
})

const numbered = (number: number): string => `40eba6e0-0000-4000-8000-00000000000${number}`

const weekdays = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const

/** The homepage that every instance starts with. */
export const firstHomepage = { id: numbered(0), initial: initial('Homepage') } as const

/** Homepages, with their headline and featured stories (docs/behaviour/homepage.md). */
export const homepage = defineResource({
  name: 'homepage',
  collection: 'homepage',
  description: 'Homepages have headline and featured stories; weekdays can have separate ones.',
  examples: { id: firstHomepage.id, deletable: 'mon', bodies: [{ title: 'Homepage' }] },
  attributes,
  reservedIds: Object.fromEntries(
    Object.entries(weekdays).map(([word, title], index) => [
      word,
      { id: numbered(index + 1), initial: initial(title) },
    ]),
  ),
  omits: ['createObject'],
  preventsDeletion: (id) =>
    id === firstHomepage.id
      ? 'The first homepage cannot be deleted: an instance always has one. PUT and PATCH change it.'
      : null,
  orders: {},
  filters: {},
  indexes: [],
  unique: () => null,
})

export const storiesOf = (state: JsonObject, list: StoryList): StoredStories =>
  attributeIn(attributes, list, state) ?? noStories
