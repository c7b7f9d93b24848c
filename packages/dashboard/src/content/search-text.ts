/** Texts of searches (docs/behaviour/search.md). */

/** Whether a text has a word that can be searched: a letter or a digit. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

type Part = { readonly text: string; readonly isMarked: boolean }

/** The parts of `highlight`, which is escaped text in which only `mark` is an element. */
export const highlightParts = (html: string): readonly Part[] =>
  html
    .split(/(<mark>[^<]*<\/mark>)/)
    .filter((part) => part !== '')
    .map((part) => {
      const isMarked = part.startsWith('<mark>')
      const text = isMarked ? part.slice('<mark>'.length, -'</mark>'.length) : part
      return {
        text: text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? ''),
        isMarked,
      }
    })
