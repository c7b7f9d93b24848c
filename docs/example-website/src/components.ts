/** Parts of pages: pictures, dates, lists, facts and bodies. */
import { markup, trusted, type Markup } from './markup.js'
import type { Card, Content, Medium, Occurrence } from './publication.js'

/** The widths in which the website serves images. */
export const widths = [320, 640, 960, 1280]

type Picture = { readonly sizes: string; readonly alt?: string | null; readonly loading?: 'eager' | 'lazy' }

/** An image in several widths, of which the browser loads one. `sizes` is how wide it is shown. */
export const picture = (url: string | null | undefined, { sizes, alt, loading = 'lazy' }: Picture) => {
  const [, uuid, upload] = /\/files\/([^/]+)\/download\/(\d+)/.exec(url ?? '') ?? []
  if (uuid === undefined) return null
  const at = (width: number) => `/images/${uuid}/${upload}/${width}`
  const sources = widths.map((width) => `${at(width)} ${width}w`).join(', ')
  return markup`<img src="${at(640)}" srcset="${sources}" sizes="${sizes}" alt="${alt}" loading="${loading}">`
}

const formats = {
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  tile: { weekday: 'short', day: 'numeric', month: 'short' },
  evening: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  },
  time: { hour: '2-digit', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/** A date-time of the publication in words. It has no UTC offset and is shown unchanged. */
export const dated = (value: string | null, language: string, format: keyof typeof formats): Markup => {
  const formatter = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...formats[format] })
  return markup`<time datetime="${value}">${value && formatter.format(new Date(`${value}Z`))}</time>`
}

export const cardList = (
  cards: readonly Card[],
  className: string,
  sizes = '(min-width: 64rem) 20rem, 94vw',
) =>
  markup`<ul class="cards ${className}">${cards.map(
    ({ path, title, kicker, description, image }) => markup`
    <li>
      ${picture(image, { sizes })}
      <div>
        ${kicker && markup`<p class="kicker">${kicker}</p>`}
        <h3><a href="${path}">${title}</a></h3>
        ${description && markup`<p>${description}</p>`}
      </div>
    </li>`,
  )}</ul>`

export const occurrenceList = (occurrences: readonly Occurrence[], language: string) =>
  markup`<ol class="occurrences">${occurrences.map(
    ({ perma_url_path: path, title, dtstart, dtend }) => markup`
    <li>
      <p class="day">${dated(dtstart, language, 'tile')}</p>
      <div>
        <h3><a href="${path}">${title}</a></h3>
        <p>${dated(dtstart, language, 'time')}${dtend && markup` – ${dated(dtend, language, 'time')}`}</p>
      </div>
    </li>`,
  )}</ol>`

/** Links to the previous and the next page of a list. */
export const pager = (page: number, more: boolean) =>
  (page > 1 || more) &&
  markup`<nav class="pager" aria-label="Pages">
    ${page > 1 && markup`<a rel="prev" href="?page=${page - 1}">← Newer</a>`}
    <span>Page ${page}</span>
    ${more && markup`<a rel="next" href="?page=${page + 1}">Older →</a>`}
  </nav>`

/** Names and values. A value that is missing is left out. */
export const facts = (list: readonly (readonly [string, Markup | string | null | undefined])[]) =>
  markup`<dl class="facts">${list.map(
    ([name, value]) => value && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`

export const link = (url: string | null | undefined, text?: string | null) =>
  url && markup`<a href="${url}">${text ?? url.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a>`

/** What cannot be shown under the policy of the website is a link: embedded pages, audio and video. */
const addressOf = (medium: Medium): string | null | undefined => {
  if (medium.type === 'external') return medium.url ?? medium.urls?.[0]?.url
  const source = medium.type === 'embed' ? /\ssrc="(https:[^"]+)"/.exec(medium.embed_code)?.[1] : null
  return source?.replaceAll('&amp;', '&')
}

const figure = (medium: Medium) => {
  const image = medium.type === 'embed' ? medium.thumb_url : medium.image_url
  return markup`<figure>
    ${picture(image, { sizes: '(min-width: 50rem) 44rem, 94vw', alt: medium.title })}
    <figcaption>${medium.title && markup`<b>${medium.title}</b>`}${trusted(medium.content)}
      ${link(addressOf(medium), 'Open')}</figcaption>
  </figure>`
}

const slotTag = /(?:<p>\s*)?<slot\s((?:"[^"]*"|'[^']*'|[^>"'])*?)(?:\/>|>\s*<\/slot\s*>)(?:\s*<\/p>)?/g

/** The body of content. The service has checked its markup; each slot is replaced by its media. */
export const bodyOf = ({ content }: Content, media: readonly Medium[]): Markup => {
  const replaced = (content ?? '').replace(slotTag, (_tag, attributes: string) => {
    const id = /(?:^|\s)id\s*=\s*["']([^"']*)/.exec(attributes)?.[1]
    const figures = media.filter(({ slot_uuid: slot }) => slot === id).map(figure)
    return figures.length > 1 ? markup`<div class="gallery">${figures}</div>`.html : markup`${figures}`.html
  })
  return markup`<div class="body">${trusted(replaced)}</div>`
}
