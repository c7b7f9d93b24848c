/** The pages of the website. Each function reads what its page shows. */
import { dataOf } from '@publishing-service/client'
import { bodyOf, cardList, dated, facts, link, occurrenceList, pager, picture } from './components.js'
import { markup, trusted, type Markup } from './markup.js'
import {
  unlessMissing,
  type Card,
  type Content,
  type Publication,
  type Site,
  type Tag,
} from './publication.js'

export type Page = {
  readonly title: string | null
  readonly description?: string | null
  readonly main: Markup
}

/** The first stories of a page: one large, the others beside it. */
const opening = ([lead, ...others]: readonly Card[]) =>
  lead &&
  markup`<div class="opening">${cardList([lead], 'lead', '(min-width: 64rem) 42rem, 94vw')}
    ${cardList(others, 'side')}</div>`

const without = (cards: readonly Card[], shown: readonly Card[]): readonly Card[] =>
  cards.filter(({ path }) => !shown.some((each) => each.path === path))

const tagLink = ({ title, urlname }: Tag) => markup`<a href="/tags/${urlname}/">${title}</a>`

/** A section and all below it. */
const subtree = (sections: Site['sections'], uuid: string): readonly string[] => [
  uuid,
  ...[...sections].flatMap(([id, { parent_uuid: parent }]) => (parent === uuid ? subtree(sections, id) : [])),
]

export const frontPage = async (from: Publication, uuid: string): Promise<Page> => {
  const { settings } = await from.site()
  const now = new Date().toLocaleString('sv-SE', { timeZone: settings.timezone }).replace(' ', 'T')
  const [headlines, featured, upcoming] = await Promise.all([
    from.client.GET('/{iid}/homepage/{uuid}/headline_stories', from.object(uuid)),
    from.client.GET('/{iid}/homepage/{uuid}/featured_stories', from.object(uuid)),
    from.listOccurrences(`${now}_`),
  ])
  const top = await from.readStories(dataOf(headlines).items)
  const rest = await from.readStories(dataOf(featured).items)
  return {
    title: null,
    description: null,
    main: markup`
      <h1 class="unseen">${settings.title}</h1>
      ${opening(top)}
      <section><h2>Featured</h2>${cardList(without(rest, top), 'grid')}</section>
      <section><h2>Coming up</h2>${occurrenceList(upcoming.slice(0, 4), settings.language)}
        <p><a href="/calendar/">All events</a></p></section>`,
  }
}

export const sectionPage = async (from: Publication, uuid: string, page: number): Promise<Page> => {
  const [section, stories, { cards, more }] = await Promise.all([
    from.client.GET('/{iid}/sections/{uuid}', from.object(uuid)).then(dataOf),
    from.client.GET('/{iid}/sections/{uuid}/featured_stories', from.object(uuid)).then(dataOf),
    from.listContent({ sections: subtree((await from.site()).sections, uuid).join('_') }, page),
  ])
  const featured = page === 1 ? await from.readStories(stories.items) : []
  const rest = without(cards, featured)
  return {
    title: section.title,
    description: section.meta_description,
    main: markup`
      <header class="heading"><h1>${section.title}</h1><p>${section.meta_description}</p></header>
      ${opening(featured)}
      ${rest.length > 0 && markup`<section><h2>Latest</h2>${cardList(rest, 'grid')}</section>`}
      ${pager(page, more)}`,
  }
}

export const contentPage = async (from: Publication, uuid: string): Promise<Page> => {
  const [{ settings, sections }, content, media, tags] = await Promise.all([
    from.site(),
    from.readContent(uuid),
    from.client.GET('/{iid}/content/{uuid}/media', from.object(uuid)).then(dataOf),
    from.readTags(uuid),
  ])
  const section = sections.get(content.section_uuid ?? '')
  const byline = tags.filter(({ predicate }) => predicate === 'authored')
  return {
    title: content.meta_title ?? content.title,
    description: content.meta_description ?? content.description,
    main: markup`<article class="story">
      <header class="heading">
        <p class="kicker">${section && markup`<a href="${section.path}">${section.title}</a>`} ${content.kicker}</p>
        <h1>${content.title}</h1>
        <p>${content.sub_title ?? content.description}</p>
        <p class="meta">${byline.length > 0 && markup`By ${byline.map(tagLink)}, `}${content.issued && dated(content.issued, settings.language, 'day')}</p>
      </header>
      ${picture(content.header_image_url, { sizes: '(min-width: 72rem) 70rem, 100vw', alt: content.feature_image_alttext, loading: 'eager' })}
      ${await details(from, content)}
      ${bodyOf(content, media.items)}
      <ul class="tags">${tags.map((tag) => markup`<li>${tagLink(tag)}</li>`)}</ul>
    </article>`,
  }
}

