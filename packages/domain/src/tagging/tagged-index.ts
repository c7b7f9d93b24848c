import { derived } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'

type Tagged = { readonly collection: string; readonly kind: string }

/** The objects that a tag is attached to, queried like a collection (docs/behaviour/tags.md#objects-of-a-tag). A state contains the collection of the object. */
export const taggedIndex: Queryable = {
  attributes: {
    url: derived({ type: 'string', format: 'uri' }, 'API URL of the object.', (state: Tagged, view) =>
      view.links.object(state.collection, view.id),
    ),
    uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier of the object.', (_state, view) => view.id),
    type: derived(
      { type: 'string', enum: ['content', 'location', 'file', 'blog'] },
      'Kind of the object.',
      (state: Tagged) => state.kind,
    ),
  },
  orders: {},
  filters: {},
}
