/** The field `highlight` as text: escaped text in which only `mark` is an element (docs/behaviour/search.md#highlight). */

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

type Part = { readonly text: string; readonly isMarked: boolean }

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
