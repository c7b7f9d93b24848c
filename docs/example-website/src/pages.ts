/** The pages of the website. Each function reads what its page shows. */
import { dataOf, includedIn } from '@publishing-service/client'
import { bodyOf } from './body.js'
import { markup, trusted, type Value } from './markup.js'
import * as parts from './parts.js'
import type { Card, Content, Publication } from './publication.js'

const { cardList, dated, facts, heading, large, link, picture } = parts

export type Page = {
  readonly title: string
  readonly description?: string | null
  readonly main: Value
  /** The section whose feed belongs to the page. Without it, the feed has all content. */
  readonly feed?: string
}

const longDate = { dateStyle: 'long' } as const

const without = (cards: readonly Card[], shown: readonly Card[]): readonly Card[] =>
  cards.filter((card) => !shown.some((each) => each.perma_url_path === card.perma_url_path))

export const pagesOf = (from: Publication) => {
  const { client, object, site } = from

  const homepage = async (uuid: string): Promise<Page> => {
    const { title, language } = site()
    const [headlines, featured, upcoming] = await Promise.all([
      client.GET('/{iid}/homepage/{uuid}/headline_stories', from.stories(uuid)).then(dataOf),
      client.GET('/{iid}/homepage/{uuid}/featured_stories', from.stories(uuid)).then(dataOf),
      from.listOccurrences({}),
    ])
    const top = from.storyCards(headlines)
    const main = markup`<h1 class="unseen">${title}</h1>${parts.opening(top)}
      <section><h2>Featured</h2>${cardList(without(from.storyCards(featured), top), 'grid')}</section>
      <section><h2>Coming up</h2>${parts.occurrenceList(upcoming.slice(0, 4), language)}
        <p>${link('/calendar/', 'All events')}</p></section>`
    return { title: 'Home', main }
  }

  const section = async (uuid: string, page: number): Promise<Page> => {
    const subtree = [uuid, ...site().sections.flatMap((each) => (each.parent_uuid === uuid ? each.uuid : []))]
    const [{ title, meta_description: description }, stories, { rows, more }] = await Promise.all([
      client.GET('/{iid}/sections/{uuid}', object(uuid)).then(dataOf),
      client.GET('/{iid}/sections/{uuid}/featured_stories', from.stories(uuid)).then(dataOf),
      from.listContent(page, { sections: subtree.join('_') }),
    ])
    const featured = page === 1 ? from.storyCards(stories) : []
    const main = markup`${heading(title, description)}${parts.opening(featured)}
      ${cardList(without(rows, featured), 'grid')}${parts.pageLinks(page, more)}`
    return { title, description, main, feed: uuid }
  }

  /** What content of some types has in addition to its body. */
  const details = async (content: Content, language: string): Promise<Value> => {
    if (content.content_type === 'recipe')
      return facts({ Ingredients: content.recipe_ingredients.join('\n') })
    if (content.content_type !== 'event') return null
    const { location_alt: alternative, prices, website } = content
    const dates = await from.listOccurrences(content.section_uuid ? { sections: content.section_uuid } : {})
    const next = dates.filter((each) => each.event_uuid === content.uuid).slice(0, 4)
    const starts = (next.length > 0 ? next : [content]).map(({ dtstart }) =>
      dated(dtstart, language, { ...longDate, timeStyle: 'short' }),
    )
    const place = includedIn(content, 'Location', content.location_uuid)
    return facts({
      When: starts.map((start) => [start, '\n']),
      Where: place ? link(`/locations/${place.urlname}/`, place.title) : alternative,
      Status: content.event_status_type?.replace('_', ' '),
      Prices: prices,
      Website: link(website),
    })
  }

  /** The stories of a roundup, with what it says of them. */
  const targets = (content: Content): Value => {
    if (content.content_type !== 'roundup_content') return null
    const stories = content.roundup_content_targets.flatMap((each) => {
      const target = includedIn(content, 'Content', each.target_uuid)
      const title = each.title ?? target?.title ?? null
      return target ? [{ ...target, title, description: trusted(each.content) }] : []
    })
    return cardList(stories, 'list')
  }

  const content = async (uuid: string): Promise<Page> => {
    const { sections, language } = site()
    const [story, media, { items: tags }] = await Promise.all([
      from.readContent(uuid),
      client.GET('/{iid}/content/{uuid}/media', object(uuid)).then(dataOf),
      client.GET('/{iid}/content/{uuid}/tags', object(uuid)).then(dataOf),
    ])
    const { title, description } = story
    const linkOf = ({ uuid: tag, title: name }: (typeof tags)[number]) =>
      link(`/tags/${includedIn(story, 'Tag', tag)?.urlname ?? ''}/`, name)
    const parent = sections.find((each) => each.uuid === story.section_uuid)
    const above = parent && [link(parent.path, parent.title), story.kicker && '· ']
    const authors = tags.filter(({ predicate }) => predicate === 'authored').map(linkOf)
    const byline = [authors.length > 0 && ['By ', authors, '· '], dated(story.issued, language, longDate)]
    const main = markup`<article class="story">
      ${heading(title, story.sub_title ?? description, [above, story.kicker], byline)}
      ${picture(story.header_image_url ?? story.teaser_image_url, large, story.feature_image_alttext)}
      ${await details(story, language)}${bodyOf(story, media.items)}${targets(story)}
      <p class="tags">${tags.map(linkOf)}</p></article>`
    return { title: story.meta_title ?? title, description: story.meta_description ?? description, main }
  }

  /** The events of a month such as `2026-03`. */
  const calendar = async (month: string): Promise<Page> => {
    const { language } = site()
    const words = (each: string) => dated(`${each}-01T00:00`, language, { month: 'long', year: 'numeric' })
    const monthIn = (days: number) =>
      new Date(Date.parse(month) + days * 86_400_000).toISOString().slice(0, 7)
    const [before, after] = [monthIn(-1), monthIn(31)]
    const occurrences = await from.listOccurrences({ period: `${month}-01_${after}-01` })
    const main = markup`${heading(words(month), occurrences.length === 0 && 'No events in this month.')}
      ${parts.occurrenceList(occurrences, language)}
      ${parts.pager(link(`/calendar/${before}/`, words(before)), link(`/calendar/${after}/`, words(after)))}`
    return { title: 'Calendar', main }
  }

  const directory = async (page: number): Promise<Page> => {
    const { rows, more } = await from.listPlaces(page, {})
    const list = cardList(rows.map(parts.placeCard), 'grid')
    return { title: 'Places', main: [heading('Places', null), list, parts.pageLinks(page, more)] }
  }

  const location = async (uuid: string): Promise<Page> => {
    const place = dataOf(await client.GET('/{iid}/locations/{uuid}', object(uuid)))
    const events = await from.listOccurrences({ locations: uuid })
    const { title, description, opening_hours: open, price_index: prices, phone, website } = place
    const map = parts.mapLink(place.coords, [place.street, ' ', place.streetnumber])
    const list = { Map: map, Open: open, Prices: prices, Telephone: phone, Website: link(website) }
    const main = markup`<article class="story">
      ${heading(title, description, place.kicker)}${picture(place.thumb_url, large)}${facts(list)}
      <div class="body">${trusted(place.content)}</div>
      ${parts.occurrenceList(events.slice(0, 4), site().language)}</article>`
    return { title, description, main }
  }

  const tag = async (uuid: string, page: number): Promise<Page> => {
    const [{ title, description }, stories, places] = await Promise.all([
      client.GET('/{iid}/tags/{uuid}', object(uuid)).then(dataOf),
      from.listContent(page, { tags: uuid }),
      from.listPlaces(page, { tags: uuid }),
    ])
    const list = cardList([...stories.rows, ...places.rows.map(parts.placeCard)], 'grid')
    const more = stories.more || places.more
    return { title, description, main: [heading(title, description), list, parts.pageLinks(page, more)] }
  }

  const notice = (title: string, text: string): Page => ({ title, main: heading(title, text) })
  return { objects: { homepage, section, content, location, tag }, calendar, directory, notice }
}
