import { computed, stored } from '../resource/attribute.js'
import { defineMemberList } from '../resource/member-list.js'
import { defineResource } from '../resource/resource.js'
import { fold } from '../value/fold.js'
import { listOf } from '../value/list.js'
import { reference } from '../value/reference.js'
import { text } from '../value/text.js'

/** Tags in one category. */
const maxMembers = 10_000

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true }),
  members: stored(listOf(reference('tags'), maxMembers), 'Its tags, in order.', {
    internal: true,
    initial: [],
  }),
  title_order: computed('text', 'The title as lists order it.', (state) => fold(String(state['title']))),
} as const

/** Custom tag categories (specification, Tag; decisions §11). */
export const tagCategory = defineResource({
  name: 'tag category',
  collection: 'tag_categories',
  segments: 'tags/categories',
  description: 'Tag categories group tags.',
  attributes,
  orders: { title: 'title_order' },
  filters: {},
  indexes: [['members']],
  unique: () => null,
})

/** The tags of a category (specification, endpoint table; decisions §11). */
export const categoryTags = defineMemberList({
  resource: tagCategory,
  attribute: 'members',
  item: 'tag_uuid',
  target: 'tags',
  plural: 'tags',
  max: maxMembers,
  rows: true,
})
