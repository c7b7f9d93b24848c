import { highlight } from '../search/highlight.js'
import { searchedTexts, type SearchedAttribute } from '../search/searched-texts.js'
import type { Format } from '../value/schema.js'
import { derived, type AttributeTable } from './attribute.js'

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
      (state, { terms = [] }) =>
        terms.length === 0
          ? null
          : highlight(
              searchedTexts(searched, state).map(({ text }) => text),
              terms,
            ),
      { nullable: true, rowsOnly: true, readsHeavy: true },
    ),
  }
}
