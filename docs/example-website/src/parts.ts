/** Parts of pages. */
import { markup, type Value } from './markup.js'
import type { Card, Occurrence, Place } from './publication.js'

/** The widths in which the website serves images, and how wide a large image is shown. */
export const widths = ['320', '640', '960', '1280']
export const large = 'min(94vw, 67rem)'

/** An image in several widths, of which the browser loads the one that fits. */
export const picture = (url: string | null | undefined, sizes: string, alt: string | null = '') => {
  const [, uuid, upload] = /\/files\/([^/]+)\/download\/(\d+)/.exec(url ?? '') ?? []
  const sources = widths.map((width) => `/images/${uuid}/${upload}/${width} ${width}w`).join(', ')
  return uuid && markup`<img srcset="${sources}" sizes="${sizes}" alt="${alt}" loading="lazy">`
}

/** A date-time of the publication in words. It has no UTC offset and is shown unchanged. */
export const dated = (value: string | null, language: string, format: Intl.DateTimeFormatOptions) => {
  const words = new Intl.DateTimeFormat(language, { timeZone: 'UTC', hourCycle: 'h23', ...format })
  return value && markup`<time datetime="${value}">${words.format(new Date(`${value}Z`))}</time>`
}

export const link = (url: string | null | undefined, text?: Value) =>
  url && markup`<a href="${url}">${text ?? url.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a> `

export const heading = (title: Value, description: Value, kicker?: Value, meta?: Value) =>
  markup`<header class="heading">${kicker && markup`<p class="kicker">${kicker}</p>`}<h1>${title}</h1>
    ${description && markup`<p>${description}</p>`}${meta && markup`<p class="meta">${meta}</p>`}</header>`

/** Names and values. What has no value is left out. */
export const facts = (list: Readonly<Record<string, Value>>) =>
  markup`<dl class="facts">${Object.entries(list).map(
    ([name, value]) => value && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`

export const mapLink = (coords: readonly number[] | null, text: Value) => {
  const [lat, long] = coords ?? []
  return coords && link(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${long}#map=17/${lat}/${long}`, text)
}

export const placeCard = (place: Place): Card => ({
  ...place,
  description: [place.description, markup`<span class="map">${mapLink(place.coords, place.street)}</span>`],
  perma_url_path: `/locations/${place.urlname}/`,
  teaser_image_url: place.thumb_url,
})

export const cardList = (cards: readonly Card[], name: 'lead' | 'side' | 'grid' | 'list') =>
  markup`<ul class="cards ${name}">${cards.map(
    ({ title, kicker, description, perma_url_path: path, teaser_image_url: image }) => markup`
    <li>
      ${picture(image, name === 'lead' ? large : '(min-width: 38rem) 21rem, 94vw')}
      ${kicker && markup`<p class="kicker">${kicker}</p>`}
      <h3><a href="${path}">${title}</a></h3>
      <div>${description}</div>
    </li>`,
  )}</ul>`

/** The first stories of a page: one large, the others beside it. */
export const opening = ([lead, ...others]: readonly Card[]) =>
  lead && markup`<div class="opening">${cardList([lead], 'lead')}${cardList(others, 'side')}</div>`

export const occurrenceList = (occurrences: readonly Occurrence[], language: string) =>
  markup`<ol class="occurrences">${occurrences.map(
    ({ title, dtstart, dtend, path }) => markup`
    <li>
      <p class="day">${dated(dtstart, language, { weekday: 'short', day: 'numeric', month: 'short' })}</p>
      <h3>${link(path, title)}</h3>
      <p>${dated(dtstart, language, { timeStyle: 'short' })} – ${dated(dtend, language, { timeStyle: 'short' })}</p>
    </li>`,
  )}</ol>`

/** Links to what comes before and after a page. */
export const pager = (before: Value, after: Value) =>
  markup`<nav class="pager" aria-label="Pages"><span>${before}</span><span>${after}</span></nav>`

export const pageLinks = (page: number, more: boolean) =>
  pager(page > 1 && link(`?page=${page - 1}`, 'Previous'), more && link(`?page=${page + 1}`, 'Next'))
