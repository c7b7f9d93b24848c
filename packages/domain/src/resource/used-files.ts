/** Where a file is used: the filter `files` (docs/behaviour/collections.md#files-filter). */
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { computed, type AttributeTable } from './attribute.js'
import { filterFrom, parseUuids, uuidsSchema } from './collection-filter.js'
import { tableEntries } from './attribute-tables.js'

/** The collection of files, and the filter. */
const files = 'files'

export const usedFilesKey = 'used_files'

// Objects may use files in attributes that a public_user does not see.
const filesFilter = filterFrom('reader', {
  description: 'Only objects that use at least one of these files: UUIDs, separated by underscores.',
  schema: uuidsSchema(),
  keys: [usedFilesKey],
  parse: (text) => {
    const ids = parseUuids(text)
    return E.isLeft(ids) ? ids : E.right([{ anyOf: ids.right.map((id) => [{ key: usedFilesKey, has: id }]) }])
  },
})

/** What the objects of a table have if they can use files. */
export const usedFiles = (table: AttributeTable) => {
  const sources = tableEntries(table).stored.filter(([, { type }]) => type.targets?.includes(files))
  if (sources.length === 0) return { attributes: {}, filters: {}, indexes: [] }
  const filesOf = (state: JsonObject): readonly string[] =>
    sources.flatMap(([name, { type }]) =>
      (type.references?.(state[name] ?? null) ?? []).flatMap(({ collection, id }) =>
        collection === files ? id : [],
      ),
    )
  return {
    attributes: {
      [usedFilesKey]: computed(
        'texts',
        'The files that it uses.',
        sources.map(([name]) => name),
        (state: JsonObject) => [...new Set(filesOf(state))],
      ),
    },
    filters: { [files]: filesFilter },
    indexes: [[usedFilesKey]],
  }
}
