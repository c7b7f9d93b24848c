/** The pages of objects: what `GET /{iid}/page` returns for each kind, as markup. */
import { renderBody, type BodyComponents, type components, type WebPage } from '@publishing-service/client'
import { commentsOn } from './comments.js'
import { mapOf } from './map.js'
import { markup, trusted, type Value } from './markup.js'
import type { Page } from './own-page.js'
import * as parts from './parts.js'
import { placeCard } from './places.js'
import type { PageOf, Publication } from './publication.js'

const { cards, dated, facts, heading, img, joined, link, part, wide } = parts
type Card = parts.Card
type Schemas = components['schemas']

const longDate = { dateStyle: 'long' } as const
const links = (list: readonly { readonly path: string; readonly title: string }[], between = ', '): Value =>
  joined(
    list.map(({ path, title }) => link(path, title)),
    between,
  )

const rated = (rating: string | null): Value => rating && markup`<span class="rating">${rating} of 5</span>`

const teaserCard = ({ title, path, kicker, description, image, rating }: Schemas['Teaser']): Card => ({
  title,
  path,
  kicker,
  description,
  image,
  meta: rated(rating),
})

/** Stories, each with its texts and its image in place of those of the content that it shows. */
const storyCards = (stories: readonly Schemas['StoryOnPage'][]): readonly Card[] =>
  stories.map((story) => {
    const own = story.type === 'content' ? story.teaser : null
    return {
      title: story.title ?? own?.title ?? null,
      path: story.type === 'link' ? story.link_url : (own?.path ?? null),
      kicker: own?.kicker,
      description: story.description ?? own?.description,
      image: story.picture ?? own?.image ?? null,
      meta: rated(own?.rating ?? null),
    }
  })

const without = (list: readonly Card[], shown: readonly Card[]): readonly Card[] =>
  list.filter((card) => !shown.some((each) => each.path === card.path))

/** An image with its caption. */
const figure = (file: Schemas['Picture'] | null, options: parts.PictureOptions, show = img): Value =>
  file &&
  markup`<figure>${show(file, options)}<figcaption>${joined([file.caption, file.credits && markup`<small>${file.credits}</small>`], ' ')}</figcaption></figure>`

/** A file of a slot: its image can be enlarged. */
const medium: BodyComponents['file'] = ({ file, file_url: sound, file_mimetype: type }, caption) =>
  markup`<figure>${parts.enlargeable(file, { sizes: parts.inText })}
    ${sound && markup`<audio controls preload="none"><source src="${sound}" type="${type}"></audio>`}
    ${caption && markup`<figcaption>${trusted(caption)}</figcaption>`}</figure>`.html

/** What a list of a page has after it: the links to its other pages, if there are any. */
const pagesOf = (page: number, list: PageOf<'section'>['content'] | PageOf<'tag'>['objects']): Value =>
  (page > 1 || list.next !== undefined) && parts.pages(page, list.total?.count ?? 0)

const homepage = async (from: Publication, shown: PageOf<'homepage'>): Promise<Page> => {
  const { headline_stories, featured_stories, seo } = shown
  const { title, language } = await from.site()
  const upcoming = await from.occurrences({ most: 4 })
  const top = storyCards(headline_stories)
  const all = markup`<p class="more">${link('/calendar/', 'The whole calendar')}</p>`
  const main = markup`<h1 class="unseen">${title}</h1>${parts.opening(top)}
    ${part('Featured', cards(without(storyCards(featured_stories), top), { name: 'grid' }))}
    ${part('Coming up', upcoming.length > 0 && [parts.dates(upcoming, language), all])}`
  return { seo: { ...seo, title }, main }
}

const section = (shown: PageOf<'section'>, page: number): Page => {
  const { object, children, featured_stories, content, seo } = shown
  const below = children.filter((each) => !each.hide_in_nav)
  const featured = page === 1 ? storyCards(featured_stories) : []
  const rest = cards(without(content.items.map(teaserCard), featured), { name: 'grid', level: 2 })
  const main = markup`${heading({ title: object.title, lead: object.meta_description, kicker: links(object.ancestors, ' › ') })}
    ${parts.chips(below.map((each) => link(each.externalurl ?? each.path, each.title)))}
    ${parts.opening(featured)}${rest}${pagesOf(page, content)}`
  return { seo, main, feed: object.uuid }
}

