/** Where a file is used: the filter `files` (docs/behaviour/collections.md#files-filter). */
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { computed, type AttributeTable } from './attribute.js'
import { type CollectionFilter, parseUuids, uuidsSchema } from './collection-filter.js'
import { tableEntries } from './table-entries.js'

const target = 'files'

const key = 'used_files'

const filter: CollectionFilter = {
  description:
    'Only objects that use at least one of these files: UUIDs, separated by underscores. Not for a public_user.',
  schema: uuidsSchema(),
  keys: [key],
  parse: (text, { role }) => {
    // Objects may use files in attributes that a public_user does not see.
    if (role === 'public_user') return E.left('is not accepted from the role public_user')
    const files = parseUuids(text)
    return E.isLeft(files) ? files : E.right([{ anyOf: files.right.map((file) => [{ key, has: file }]) }])
  },
}

/** What the objects of a table have if they can use files. */
export const usedFiles = (table: AttributeTable) => {
  const sources = tableEntries(table).stored.filter(([, { type }]) => type.targets?.includes(target))
  if (sources.length === 0) return { attributes: {}, filters: {}, indexes: [] }
  const filesOf = (state: JsonObject): readonly string[] =>
    sources.flatMap(([name, { type }]) =>
      (type.references?.(state[name] ?? null) ?? []).flatMap(({ collection, id }) =>
        collection === target ? id : [],
      ),
    )
  return {
    attributes: {
      [key]: computed(
        'texts',
        'The files that it uses.',
        sources.map(([name]) => name),
        (state: JsonObject) => [...new Set(filesOf(state))],
      ),
    },
    filters: { [target]: filter },
    indexes: [[key]],
  }
}
