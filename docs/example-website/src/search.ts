/** The search page. `public/search.js` requests it while a visitor types. */
import { markup, trusted, type Value } from './markup.js'
import * as parts from './parts.js'
import { ownPage, type Page } from './own-page.js'
import { pageSize, type Publication } from './publication.js'

const fields = ['title', 'kicker', 'highlight', 'path'] as const
const hasWords = /[\p{L}\p{N}]/u
const kinds = [
  { kind: '', text: 'Everything' },
  { kind: 'content', text: 'Stories' },
  { kind: 'locations', text: 'Places' },
  { kind: 'tags', text: 'Topics' },
] as const
type Kind = (typeof kinds)[number]['kind']

type Selection = { readonly q: string; readonly kind: Kind; readonly section: string; readonly tag: string }

/** Everything with the words, or stories alone: these by section and tag. */
const find = async ({ client, path }: Publication, page: number, { q, kind, section, tag }: Selection) => {
  const common = { q, fields, page, rpp: pageSize, total: true }
  if (kind === 'content') {
    const selected = { ...(section && { sections: section }), ...(tag && { tags: tag }) }
    const query = { ...common, ...selected, facets: ['section' as const, 'tags' as const] }
    return client.page('/{iid}/content', { path, query })
  }
  const types = kind === '' ? (['content', 'locations', 'tags'] as const) : ([kind] as const)
  return client.page('/{iid}/search', {
    path,
    query: { ...common, types: [...types], facets: ['section' as const] },
  })
}

const results = async (from: Publication, page: number, selection: Selection): Promise<Value> => {
  const { rows, total, facets } = await find(from, page, selection)
  const addressOf = (change: Partial<Selection>) =>
    `?${new URLSearchParams(Object.entries({ ...selection, ...change }).filter(([, value]) => value !== '')).toString()}`
  const facet = (name: 'section' | 'tag', list: (typeof facets)[string] | undefined) =>
    list?.slice(0, 10).map(({ value, title, count }) => {
      const current = selection[name] === value
      const address = addressOf({ kind: 'content', [name]: current ? '' : value })
      return { address, text: `${title} ${count}`, current }
    }) ?? []
  const cards = rows.map((row) => ({ ...row, description: trusted(row.highlight) }))
  const count = total?.count ?? 0
  return markup`${parts.choices(
    'Kinds',
    kinds.map(({ kind, text }) => ({
      address: addressOf({ kind, section: '', tag: '' }),
      text,
      current: kind === selection.kind,
    })),
  )}
    ${parts.choices('Results by section', facet('section', facets['section']))}${parts.choices('Results by topic', facet('tag', facets['tags']))}
    <p class="meta">${count === 0 ? 'Nothing contains these words.' : `${count}${total?.exact === false ? ' and more' : ''} found`}</p>
    ${parts.cards(cards, { name: 'list', level: 2 })}
    ${parts.pages(page, count, Object.fromEntries(new URLSearchParams(addressOf({}))))}`
}

export const search = async (from: Publication, query: URLSearchParams, page: number): Promise<Page> => {
  const [q = '', kind = '', section = '', tag = ''] = ['q', 'kind', 'section', 'tag'].map(
    (name) => query.get(name) ?? '',
  )
  const known = kinds.find((each) => each.kind === kind)?.kind ?? ''
  const selection = { q, kind: known, section, tag }
  const main = markup`${parts.heading({ title: 'Search' })}
    <form id="search" role="search"><input type="search" name="q" value="${q}" aria-label="Words"
      maxlength="200" autofocus></form>
    <div id="results" aria-live="polite">${hasWords.test(q) && (await results(from, page, selection))}</div>
    <script src="/search.js" type="module"></script>`
  return ownPage(from, { title: 'Search', main })
}
