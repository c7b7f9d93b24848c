import type { Queryable } from '../resource/collection-query.js'
import { derived } from '../resource/attribute.js'
import { segmentsOf } from '../resource/resource.js'
import { resourceOf } from '../resource/resources.js'

/** The list of an instance's collections, queried like a collection (docs/behaviour/instance.md#collections). The id of a view is the collection, or the path of a subcollection. */
export const instanceIndex: Queryable = {
  attributes: {
    url: derived({ type: 'string', format: 'uri' }, 'API URL of the collection.', (_state, view) =>
      view.links.collection(view.id),
    ),
    name: derived(
      { type: 'string' },
      'Name of the collection: its path below the instance.',
      (_state, view) => {
        const resource = resourceOf(view.id)
        return resource === undefined ? view.id : segmentsOf(resource)
      },
    ),
  },
  orders: {},
  filters: {},
}
