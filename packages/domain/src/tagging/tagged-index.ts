import { derived } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'

type Tagged = { readonly collection: string; readonly kind: string }

/**
 * The objects that a tag is attached to, queried like a collection (docs/behaviour/tags.md#objects-of-a-tag). A state
 * names their collection.
 */
export const taggedIndex: Queryable = {
  attributes: {
    url: derived({ type: 'string', format: 'uri' }, 'API URL of the object.', (state: Tagged, view) =>
      view.links.object(state.collection, view.id),
    ),
    uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier of the object.', (_state, view) => view.id),
    type: derived(
      { type: 'string', enum: ['content', 'location', 'file', 'blog'] },
      'What kind of object it is.',
      (state: Tagged) => state.kind,
    ),
  },
  orders: {},
  filters: {},
}
