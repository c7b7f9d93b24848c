import { markup, trusted, type Value } from './markup.js'
import type { Page } from './pages.js'
import { cardList, heading } from './parts.js'
import type { Publication } from './publication.js'

const texts = ['type', 'title', 'highlight', 'urlname', 'perma_url_path'] as const
const fields = [...texts, 'teaser_image_url', 'thumb_url'] as const
const types = ['content' as const, 'locations' as const, 'tags' as const]
const hasWords = /[\p{L}\p{N}]/u

/** The results of a search, best first. `public/search.js` requests the page while a visitor types. */
export const searchPage = async ({ client, iid }: Publication, q: string): Promise<Page> => {
  const query = { q, types, fields, rpp: 24 }
  const found = hasWords.test(q) ? client.page('/{iid}/search', { path: { iid }, query }) : { rows: [] }
  const { rows } = await found
  const cards = rows.map(({ type, title, highlight, urlname, perma_url_path: path, ...images }) => ({
    title,
    kicker: type === 'content' ? null : type,
    description: trusted(highlight),
    perma_url_path: path ?? `/${type}s/${urlname}/`,
    teaser_image_url: images.teaser_image_url ?? images.thumb_url,
  }))
  const results: Value =
    cards.length > 0 ? cardList(cards, 'list') : q !== '' && 'Nothing contains these words.'
  const main = markup`${heading('Search', null)}
    <form id="search" role="search"><input type="search" name="q" value="${q}" aria-label="Words"
      maxlength="200" autofocus></form><div id="results" aria-live="polite">${results}</div>
    <script src="/search.js" type="module"></script>`
  return { title: 'Search', main }
}
