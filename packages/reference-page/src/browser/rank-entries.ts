/** A place that the search may lead to, as search.json lists it. */
export type Entry = {
  readonly title: string
  readonly kind: string
  readonly href: string
  readonly words: readonly string[]
  readonly text: string
}

const plain = (text: string): string => text.toLowerCase()

/** How well an entry fits a term, best first; null where nothing of it has it. */
const fit = ({ title, kind, words, text }: Entry, term: string): number | null => {
  const name = plain(title)
  if (name === term) return 0
  if (words.some((word) => plain(word) === term)) return 1
  if (name.startsWith(term)) return 2
  if (words.some((word) => plain(word).startsWith(term))) return 3
  if (name.includes(term)) return 4
  if (plain(kind).includes(term)) return 5
  return plain(text).includes(term) || words.some((word) => plain(word).includes(term)) ? 6 : null
}

/** The worst of the fits of each term, or the fit of all together where that is better. */
const rankOf = (entry: Entry, terms: readonly string[]): number | null => {
  const together = fit(entry, terms.join(' '))
  const fits = terms.map((term) => fit(entry, term))
  const apart = fits.every((each) => each !== null) ? Math.max(...fits) : null
  if (together === null || apart === null) return together ?? apart
  return Math.min(together, apart)
}

/** The entries that have all words of a query, those that fit best first, else in their order. */
export const rankEntries = (entries: readonly Entry[], query: string, most: number): readonly Entry[] => {
  const terms = plain(query)
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