const units: Readonly<Record<string, string>> = { D: 'days', H: 'h', M: 'min', S: 's' }

/** A duration of ISO 8601 in words: `PT1H30M` as `1 h 30 min`. */
const duration = (value: string | null): Value =>
  value &&
  Array.from(value.matchAll(/(\d+)([DHMS])/g), ([, number, unit = '']) => `${number} ${units[unit]} `)

/** What content of some types has in addition to its body. */
const details = ({ object, occurrences, location }: PageOf<'content'>, language: string): Value => {
  const place = location && link(location.path, location.title)
  if ('rating' in object) return facts({ Place: place, Rating: rated(object.rating) })
  if (object.content_type === 'recipe')
    return [
      facts({
        Yield: object.recipe_yield,
        Preparation: duration(object.recipe_prep_time),
        Cooking: duration(object.recipe_cook_time),
      }),
      markup`<section class="ingredients"><h2>Ingredients</h2>
        <ul>${object.recipe_ingredients.map((each) => markup`<li>${each}</li>`)}</ul></section>`,
    ]
  if (object.content_type !== 'event') return null
  const time = { ...longDate, timeStyle: 'short' } as const
  const times = (occurrences.length > 0 ? occurrences : [object]).slice(0, 4)
  return facts({
    Status: object.event_status_type?.replace('_', ' '),
    When: markup`<ul>${times.map(({ dtstart }) => markup`<li>${dated(dtstart, language, time)}</li>`)}</ul>`,
    Where: joined([place, object.location_alt], ': '),
    Prices: object.prices,
    Telephone: object.phone,
    Website: link(object.website),
  })
}

/** What an object is about; authors are above the text. */
const topics = (tags: readonly Schemas['TagOnPage'][]): Value =>
  parts.chips(
    tags.flatMap(({ predicate, path, title }) => (predicate === 'authored' ? [] : [link(path, title)])),
  )

/** The stories or places of a roundup, with what it says of them. */
const targets = ({ object, roundup }: PageOf<'content'>): Value => {
  const isOfPlaces = object.content_type === 'roundup_location'
  if (!isOfPlaces && object.content_type !== 'roundup_content') return null
  const list = isOfPlaces
    ? object.roundup_locations.map((each) => ({ ...each, target_uuid: each.location_uuid }))
    : object.roundup_content_targets
  const shown = list.flatMap(({ target_uuid, title, content: text }) => {
    const target = roundup.find((each) => each.uuid === target_uuid)
    return target ? [{ ...teaserCard(target), title: title ?? target.title, description: trusted(text) }] : []
  })
  return shown.length > 0 && cards(shown, { name: 'list', level: 2 })
}

/** Links to stories and places are cards, others have their text. */
const related = (list: PageOf<'content'>['related_links']): Value => {
  const own = list.flatMap((each) =>
    each.type === 'url' || each.teaser === null ? [] : [teaserCard(each.teaser)],
  )
  const more = list.map(
    (each) =>
      each.type === 'url' && markup`<p class="more">${link(each.link_url, each.text ?? undefined)}</p>`,
  )
  return part('Read on', list.length > 0 && [cards(own, { name: 'grid' }), more])
}

const content = async (from: Publication, shown: PageOf<'content'>): Promise<Page> => {
  const { object, section: above, header_image, teaser_image, tags, previous, next, seo } = shown
  const { language } = await from.site()
  const authors = tags.filter(({ predicate }) => predicate === 'authored')
  const kicker = joined([above && links([...above.ancestors, above], ' › '), object.kicker], ' · ')
  const meta = joined(
    [authors.length > 0 && ['By ', links(authors)], dated(object.issued, language, longDate)],
    ' · ',
  )
  const main = markup`<article class="story">
    ${heading({ title: object.title, lead: object.sub_title ?? object.description, kicker, meta })}
    ${figure(header_image ?? teaser_image, { sizes: wide, ratio: 16 / 9, first: true })}
    ${details(shown, language)}
    <div class="body">${trusted(renderBody(object.content, shown.media, { sizes: parts.inText, file: medium }))}</div>
    ${targets(shown)}
    ${topics(tags)}
    ${parts.pager(
      previous && ['Earlier: ', link(previous.path, previous.title)],
      null,
      next && ['Later: ', link(next.path, next.title)],
    )}
    ${related(shown.related_links)}
    ${(above || object.comments_count > 0) && (await commentsOn(from, object.uuid, object.comments_count))}</article>`
  return { seo, main, ...(above && { feed: above.uuid }) }
}

