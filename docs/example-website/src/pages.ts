/** The pages of the website. Each function reads what its page shows. */
import { dataOf } from '@publishing-service/client'
import {
  bodyOf,
  cardList,
  dated,
  facts,
  heading,
  link,
  occurrenceList,
  pager,
  picture,
  wide,
} from './components.js'
import { markup, trusted, type Value } from './markup.js'
import type { Card, Content, Publication, Site, Tag } from './publication.js'

export type Page = { readonly title: string; readonly description?: string | null; readonly main: Value }

/** The first stories of a page: one large, the others beside it. */
const opening = ([lead, ...others]: readonly Card[]) =>
  lead && markup`<div class="opening">${cardList([lead], 'lead')}${cardList(others, 'side')}</div>`

const without = (cards: readonly Card[], shown: readonly Card[]): readonly Card[] =>
  cards.filter((card) => !shown.some((each) => each.perma_url_path === card.perma_url_path))

/** The UUIDs of a section and of all below it. */
const subtree = (sections: Site['sections'], uuid: string | null): readonly (string | null)[] => {
  const children = sections.filter((each) => each.parent_uuid === uuid)
  return [uuid, ...children.flatMap((each) => subtree(sections, each.uuid))]
}

const tagLink = ({ title, urlname }: Tag) => markup`<a href="/tags/${urlname}/">${title}</a> `

type Place = { readonly lat: number | null; readonly long: number | null; readonly street: string | null }

