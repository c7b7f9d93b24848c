import { firstPerPath } from '../fault.js'
import { isJsonObject, jsonObject, type JsonObject } from '../json.js'
import { stored, type WholeOf } from '../resource/attribute.js'
import {
  defineItems,
  draftItems,
  type ItemsDraft,
  draftAttributes,
  suppliedReferences,
} from '../resource/draft-attributes.js'
import { image } from '../files/file-data.js'
import { sampleObjects, defineResource, type ResourceWith } from '../resource/resource.js'
import { partOf, attributeIn } from '../resource/attribute-tables.js'
import { listOf, record } from '../value/record.js'
import { opaque, type ValueContext } from '../value/value-type.js'
import { reference } from '../value/reference.js'
import { boolean, integer, oneOf } from '../value/scalar.js'
import { webAddress } from '../value/address.js'
import { text, uuid } from '../value/text.js'

export const storyAttributes = {
  type: stored(oneOf(['content', 'link']), 'What it leads to.', { required: true }),
  link_uuid: stored(reference('content'), 'The content object.', { only: ['content'], required: true }),
  link_url: stored(webAddress, 'The address.', { only: ['link'], required: true }),
  title: stored(text({ max: 255 }), 'Title in place of the content’s own.'),
  description: stored(text({ max: 10_000 }), 'Description in place of the content’s own.'),
  ...image('image', 'Image in place of the content’s own'),
} as const

/** An item of the homepage (docs/behaviour/homepage.md). */
export const story = defineItems({
  attributes: storyAttributes,
  variant: 'type',
  plural: 'stories',
  examples: {
    bodies: [
      { type: 'content', link_uuid: sampleObjects.story },
      { type: 'link', link_url: 'https://weather.example.org', title: 'Tonight: clear until four' },
    ],
  },
  check: () => [],
  isReturned: ({ type, link_uuid }) => type !== 'content' || link_uuid !== null,
})

const maxTags = 50

const listAttributes = {
  auto: stored(boolean, 'Whether the stories are chosen automatically.', { initial: false }),
  auto_max: stored(integer({ min: 0, max: 100 }), 'Maximum number of stories.', { initial: 5 }),
  auto_tag_uuids: stored(
    listOf(reference('tags'), maxTags),
    'Only content that has any of these tags; all content if there are none.',
    { initial: [] },
  ),
} as const

/** A list of stories, without its items (docs/behaviour/homepage.md). */
export const storyList = {
  attributes: listAttributes,
  examples: { bodies: [{ auto: false, auto_max: 4, auto_tag_uuids: [] }] },
} as const

/** Maximum number of stories in one list. */
export const storyLimit = 100

const required = true

/** A story, returned with its content only. */
const storyWithContent = opaque(jsonObject, {
  resolve: (item, isAlive) => {
    const { type = null, link_uuid: id = null } = isJsonObject(item) ? item : {}
    const isDead =
      type === 'content' && typeof id === 'string' && !isAlive({ path: '', collection: 'content', id })
    return isDead ? null : item
  },
})

const storedStories = {
  auto: stored(boolean, 'Whether the stories are chosen automatically.', { required }),
  auto_max: stored(integer({ min: 0, max: 100 }), 'Maximum number of stories.', { required }),
  auto_tag_uuids: stored(listOf(uuid, maxTags), 'The tags of content that is chosen.', { required }),
  items: stored(listOf(storyWithContent, storyLimit), 'The stories.', { required }),
} as const

/** A stored list of stories. */
export type StoredStories = WholeOf<typeof storedStories>

export const noStories: StoredStories = { auto: false, auto_max: 5, auto_tag_uuids: [], items: [] }

/** An attribute of a homepage that is a list of stories. */
const storiesAttribute = (description: string) =>
  stored(record(storedStories), description, {
    internal: true,
    part: true,
    heavy: true,
    initial: noStories,
  })

const nothing: ItemsDraft = { items: [], references: [], faults: [] }

type StoriesDraft = Omit<ItemsDraft, 'items'> & { readonly stories: StoredStories }

/** Decodes a list of stories. If stories are chosen automatically, items that were sent are ignored. */
export const draftStories = (input: JsonObject, context: ValueContext): StoriesDraft => {
  const { items: _items, ...rest } = input
  const draft = draftAttributes(storyList, { mode: 'put', input: rest, previous: null, context })
  const { auto, auto_max, auto_tag_uuids } = partOf(listAttributes, draft.state)
  const listed =
    auto === true ? nothing : draftItems(story, input, context, storyLimit, Object.keys(listAttributes))
  return {
    stories: {
      auto: auto ?? noStories.auto,
      auto_max: auto_max ?? noStories.auto_max,
      auto_tag_uuids: auto_tag_uuids ?? noStories.auto_tag_uuids,
      items: listed.items,
    },
    references: [...suppliedReferences(storyList, draft), ...listed.references],
    faults: firstPerPath([...draft.faults, ...listed.faults]),
  }
}

/** A content object as a story that was chosen automatically. */
export const storyOf = (
  id: string,
  { title = null, description = null, teaser_image_uuid }: JsonObject,
): JsonObject => ({
  type: 'content',
  link_uuid: id,
  title,
  description,
  image_uuid: teaser_image_uuid ?? null,
})

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
export const homepage: ResourceWith<typeof attributes, 'homepage'> = defineResource({
  name: 'homepage',
  collection: 'homepage',
  description: 'Homepages have headline and featured stories; weekdays can have separate ones.',
  examples: { id: firstHomepage.id, deletable: 'mon', bodies: [{ title: 'Homepage' }] },
  attributes,
  given: {
    words: Object.fromEntries(
      Object.entries(weekdays).map(([word, title], index) => [
        word,
        { id: numbered(index + 1), initial: initial(title) },
      ]),
    ),
    kept: {
      [firstHomepage.id]:
        'The first homepage cannot be deleted: an instance always has one. PUT and PATCH change it.',
    },
  },
  orders: {},
  filters: {},
  indexes: [],
})

export const storiesOf = (state: JsonObject, list: StoryList): StoredStories =>
  attributeIn(attributes, list, state) ?? noStories
