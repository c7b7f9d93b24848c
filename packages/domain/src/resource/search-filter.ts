import { highlight } from '../search/highlight.js'
import { searchedTexts, type SearchedAttribute } from '../search/searched-texts.js'
import type { Format } from '../value/schema.js'
import { derived, type AttributeTable } from './attribute.js'
import { E, type Either } from '../fp.js'
import { parseSearchTerms, searchLimits, type SearchTerm } from '../search/search-terms.js'

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

const search = {
  description:
    'Only objects that contain all these words, in any order, and words that begin with the last one; «"…"» is a phrase. Without `order`, the most relevant ones come first.',
  schema: { type: 'string', format: 'words', minLength: 1, maxLength: searchLimits.characters },
  keys: [],
  // Stores find the words in their own way, so they are no condition on a key.
  parse: (text: string): Either<string, readonly []> => {
    const terms = parseSearchTerms(text)
    return E.isLeft(terms) ? terms : E.right([])
  },
} as const

/** The filter `q` of a resource whose table search reads (docs/behaviour/search.md). */
export const searchFilter = (table: AttributeTable): Readonly<Record<string, typeof search>> =>
  searchedAttributes(table).length === 0 ? {} : { q: search }

/** The terms of `q`; null without it, or if the collection does not accept it. */
export const wordsFound = (
  { filters }: { readonly filters: Readonly<Record<string, unknown>> },
  { q }: { readonly q?: unknown },
): readonly SearchTerm[] | null => {
  if (filters['q'] === undefined || typeof q !== 'string') return null
  const terms = parseSearchTerms(q)
  return E.isLeft(terms) ? null : terms.right
}