const details = async (from: Publication, content: Content): Promise<Markup | null> => {
  const { language } = (await from.site()).settings
  switch (content.content_type) {
    case 'event': {
      const place =
        content.location_uuid && (await from.readLocation(content.location_uuid).catch(unlessMissing))
      return facts([
        ['When', dated(content.dtstart, language, 'evening')],
        [
          'Where',
          place ? markup`<a href="/locations/${place.urlname}/">${place.title}</a>` : content.location_alt,
        ],
        ['Prices', content.prices],
        ['Tickets', markup`${content.ticket_urls.map(({ url, link_text: text }) => link(url, text))}`],
        ['Website', link(content.website)],
      ])
    }
    case 'recipe':
      return markup`${facts([['For', content.recipe_yield]])}
        <ul class="ingredients">${content.recipe_ingredients.map((each) => markup`<li>${each}</li>`)}</ul>`
    case 'roundup_content':
      return null
    default:
      return 'rating' in content ? facts([['Rating', content.rating && `${content.rating} of 5`]]) : null
  }
}

/** The events of a month such as `2026-03`. */
export const calendarPage = async (from: Publication, month: string): Promise<Page> => {
  const { language } = (await from.site()).settings
  const shifted = (months: number) =>
    new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + months))
      .toISOString()
      .slice(0, 7)
  const occurrences = await from.listOccurrences(`${month}-01_${shifted(1)}-01`)
  const monthLink = (to: string, rel: string) =>
    markup`<a rel="${rel}" href="/calendar/${to}/">${dated(`${to}-01T00:00`, language, 'month')}</a>`
  return {
    title: 'Calendar',
    description: null,
    main: markup`
      <header class="heading"><h1>${dated(`${month}-01T00:00`, language, 'month')}</h1></header>
      ${occurrences.length > 0 ? occurrenceList(occurrences, language) : markup`<p>No events in this month.</p>`}
      <nav class="pager" aria-label="Months">${monthLink(shifted(-1), 'prev')}${monthLink(shifted(1), 'next')}</nav>`,
  }
}

export const directoryPage = async (from: Publication, page: number): Promise<Page> => {
  const { cards, more } = await from.listLocations({}, page)
  return {
    title: 'Places',
    description: null,
    main: markup`<header class="heading"><h1>Places</h1></header>${cardList(cards, 'grid')}${pager(page, more)}`,
  }
}

export const locationPage = async (from: Publication, uuid: string): Promise<Page> => {
  const location = await from.readLocation(uuid)
  const { lat, long } = location
  const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${long}#map=17/${lat}/${long}`
  return {
    title: location.meta_title ?? location.title,
    description: location.meta_description ?? location.description,
    main: markup`<article class="story">
      <header class="heading">
        <p class="kicker">${location.kicker}</p>
        <h1>${location.title}</h1>
        <p>${location.description}</p>
      </header>
      ${picture(location.thumb_url, { sizes: '(min-width: 72rem) 70rem, 100vw', loading: 'eager' })}
      ${facts([
        ['Address', `${location.street ?? ''} ${location.streetnumber ?? ''}, ${location.pcode ?? ''}`],
        ['Map', location.coords && link(map, 'OpenStreetMap')],
        ['Open', location.opening_hours],
        ['Prices', location.price_index],
        ['Telephone', location.phone],
        ['Website', link(location.website)],
      ])}
      <div class="body">${trusted(location.content)}</div>
    </article>`,
  }
}

export const tagPage = async (from: Publication, uuid: string, page: number): Promise<Page> => {
  const [tag, content, locations] = await Promise.all([
    from.client.GET('/{iid}/tags/{uuid}', from.object(uuid)).then(dataOf),
    from.listContent({ tags: uuid }, page),
    from.listLocations({ tags: uuid }, page),
  ])
  return {
    title: tag.title,
    description: tag.description,
    main: markup`
      <header class="heading"><h1>${tag.title}</h1><p>${tag.description}</p></header>
      ${trusted(tag.content)}
      ${cardList([...content.cards, ...locations.cards], 'grid')}
      ${pager(page, content.more || locations.more)}`,
  }
}

export const missingPage: Page = {
  title: 'Not found',
  description: null,
  main: markup`<header class="heading"><h1>Not found</h1><p>There is no page at this address.</p></header>`,
}
