import { stored, type WholeOf } from '../resource/attribute.js'
import { defineResource, type ResourceWith } from '../resource/resource.js'
import { titleOrder } from '../resource/standard-attributes.js'
import { reference } from '../value/reference.js'
import { text, urlname } from '../value/text.js'
import { taggingAttributes } from '../tags/tag.js'

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true }),
  urlname: stored(urlname, 'Name in public paths; unique within the section.', { required: true }),
  description: stored(text({ max: 10_000 }), 'Description.'),
  section_uuid: stored(reference('sections'), 'Section; null at the top.'),
  ...taggingAttributes,
  title_order: titleOrder('title'),
} as const

export type Blog = WholeOf<typeof attributes>

/** Blogs, for old clients (docs/behaviour/deprecated.md#blogs). */
export const blog: ResourceWith<typeof attributes, 'blogs'> = defineResource({
  name: 'blog',
  collection: 'blogs',
  description: 'Blogs contained content before there were sections.',
  examples: {
    id: '3b5e8d07-41c9-4a62-9f18-d0c7b6a25e94',
    bodies: [{ title: 'Night shift', urlname: 'night-shift', description: 'Written between two and five.' }],
  },
  attributes,
  orders: { title: 'title_order', urlname: 'urlname' },
  filters: {},
  indexes: [['tagged'], ['tagged_as'], ['section_uuid']],
  unique: ({ section_uuid }) => ({
    scope: section_uuid ?? 'root',
    message: 'urlname not unique within section',
  }),
})
