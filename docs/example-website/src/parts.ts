/** Parts of pages. */
import { htmlAttributes, picture } from '@publishing-service/client'
import { markup, trusted, type Markup, type Value } from './markup.js'
import { pageSize, type Picture } from './publication.js'

/** How wide a picture is shown; telephones with dense screens do not need all of their pixels. */
export const wide = '(min-width: 70rem) 67rem, (min-width: 38rem) 92vw, 70vw'
/** How wide a picture is shown in a text. */
export const inText = '(min-width: 45rem) 40rem, (min-width: 38rem) 92vw, 70vw'
const column = '(min-width: 60rem) 20rem, (min-width: 38rem) 45vw, 30vw'

export type PictureOptions = {
  readonly sizes?: string
  /** Width divided by height, for a picture that is cropped around its focal point. */
  readonly ratio?: number
  /** Whether it is at the top of the page, so that the browser loads it first. */
  readonly first?: boolean
  readonly alt?: string
}

/** An image in several widths, with a blurred one until it is there, and in a space that is reserved for it. */
export const img = (file: Picture | null | undefined, options: PictureOptions = {}): Value => {
  if (!file) return null
  const { sizes = column, first = false, alt, ...crop } = options
  const { colour, image } = file.placeholder ?? {}
  const attributes = {
    ...picture(file, { sizes, ...crop }),
    ...(alt !== undefined && { alt }),
    style: colour && `background: ${colour}${image ? ` url(${image}) center / cover` : ''}`,
    ...(first ? { fetchpriority: 'high' } : { loading: 'lazy' }),
  }
  return markup`<img${trusted(htmlAttributes(attributes))}>`
}

/** An image that leads to the large one, which gallery.js shows above the page. */
export const enlargeable = (file: Picture | null | undefined, options: PictureOptions = {}): Value =>
  file &&
  markup`<a class="large" href="${(file.srcset.at(-1) ?? file).url}" aria-label="Enlarge: ${file.alt}">${img(file, options)}</a>`

/** A date-time of the publication in words. It has no UTC offset and is shown unchanged. */
export const dated = (value: string | null, language: string, format: Intl.DateTimeFormatOptions): Value => {
  const words = new Intl.DateTimeFormat(language, { timeZone: 'UTC', hourCycle: 'h23', ...format })
  return value && markup`<time datetime="${value}">${words.format(new Date(`${value}Z`))}</time>`
}

export const link = (url: string | null | undefined, text?: Value): Value =>
  url && markup`<a href="${url}">${text ?? url.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a>`

/** Values with something between them. Those without a value are left out. */
export const joined = (values: readonly Value[], between: string): Value => {
  const known = values.filter(Boolean)
  return known.length > 0 && known.flatMap((value, index) => (index === 0 ? [value] : [between, value]))
}

type Heading = {
  readonly title: Value
  readonly lead?: Value
  readonly kicker?: Value
  readonly meta?: Value
}

export const heading = ({ title, lead, kicker, meta }: Heading): Markup => markup`<header class="heading">
  ${kicker && markup`<p class="kicker">${kicker}</p>`}<h1>${title}</h1>
  ${lead && markup`<p class="intro">${lead}</p>`}${meta && markup`<p class="meta">${meta}</p>`}</header>`

/** Names and values. What has no value is left out. */
export const facts = (list: Readonly<Record<string, Value>>): Value => {
  const known = Object.entries(list).filter(([, value]) => value)
  return (
    known.length > 0 &&
    markup`<dl class="facts">${known.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
  )
}

/** A part of a page below its heading, left out if it is empty. */
export const part = (title: string, content: Value, name = ''): Value =>
  content && markup`<section class="part ${name}"><h2>${title}</h2>${content}</section>`

/** What a list shows of an object, or of a link. */
export type Card = {
  readonly title: string | null
  readonly path: string | null
  readonly kicker?: Value
  readonly description?: Value
  readonly meta?: Value
  readonly image?: Picture | null
}

type CardOptions = PictureOptions & {
  readonly name: 'lead' | 'side' | 'grid' | 'list'
  /** The level of the headings. */
  readonly level?: 2 | 3
}

export const cards = (list: readonly Card[], { name, level = 3, ...options }: CardOptions): Value =>
  list.length > 0 &&
  markup`<ul class="cards ${name}">${list.map(
    ({ title, path, kicker, description, meta, image }) => markup`
    <li>${img(image, { ratio: 3 / 2, alt: '', ...options })}
      ${kicker && markup`<p class="kicker">${kicker}</p>`}
      ${trusted(`<h${level}>`)}<a href="${path}">${title}</a>${trusted(`</h${level}>`)}
      ${description && markup`<div>${description}</div>`}${meta && markup`<p class="meta">${meta}</p>`}</li>`,
  )}</ul>`

/** The first stories of a page: one large, the others at its side. */
export const opening = ([lead, ...others]: readonly Card[]): Value =>
  lead &&
  markup`<div class="opening">${cards([lead], { name: 'lead', level: 2, sizes: wide, first: true })}
    ${cards(others, { name: 'side', level: 2 })}</div>`

const time = { timeStyle: 'short' } as const

/** A time of an event. */
export type EventDate = {
  readonly title: string
  readonly path: string
  readonly dtstart: string | null
  readonly dtend: string | null
  readonly place?: { readonly path: string; readonly title: string } | null
}

/** Dates of events, in their order, below a heading of the level above. */
export const dates = (list: readonly EventDate[], language: string, level: 2 | 3 = 3): Value =>
  list.length > 0 &&
  markup`<ol class="dates">${list.map(({ title, dtstart, dtend, path, place }, index) => {
    const day = dtstart?.slice(0, 10)
    const isFirst = day !== list[index - 1]?.dtstart?.slice(0, 10)
    return markup`
    <li${isFirst && markup` id="${day}" class="first"`}>
      <p class="day">${dated(dtstart, language, { weekday: 'short', day: 'numeric', month: 'short' })}</p>
      ${trusted(`<h${level}>`)}${link(path, title)}${trusted(`</h${level}>`)}
      <p>${joined([dated(dtstart, language, time), dated(dtend, language, time)], '–')}
        ${place && [' · ', link(place.path, place.title)]}</p></li>`
  })}</ol>`

/** Links to lists, the present one marked. */
export const choices = (label: string, list: readonly { address: string; text: Value; current: boolean }[]) =>
  list.length > 1 &&
  markup`<nav class="choices" aria-label="${label}"><ul>${list.map(
    ({ address, text, current }) =>
      markup`<li><a href="${address}" aria-current="${current ? 'true' : 'false'}">${text}</a></li>`,
  )}</ul></nav>`

export const chips = (links: readonly Value[]): Value =>
  links.length > 0 && markup`<ul class="tags">${links.map((each) => markup`<li>${each}</li>`)}</ul>`

/** Links to what comes before and after a page. */
export const pager = (before: Value, where: Value, after: Value): Value =>
  (before || after) &&
  markup`<nav class="pager" aria-label="Pages"><span>${before}</span><span>${where}</span><span>${after}</span></nav>`

/** Links to the pages of a list with a total. `selection` is the rest of the query. */
export const pages = (
  page: number,
  total: number,
  selection: Readonly<Record<string, string>> = {},
): Value => {
  const last = Math.ceil(total / pageSize)
  const to = (number: number, text: string) =>
    number >= 1 &&
    number <= last &&
    link(`?${new URLSearchParams({ ...selection, page: `${number}` }).toString()}`, text)
  return pager(to(page - 1, 'Previous page'), `Page ${page} of ${last}`, to(page + 1, 'Next page'))
}