const location = async (from: Publication, shown: PageOf<'location'>): Promise<Page> => {
  const { object, thumb, coupon_image, listing_images, occurrences, tags, seo } = shown
  const { language } = await from.site()
  const { coords } = object
  const near = coords && [...coords, 5].join(',')
  const around = near ? (await from.places({ near, not_uuid: object.uuid, rpp: 3 })).rows : []
  const nearby = around.map((each) => placeCard(each, coords))
  const dates = occurrences.slice(0, 4).map(({ event, ...times }) => ({ ...event, ...times }))
  const street = joined([object.street, object.streetnumber], ' ')
  const main = markup`<article class="story">
    ${heading({ title: object.title, lead: object.description, kicker: joined([...object.location_types, object.kicker], ' · ') })}
    ${figure(thumb, { sizes: wide, ratio: 16 / 9, first: true })}
    ${
      object.coupon_title &&
      markup`<aside class="coupon" aria-label="Coupon">${img(coupon_image, { ratio: 1, sizes: '8rem', alt: '' })}
      <p class="kicker">Coupon</p><h2>${object.coupon_title}</h2><p>${object.coupon_description}</p>
      ${object.coupon_expires && markup`<p class="meta">Until ${dated(object.coupon_expires, language, longDate)}</p>`}</aside>`
    }
    ${facts({
      Address: coords ? link(`geo:${coords.join(',')}`, [street, '\n', object.pcode]) : street,
      Open: object.closed ? 'Closed' : object.opening_hours,
      Prices: object.price_index,
      Telephone: object.phone && link(`tel:${object.phone.replace(/[^+\d]/g, '')}`, object.phone),
      Website: link(object.website),
    })}
    <div class="body">${trusted(renderBody(object.content, {}))}</div>
    ${listing_images.length > 0 && markup`<div class="body"><div class="gallery">${listing_images.map((each) => figure(each, {}, parts.enlargeable))}</div></div>`}
    ${topics(tags)}
    ${part('Coming up', parts.dates(dates, language))}
    ${part('Around here', coords && [mapOf([object, ...around]), cards(nearby, { name: 'grid' })])}
  </article>`
  return { seo, main }
}

const tag = (shown: PageOf<'tag'>, page: number): Page => {
  const { object, feature_image, objects, seo } = shown
  const { title, description, website, email } = object
  const contact = joined([link(website), email && link(`mailto:${email}`, email)], ' · ')
  const main = markup`<div class="${object.type}">${img(feature_image, { ratio: 1, sizes: '10rem', first: true })}
      ${heading({ title, lead: description, meta: contact })}</div>
    ${object.content && markup`<div class="body">${trusted(renderBody(object.content, {}))}</div>`}
    ${cards(objects.items.map(teaserCard), { name: 'grid', level: 2 })}
    ${pagesOf(page, objects)}`
  return { seo, main }
}

/** The page of an object of a kind that a service has beyond those of the product. */
const other = ({ seo }: Pick<PageOf<'content'>, 'seo'>): Page => ({
  seo,
  main: heading({ title: seo.title, lead: seo.description }),
})

/** The page of an object; null if its list has no such page. */
export const pageOf = async (
  from: Publication,
  shown: Exclude<WebPage, PageOf<'redirect'>>,
  page: number,
) => {
  switch (shown.kind) {
    case 'homepage':
      return homepage(from, shown)
    case 'section':
      return page > 1 && shown.content.items.length === 0 ? null : section(shown, page)
    case 'tag':
      return page > 1 && shown.objects.items.length === 0 ? null : tag(shown, page)
    case 'content':
      return content(from, shown)
    case 'location':
      return location(from, shown)
    default:
      return other(shown)
  }
}
