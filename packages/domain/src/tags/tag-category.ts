import { isJsonObject, type JsonObject } from '../json.js'
import { derived, stored, type WholeOf } from '../resource/attribute.js'
import { withComputed } from '../resource/with-computed.js'
import { defineMemberList } from '../resource/member-list.js'
import { sampleObjects, defineResource, type ResourceWith } from '../resource/resource.js'
import type { OtherForms } from '../resource/attribute-tables.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { laterStamps, titleOrder, stampFilters } from '../resource/standard-attributes.js'
import { oneOf } from '../value/scalar.js'
import { parseUuid, text, uuid } from '../value/text.js'
import { categoryKinds, maxMembers, membersAttributes } from './tag.js'

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true }),
  urlname: derived({ type: 'string' }, 'Categories have no public path: always null.', () => null, {
    nullable: true,
  }),
  kind: stored(
    oneOf(categoryKinds),
    'What it is used for: the tags of the category `location_types` are returned as the types of the locations that they describe. At most one category has a kind; a PUT without it keeps it.',
    { retained: true },
  ),
  ...laterStamps,
  ...membersAttributes,
  title_order: titleOrder('title'),
} as const

export type TagCategory = WholeOf<typeof attributes>

const declared = defineResource({
  name: 'tag category',
  collection: 'tag_categories',
  examples: { id: '10ca7100-7e57-4a95-8c0d-000000000001', bodies: [{ title: 'Means of transport' }] },
  description:
    'Tag categories group tags. Every instance starts with one of the kind `location_types`, whose tags are the types of locations.',
  attributes,
  orders: { title: 'title_order', created: 'created', modified: 'modified' },
  filters: {
    ...stampFilters,
  },
  indexes: [['members'], ['kind']],
  unique: ({ kind }) =>
    kind === null
      ? null
      : { attribute: 'kind', scope: 'kind', message: `another tag category has the kind ${kind}` },
})

/** Custom tag categories (docs/behaviour/tags.md). */
export const tagCategory: ResourceWith<typeof attributes, 'tag_categories'> = {
  ...declared,
  segments: 'tags/categories',
}

const locationTypes = { title: 'Location types', kind: 'location_types' } as const

/** The category that every instance starts with. On older instances, any category can be given the kind. */
export const firstCategory = {
  id: '10ca7100-7e57-4a95-8c0d-000000000001',
  input: locationTypes,
  initial: (now: NaiveDateTime): JsonObject =>
    withComputed(tagCategory, {
      ...locationTypes,
      created: now,
      modified: now,
      created_by: null,
      members: [],
    }),
} as const

const address = /\/tags\/([^/]+)$/

/** The tag of a row: the first field that is a UUID or an API URL of a tag. */
const tagInRow = (row: readonly unknown[]): string | null => {
  for (const value of row) {
    const id = typeof value === 'string' ? parseUuid(address.exec(value)?.[1] ?? value) : null
    if (id !== null) return id
  }
  return null
}

/** Members as GET returns them: rows with their UUID or URL, or objects with `uuid` (docs/behaviour/tags.md#members). */
const membersAsRead: OtherForms = {
  schemas: [
    {
      type: 'object',
      description: 'A tag by `uuid`.',
      properties: { uuid: { ...uuid.schema, description: 'The tag.' } },
      required: ['uuid'],
    },
    {
      type: 'array',
      description:
        'A row as GET returns it: its first value that is a UUID or the API URL of a tag identifies the tag.',
      items: {},
      minItems: 1,
    },
  ],
  what: 'an object with tag_uuid, or a row with the UUID or URL of a tag',
  read: (sent) => {
    if (Array.isArray(sent)) {
      const tag = tagInRow(sent)
      return tag === null ? null : { tag_uuid: tag }
    }
    if (!isJsonObject(sent)) return null
    const { uuid: tag, tag_uuid: named = null, ...rest } = sent
    return named !== null || tag === undefined ? sent : { ...rest, tag_uuid: tag }
  },
}

/** The tags of a category (docs/behaviour/tags.md). */
export const categoryTags = defineMemberList({
  resource: tagCategory,
  attribute: 'members',
  item: 'tag_uuid',
  target: 'tags',
  plural: 'tags',
  example: sampleObjects.locationType,
  max: maxMembers,
  rows: true,
  otherForms: membersAsRead,
})
