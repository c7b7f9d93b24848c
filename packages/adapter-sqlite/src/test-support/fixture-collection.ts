/** The collection that this package's tests and their processes use. */
import type { Collection } from '@publishing-service/ports'

export const things: Collection = {
  name: 'things',
  heavy: ['content'],
  keys: { title: 'text', kind: 'text', rank: 'number', open: 'boolean', tags: 'texts', places: 'intervals' },
  indexes: [
    ['title'],
    ['kind'],
    ['rank'],
    ['open'],
    ['tags'],
    ['places'],
    ['kind', 'rank'],
    ['kind', 'title'],
    ['kind', 'open', 'rank'],
    ['tags', 'title'],
    ['tags', 'kind', 'rank'],
  ],
  groupCounts: [
    { key: 'tags', within: [] },
    { key: 'tags', within: ['kind', 'open'] },
  ],
}