const mapLink = ({ lat, long, street }: Place) =>
  lat && link(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${long}#map=17/${lat}/${long}`, street)

export const pagesOf = (from: Publication) => {
  const { client, object, site } = from

  const homepage = async (uuid: string): Promise<Page> => {
    const { title, language, timezone } = site()
    const now = new Date().toLocaleString('sv-SE', { timeZone: timezone }).replace(' ', 'T')
    const [headlines, featured, upcoming] = await Promise.all([
      client.GET('/{iid}/homepage/{uuid}/headline_stories', object(uuid)),
      client.GET('/{iid}/homepage/{uuid}/featured_stories', object(uuid)),
      from.listOccurrences(`${now}_`),
    ])
    const top = await from.readStories(dataOf(headlines).items)
    const others = without(await from.readStories(dataOf(featured).items), top)
    const main = markup`<h1 class="unseen">${title}</h1>${opening(top)}
      <section><h2>Featured</h2>${cardList(others, 'grid')}</section>
      <section><h2>Coming up</h2>${occurrenceList(upcoming.slice(0, 4), language)}
        <p><a href="/calendar/">All events</a></p></section>`
    return { title: 'Home', main }
  }

  const section = async (uuid: string, page: number): Promise<Page> => {
    const [{ title, meta_description: description }, { items }, { rows, more }] = await Promise.all([
      client.GET('/{iid}/sections/{uuid}', object(uuid)).then(dataOf),
      client.GET('/{iid}/sections/{uuid}/featured_stories', object(uuid)).then(dataOf),
      from.listContent(page, { sections: subtree(site().sections, uuid).join('_') }),
    ])
    const featured = page === 1 ? await from.readStories(items) : []
    const main = markup`${heading(title, description)}${opening(featured)}
      ${cardList(without(rows, featured), 'grid')}${pager(page, more)}`
    return { title, description, main }
  }

  /** What content has in addition to its body. */
  const details = async (content: Content, language: string): Promise<Value> => {
    if (content.content_type === 'event') {
      const place = content.location_uuid === null ? null : await from.readLocation(content.location_uuid)
      return facts({
        When: dated(content.dtstart, language, { dateStyle: 'full', timeStyle: 'short' }),
        Where: place
          ? markup`<a href="/locations/${place.urlname}/">${place.title}</a>`
          : content.location_alt,
        Prices: content.prices,
        Website: link(content.website),
      })
    }
    if (content.content_type === 'recipe')
      return facts({ For: content.recipe_yield, Ingredients: content.recipe_ingredients.join('\n') })
    return 'rating' in content && content.rating && facts({ Rating: `${content.rating} of 5` })
  }

  /** The stories of a roundup, each with what it says of them. */
  const targets = async (content: Content): Promise<Value> => {
    if (content.content_type !== 'roundup_content') return null
    const own = { type: 'content', description: null, image_uuid: null, image_url: null } as const
    const list = content.roundup_content_targets.map(({ target_uuid: link_uuid, title }) => ({
      ...own,
      link_uuid,
      title,
    }))
    const cards = await from.readStories(list)
    const notes = content.roundup_content_targets.map((each) => trusted(each.content))
    return cardList(
      cards.map((card, index) => ({ ...card, description: null, note: notes[index] })),
      'list',
    )
  }

  const content = async (uuid: string): Promise<Page> => {
    const { sections, language } = site()
    const [story, media, tags] = await Promise.all([
      from.readContent(uuid),
      client.GET('/{iid}/content/{uuid}/media', object(uuid)).then(dataOf),
      from.readTags(uuid),
    ])
    const { title, description } = story
    const above = sections.find((each) => each.uuid === story.section_uuid)
    const authors = tags.filter(({ predicate }) => predicate === 'authored').map(tagLink)
    const byline = [
      authors.length > 0 && ['By ', authors, '· '],
      dated(story.issued, language, { dateStyle: 'long' }),
    ]
    const kicker = [
      above && markup`<a href="${above.path}">${above.title}</a>`,
      story.kicker && ` · ${story.kicker}`,
    ]
    const main = markup`<article class="story">
      ${heading(title, story.sub_title ?? description, kicker, byline)}
      ${picture(story.header_image_url ?? story.teaser_image_url, wide, story.feature_image_alttext)}
      ${await details(story, language)}${bodyOf(story, media.items)}${await targets(story)}
      <p class="tags">${tags.map(tagLink)}</p>
    </article>`
    return { title: story.meta_title ?? title, description: story.meta_description ?? description, main }
  }

  /** The events of a month such as `2026-03`. */
  const calendar = async (month: string): Promise<Page> => {
    const { language } = site()
    const at = (shift: number) =>
      new Date(Date.UTC(+month.slice(0, 4), +month.slice(5) - 1 + shift)).toISOString().slice(0, 7)
    const words = (each: string) => dated(`${each}-01T00:00`, language, { month: 'long', year: 'numeric' })
    const occurrences = await from.listOccurrences(`${month}-01_${at(1)}-01`)
    const main = markup`${heading(words(month), occurrences.length === 0 && 'No events in this month.')}
      ${occurrenceList(occurrences, language)}
      <nav class="pager" aria-label="Months">
        <a rel="prev" href="/calendar/${at(-1)}/">${words(at(-1))}</a>
        <a rel="next" href="/calendar/${at(1)}/">${words(at(1))}</a>
      </nav>`
    return { title: 'Calendar', main }
  }

  const directory = async (page: number): Promise<Page> => {
    const { rows, more } = await from.listLocations(page, {})
    const cards = rows.map((row) => ({ ...row, note: markup`<p class="map">${mapLink(row)}</p>` }))
    return { title: 'Places', main: [heading('Places', null), cardList(cards, 'grid'), pager(page, more)] }
  }

  const location = async (uuid: string): Promise<Page> => {
    const place = await from.readLocation(uuid)
    const { title, description, opening_hours: open, price_index: prices, phone, website } = place
    const main = markup`<article class="story">${heading(title, description, place.kicker)}
      ${picture(place.thumb_url, wide)}
      ${facts({ Map: mapLink(place), Open: open, Prices: prices, Telephone: phone, Website: link(website) })}
      <div class="body">${trusted(place.content)}</div>
    </article>`
    return { title: place.meta_title ?? title, description: place.meta_description ?? description, main }
  }

  const tag = async (uuid: string, page: number): Promise<Page> => {
    const [{ title, description, ...rest }, stories, places] = await Promise.all([
      client.GET('/{iid}/tags/{uuid}', object(uuid)).then(dataOf),
      from.listContent(page, { tags: uuid }),
      from.listLocations(page, { tags: uuid }),
    ])
    const main = markup`${heading(title, description)}${trusted(rest.content)}
      ${cardList([...stories.rows, ...places.rows], 'grid')}${pager(page, stories.more || places.more)}`
    return { title, description, main }
  }

  const missing: Page = {
    title: 'Not found',
    main: heading('Not found', 'There is no page at this address.'),
  }
  return { objects: { homepage, section, content, location, tag }, calendar, directory, missing }
}
