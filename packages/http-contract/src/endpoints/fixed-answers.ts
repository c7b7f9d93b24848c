import { content, file, slot, tag, tagging, type Schema, type Shape } from '@publishing-service/domain'
import type { Payload } from '../payload.js'

type Properties = Readonly<Record<string, Schema>>

/** Attributes of a declaration, by name, as an answer holds them beside others. */
const shownOf = ({ attributes }: Shape, ...names: readonly string[]): Properties =>
  Object.fromEntries(
    names.map((name) => {
      const attribute = attributes[name]
      if (attribute === undefined || attribute.kind === 'computed') throw new Error(`nobody reads ${name}`)
      const { schema } = attribute.kind === 'derived' ? attribute : attribute.type
      return [name, { ...schema, description: attribute.description }]
    }),
  )

const objectOf = (description: string, properties: Properties): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
})

const fixed = (name: string, description: string, properties: Properties): Payload => ({
  _tag: 'Fixed',
  name,
  schema: objectOf(description, properties),
})

const listed = (name: string, description: string, what: string, item: Properties): Payload =>
  fixed(name, description, {
    items: { type: 'array', description: 'All of them.', items: objectOf(what, item) },
  })

const message = (description: string): Properties => ({ msg: { type: 'string', description } })

/** What a write to an object answers (specification, Endpoints). */
export const written = fixed('Written', 'What was written.', shownOf(content, 'url', 'uuid'))

/** What DELETE answers (decisions §1.2). */
export const deleted = fixed('Deleted', 'That it is gone.', {
  msg: { type: 'string', enum: ['deleted'], description: 'Always `deleted`.' },
})

/** What a write to a part of an object answers. */
export const partWritten = fixed('PartWritten', 'What was done, and to which object.', {
  ...message('What was done, for people.'),
  ...shownOf(content, 'url', 'uuid'),
})

export const slotWritten = fixed('SlotWritten', 'Which slot was configured.', {
  ...shownOf(slot, 'content_uuid', 'url'),
  slot_uuid: { type: 'string', format: 'uuid', description: 'The slot.' },
})

export const mediaWritten = fixed(
  'MediaWritten',
  'What was done to the list of media.',
  message('What was done: `media added` or `media updated`.'),
)

export const settingsWritten = fixed('SettingsWritten', 'Where the settings are.', {
  url: { type: 'string', format: 'uri', description: 'API URL of the settings.' },
})

export const uploaded = fixed(
  'Uploaded',
  'Which file has new data, and where it can be downloaded.',
  shownOf(file, 'download_url', 'url', 'uuid'),
)

/** The tags of an object (decisions §11). */
export const objectTags = listed('ObjectTags', 'The tags of an object.', 'A tag, and what it says.', {
  ...shownOf(tag, 'uuid', 'url', 'title', 'type', 'state'),
  ...shownOf(tagging, 'predicate'),
})

/** The tag cloud (decisions §12). */
export const tagCloud = listed(
  'TagCloud',
  'The tags that live objects carry most.',
  'A tag, and its weight.',
  {
    ...shownOf(tag, 'uuid', 'url', 'title', 'urlname'),
    count: { type: 'integer', minimum: 1, description: 'How many live objects carry it.' },
    weight: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Its count as a share of the highest one.',
    },
  },
)
