/** The tags of an object, as items of a list (docs/behaviour/tags.md#tags-of-an-object). */
import type { JsonObject } from '../json.js'
import { derived, stored } from '../resource/attribute.js'
import { textSchema, uriSchema, uuidSchema } from '../resource/shown-attribute.js'
import { stateIn, type Shape } from '../resource/attribute-tables.js'
import type { ViewContext } from '../resource/view-context.js'
import { predicateNames, type Tagging, displayName, tag } from './tag.js'
import { reference } from '../value/reference.js'

type Stored = Pick<Tagging, 'tag' | 'predicate'>

/** What an item shows of its tag, if the viewer sees that. */
const ofTag = (
  schema: (typeof tag.attributes)['type' | 'state']['type']['schema'],
  description: string,
  read: (state: JsonObject) => string | null,
) =>
  derived(
    schema,
    description,
    ({ tag: id }: Stored, { find }: ViewContext) => {
      const state = find('tags', id)
      return state === undefined ? null : read(state)
    },
    { needs: ['tag'] },
  )

const { title, type, state } = tag.attributes

export const objectTag: Shape = {
  attributes: {
    uuid: derived(uuidSchema, 'The tag.', ({ tag: id }: Stored) => id),
    url: derived(uriSchema, 'API URL of the tag.', ({ tag: id }: Stored, { links }) =>
      links.object('tags', id),
    ),
    predicate: derived(
      { ...textSchema, enum: predicateNames },
      'How the tag relates to the object.',
      ({ predicate }: Stored) => predicate,
    ),
    title: ofTag(title.schema, title.description, displayName),
    type: ofTag(type.type.schema, type.description, (found) => stateIn(tag, found).type),
    state: ofTag(state.type.schema, state.description, (found) => stateIn(tag, found).state),
    tag: stored(reference('tags'), 'The tag.', { writeOnly: true, required: true }),
  },
}
