/** Parts of pages: pictures, dates, lists, facts and bodies. */
import { markup, trusted, type Markup, type Value } from './markup.js'
import type { Card, Content, Medium, Occurrence } from './publication.js'

/** The widths in which the website serves images. */
export const widths = ['320', '640', '960', '1280']

/** How wide images are shown at most: in lists, and large. */
const narrow = '(min-width: 38rem) 21rem, 94vw'
export const wide = 'min(94vw, 67rem)'

/** An image in several widths, of which the browser loads the one that fits. */
export const picture = (url: string | null | undefined, sizes: string, alt: string | null = '') => {
  const [, uuid, upload] = /\/files\/([^/]+)\/download\/(\d+)/.exec(url ?? '') ?? []
  if (uuid === undefined) return null
  const sources = widths.map((width) => `/images/${uuid}/${upload}/${width} ${width}w`).join(', ')
  return markup`<img srcset="${sources}" sizes="${sizes}" alt="${alt}" loading="lazy">`
}

/** A date-time of the publication in words. It has no UTC offset and is shown unchanged. */
export const dated = (value: string | null, language: string, format: Intl.DateTimeFormatOptions) => {
  const words = new Intl.DateTimeFormat(language, { timeZone: 'UTC', hourCycle: 'h23', ...format })
  return value && markup`<time datetime="${value}">${words.format(new Date(`${value}Z`))}</time>`
}

export const cardList = (cards: readonly (Card & { readonly note?: Value })[], name: string) =>
  markup`<ul class="cards ${name}">${cards.map(
    (card) => markup`
    <li>
      ${picture(card.teaser_image_url, name === 'lead' ? wide : narrow)}
      ${card.kicker && markup`<p class="kicker">${card.kicker}</p>`}
      <h3><a href="${card.perma_url_path}">${card.title}</a></h3>
      ${card.description && markup`<p>${card.description}</p>`}${card.note}
    </li>`,
  )}</ul>`

export const occurrenceList = (occurrences: readonly Occurrence[], language: string) =>
  markup`<ol class="occurrences">${occurrences.map(
    ({ title, dtstart, dtend, perma_url_path: path }) => markup`
    <li>
      <p class="day">${dated(dtstart, language, { weekday: 'short', day: 'numeric', month: 'short' })}</p>
      <h3><a href="${path}">${title}</a></h3>
      <p>${dated(dtstart, language, { timeStyle: 'short' })} – ${dated(dtend, language, { timeStyle: 'short' })}</p>
    </li>`,
  )}</ol>`

/** Links to the previous and the next page of a list. */
export const pager = (page: number, more: boolean) =>
  (page > 1 || more) &&
  markup`<nav class="pager" aria-label="Pages">
    ${page > 1 && markup`<a rel="prev" href="?page=${page - 1}">Previous page</a>`}
    ${more && markup`<a rel="next" href="?page=${page + 1}">Next page</a>`}
  </nav>`

/** Names and values. What has no value is left out. */
export const facts = (list: Readonly<Record<string, Value>>) =>
  markup`<dl class="facts">${Object.entries(list).map(
    ([name, value]) => value && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`

export const link = (url: string | null | undefined, text?: string | null) =>
  url && markup`<a href="${url}">${text ?? url.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a>`

export const heading = (title: Value, description: Value, kicker?: Value, meta?: Value) =>
  markup`<header class="heading">${kicker && markup`<p class="kicker">${kicker}</p>`}<h1>${title}</h1>
    ${description && markup`<p>${description}</p>`}${meta && markup`<p class="meta">${meta}</p>`}</header>`

/** An image with its caption. Audio, video and embedded pages of other hosts are links. */
const figure = (medium: Medium) => {
  const embedded = medium.type === 'embed' ? /\ssrc="(https:[^"]+)"/.exec(medium.embed_code)?.[1] : null
  const address = medium.type === 'external' ? (medium.url ?? medium.urls?.[0]?.url) : embedded
  return markup`<figure>
    ${picture(medium.type === 'embed' ? medium.thumb_url : medium.image_url, wide, medium.title)}
    <figcaption><b>${medium.title}</b>${trusted(medium.content)}
      ${link(address?.replaceAll('&amp;', '&'), 'Open')}</figcaption>
  </figure>`
}

const slotTag = /(?:<p>\s*)?<slot\s((?:"[^"]*"|'[^']*'|[^>"'])*?)(?:\/>|>\s*<\/slot\s*>)(?:\s*<\/p>)?/g

/** The body of content, in which each slot is replaced by its media. */
export const bodyOf = ({ content }: Content, media: readonly Medium[]): Markup => {
  const replaced = (content ?? '').replace(slotTag, (_tag, attributes: string) => {
    const id = /(?:^|\s)id\s*=\s*["']([^"']*)/.exec(attributes)?.[1]
    const figures = media.filter(({ slot_uuid: slot }) => slot === id).map(figure)
    return markup`<div class="${figures.length > 1 ? 'gallery' : 'single'}">${figures}</div>`.html
  })
  return markup`<div class="body">${trusted(replaced)}</div>`
}
