/** An entry of search.json. */
export type Entry = {
  readonly title: string
  readonly kind: string
  readonly href: string
  readonly words: readonly string[]
  readonly text: string
}

const lowerCase = (text: string): string => text.toLowerCase()

/** The rank of an entry for a term, 0 is best; null if the entry does not contain it. */
const rankOfTerm = ({ title, kind, words, text }: Entry, term: string): number | null => {
  const name = lowerCase(title)
  if (name === term) return 0
  if (words.some((word) => lowerCase(word) === term)) return 1
  if (name.startsWith(term)) return 2
  if (words.some((word) => lowerCase(word).startsWith(term))) return 3
  if (name.includes(term)) return 4
  if (lowerCase(kind).includes(term)) return 5
  return lowerCase(text).includes(term) || words.some((word) => lowerCase(word).includes(term)) ? 6 : null
}

/** The worst rank of the terms, or the rank of all terms as one text if that is better. */
const rankOf = (entry: Entry, terms: readonly string[]): number | null => {
  const together = rankOfTerm(entry, terms.join(' '))
  const ranks = terms.map((term) => rankOfTerm(entry, term))
  const separate = ranks.every((each) => each !== null) ? Math.max(...ranks) : null
  if (together === null || separate === null) return together ?? separate
  return Math.min(together, separate)
}

/** The entries that contain all words of a query, the best first, else in their order. */
export const rankEntries = (entries: readonly Entry[], query: string, most: number): readonly Entry[] => {
  const terms = lowerCase(query)
    .split(/\s+/)
    .filter((term) => term !== '')
  if (terms.length === 0) return []
  const ranked: { readonly entry: Entry; readonly rank: number }[] = []
  for (const entry of entries) {
    const rank = rankOf(entry, terms)
    if (rank !== null) ranked.push({ entry, rank })
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ entry }) => entry)
}
