/** What the collections of the service need of a store, for authors of stores. */
import { collections } from '@publishing-service/application'
import { isListType } from '@publishing-service/ports'
import { markdownTable } from './markdown-table.js'

/** The collections with keys, those with most indexes first. */
export const collectionTable = (): string =>
  markdownTable(
    [
      'Collection',
      'Keys',
      'of texts or intervals',
      'Indexes',
      'that begin with them',
      'Group counts',
      'Words',
    ],
    collections
      .filter(({ keys }) => Object.keys(keys).length > 0)
      .toSorted((a, b) => b.indexes.length - a.indexes.length)
      .map(({ name, keys, indexes, groupCounts, searched = [] }) => {
        const isList = (key: string): boolean => isListType(keys[key])
        const counts = [
          Object.keys(keys).length,
          Object.keys(keys).filter(isList).length,
          indexes.length,
          indexes.filter(([first = '']) => isList(first)).length,
          groupCounts.length,
        ]
        return [`\`${name}\``, ...counts.map(String), searched.length > 0 ? 'yes' : '']
      }),
  )
