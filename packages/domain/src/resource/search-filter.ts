import { searchedTexts, type SearchedAttribute, searchLimits } from '../search/searched-texts.js'
import type { Format } from '../value/schema.js'
import { derived, type AttributeTable } from './attribute.js'
import type { RestrictingFilter } from './collection-filter.js'

const markupFormats: ReadonlySet<Format | undefined> = new Set(['markup', 'body-markup', 'markup-or-text'])

/** The attributes of a table that search reads. */
export const searchedAttributes = (table: AttributeTable): readonly SearchedAttribute[] =>
  Object.entries(table).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.searched !== undefined
      ? [{ name, level: attribute.searched, isMarkup: markupFormats.has(attribute.type.schema.format) }]
      : [],
  )

/** The field `highlight` of a table that search reads (docs/behaviour/search.md#highlight). */
export const highlightAttribute = (table: AttributeTable): AttributeTable => {
  const searched = searchedAttributes(table)
  if (searched.length === 0) return {}
  return {
    highlight: derived(
      { type: 'string' },
      'With `q`: a passage in which the words were found, as HTML without other elements than `mark`; else null.',
      (state, { highlight }) =>
        highlight === undefined ? null : highlight(searchedTexts(searched, state).map(({ text }) => text)),
      { nullable: true, rowsOnly: true, readsHeavy: true },
    ),
  }
}

const search: RestrictingFilter = {
  description:
    'Only objects that contain all these words, in any order, and words that begin with the last one; «"…"» is a phrase. Without `order`, the most relevant ones come first.',
  schema: { type: 'string', format: 'words', minLength: 1, maxLength: searchLimits.characters },
  keys: [],
  restricts: 'words',
}

/** The filter `q` of a resource whose table search reads (docs/behaviour/search.md). */
export const searchFilter = (table: AttributeTable): Readonly<Record<string, RestrictingFilter>> =>
  searchedAttributes(table).length === 0 ? {} : { q: search }
