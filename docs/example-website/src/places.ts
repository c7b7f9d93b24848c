/** The directory of places: with a map, by tag, and the nearest first. */
import { mapOf, distance } from './map.js'
import { markup } from './markup.js'
import * as parts from './parts.js'
import { ownPage, type Page } from './own-page.js'
import type { Place, Publication } from './publication.js'

const mostKilometres = 50

export const placeCard = (place: Place, from: readonly number[] | null = null): parts.Card => ({
  ...place,
  meta: parts.joined(
    [
      parts.joined([place.street, place.streetnumber], ' '),
      from && place.coords && `${distance(from, place.coords).toFixed(1)} km`,
    ],
    ' · ',
  ),
})

export const directory = async (
  from: Publication,
  query: URLSearchParams,
  page: number,
): Promise<Page | null> => {
  const [tag, here] = [query.get('tag'), query.get('near')]
  const selection = {
    ...(tag !== null && { tags: tag }),
    ...(here !== null && { near: `${here},${mostKilometres}` }),
  }
  const [{ rows, total, facets }, all] = await Promise.all([
    from.places({ ...selection, page }),
    tag === null ? null : from.places({ rpp: 1 }),
  ])
  if (page > 1 && rows.length === 0) return null
  const position = here === null ? null : here.split(',').map(Number)
  const kinds = ((all?.facets ?? facets)['tags'] ?? []).slice(0, 12).map(({ value, title, count }) => ({
    address: `?tag=${value}`,
    text: `${title} ${count}`,
    current: value === tag,
  }))
  const main = markup`${parts.heading({ title: 'Places', lead: here !== null && 'The nearest first.' })}
    ${parts.choices('Kinds of places', [{ address: '/locations/', text: 'All', current: tag === null && here === null }, ...kinds])}
    <button id="near" type="button" disabled>Near me</button>
    ${mapOf(rows)}
    ${parts.cards(
      rows.map((each) => placeCard(each, position)),
      { name: 'grid', level: 2 },
    )}
    ${rows.length === 0 && markup`<p>There is no place here.</p>`}
    ${parts.pages(page, total?.count ?? 0, Object.fromEntries([...query].filter(([name]) => name === 'tag' || name === 'near')))}
    <script src="/near.js" type="module"></script>`
  return ownPage(from, { path: '/locations/', title: 'Places', main })
}
