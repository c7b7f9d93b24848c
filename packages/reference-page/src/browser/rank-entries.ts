/** A place that the search may lead to, as search.json lists it. */
export type Entry = {
  readonly title: string
  readonly kind: string
  readonly href: string
  readonly text: string
}

const plain = (text: string): string => text.toLowerCase()

/** How well a title fits a term, best first; null where neither it nor the rest has it. */
const fit = (entry: Entry, term: string): number | null => {
  const title = plain(entry.title)
  if (title === term) return 0
  if (title.startsWith(term)) return 1
  if (title.includes(term)) return 2
  if (plain(entry.kind).includes(term)) return 3
  return plain(entry.text).includes(term) ? 4 : null
}

/** The entries that have all words of a query, those that fit best first, else in their order. */
export const rankEntries = (entries: readonly Entry[], query: string, most: number): readonly Entry[] => {
  const terms = plain(query)
    .split(/\s+/)
    .filter((term) => term !== '')
  if (terms.length === 0) return []
  const ranked: { readonly entry: Entry; readonly rank: number }[] = []
  for (const entry of entries) {
    const fits = terms.map((term) => fit(entry, term))
    if (fits.every((each) => each !== null)) ranked.push({ entry, rank: Math.max(...fits) })
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ entry }) => entry)
}
