import type { components } from './api.js'
import { escapeHtml, htmlAttributes } from './html.js'
import { markupTokens, type Tag } from './markup-tokens.js'
import { picture } from './picture.js'
import { areSafeImages, isSafeAddress } from './safe-address.js'
import { elements, emptyElements, globalAttributes, maximumDepth } from './vocabulary.js'

type Schemas = components['schemas']

/** A medium of a page: a file of the library, a file or page of another host, or markup to embed. */
export type PageMedium = Schemas['MediumOnPage']
type Medium<Type> = Extract<PageMedium, { readonly type: Type }>

/**
 * How the media of a body become HTML. Each function returns HTML as it is put into the page. `caption` is HTML that is
 * safe: the title, the caption and the credits of a medium, or nothing.
 */
export type BodyComponents = {
  /** A slot, with its media as HTML. By default these, and within a `div` of the class `gallery` if there are several. */
  readonly slot: (media: readonly string[], id: string) => string
  /** By default, a figure of an image, or a player of an audio file. */
  readonly file: (medium: Medium<'file'>, caption: string) => string
  /** By default, a player of audio or video, or a link to the page of another host. */
  readonly external: (medium: Medium<'external'>, caption: string) => string
  /** By default, a link to what is embedded. `embed_code` is markup that nobody has checked. */
  readonly embed: (medium: Medium<'embed'>, caption: string) => string
}

export type BodyOptions = Partial<BodyComponents> & {
  /** How wide the images of the default components are shown, as `sizes` of `img`. Default: `100vw`. */
  readonly sizes?: string
}

const attributesOf = ({ name: element, attributes }: Tag): Readonly<Record<string, string>> => {
  const rules = { ...globalAttributes, ...elements[element] }
  const accepted = [...attributes].filter(([name, value]) => {
    if (name.startsWith('data-')) return name.length > 5 && isPlain(name)
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === 'link') return isSafeAddress(value)
    if (rule === 'images') return areSafeImages(value)
    return rule === 'text'
  })
  return Object.fromEntries(accepted)
}

/** Whether a name has only characters that no parser of HTML reads as another thing. */
const isPlain = (name: string): boolean =>
  Array.from(name).every((each) => 'abcdefghijklmnopqrstuvwxyz0123456789-_.'.includes(each))

/** Markup as HTML: the elements of bodies, with safe addresses. Of anything else the text remains, escaped. */
const render = (markup: string, slot: (id: string) => string): string => {
  const html: string[] = []
  /** The open elements, each with the index after its start tag; null if its end tag is written. */
  const open: { readonly name: string; readonly contentFrom: number | null }[] = []
  const close = (): void => {
    const element = open.pop()
    if (element !== undefined && element.contentFrom !== null) html.push(`</${element.name}>`)
  }
  /** Ends a paragraph, as browsers do at a block; an empty one is removed. */
  const endParagraph = (): void => {
    const last = open.at(-1)
    if (last?.name !== 'p' || last.contentFrom === null) return
    if (html.slice(last.contentFrom).join('').trim() === '') html.length = last.contentFrom - 1
    else html.push('</p>')
    open[open.length - 1] = { name: 'p', contentFrom: null }
  }

  for (const token of markupTokens(markup)) {
    if (typeof token === 'string') {
      html.push(escapeHtml(token))
      continue
    }
    const { name, isEnd, isSelfClosing } = token
    if (name === 'slot' && !isEnd) {
      endParagraph()
      html.push(slot(token.attributes.get('id')?.toLowerCase() ?? ''))
    }
    if (!Object.hasOwn(elements, name)) continue
    if (isEnd) {
      const index = open.findLastIndex((each) => each.name === name)
      while (index !== -1 && open.length > index) close()
    } else if (open.length < maximumDepth) {
      const isEmpty = emptyElements.includes(name)
      html.push(`<${name}${htmlAttributes(attributesOf(token))}${isEmpty ? '/' : ''}>`)
      if (isEmpty) continue
      open.push({ name, contentFrom: html.length })
      if (isSelfClosing) close()
    }
  }
  while (open.length > 0) close()
  return html.join('')
}

const noSlot = () => ''

const captionOf = (medium: PageMedium): string => {
  const title = medium.title === null ? '' : `<strong>${escapeHtml(medium.title)}</strong> `
  const credits = medium.type === 'embed' ? null : medium.file?.credits
  return `${title}${render(medium.content ?? '', noSlot)}${credits ? ` <small>${escapeHtml(credits)}</small>` : ''}`
}

const figure = (shown: string, caption: string): string =>
  shown === '' && caption === ''
    ? ''
    : `<figure>${shown}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`

const link = (address: string | null, text: string): string =>
  address !== null && isSafeAddress(address) ? `<a${htmlAttributes({ href: address })}>${text}</a>` : text

/** The first address in markup to embed that another page can link to. */
const embeddedAddress = (markup: string): string | null => {
  for (const token of markupTokens(markup)) {
    const address = typeof token === 'string' ? '' : (token.attributes.get('src') ?? '')
    if (address.startsWith('https://') && isSafeAddress(address)) return address
  }
  return null
}

/** The address without its scheme, for readers. */
const shownAddress = (address: string | null): string =>
  escapeHtml(address === null ? '' : address.slice(address.indexOf('//') + 2))

type Source = { readonly url: string; readonly mimetype: string | null }

const player = (element: 'audio' | 'video', sources: readonly Source[]): string => {
  const children = sources
    .filter(({ url }) => isSafeAddress(url))
    .map(({ url, mimetype }) => `<source${htmlAttributes({ src: url, type: mimetype })}/>`)
  return `<${element} controls="" preload="none">${children.join('')}</${element}>`
}

const defaultComponents = (sizes: string): BodyComponents => {
  const image = ({ file }: Medium<'file' | 'external'>): string =>
    file === null ? '' : `<img${htmlAttributes({ ...picture(file, { sizes }), loading: 'lazy' })}/>`
  return {
    slot: (media) => (media.length > 1 ? `<div class="gallery">${media.join('')}</div>` : media.join('')),
    file: (medium, caption) => {
      const { file_url: url, file_mimetype: mimetype } = medium
      return figure(image(medium) + (url === null ? '' : player('audio', [{ url, mimetype }])), caption)
    },
    external: (medium, caption) => {
      const { url, urls, url_type: type } = medium
      if (type === 'audio' || type === 'video')
        return figure(image(medium) + player(type, urls ?? []), caption)
      return figure(link(url, image(medium) || shownAddress(url)), caption)
    },
    embed: ({ embed_code: markup }, caption) => {
      const address = embeddedAddress(markup)
      return figure(link(address, shownAddress(address)), caption)
    },
  }
}

const renderMedium = (medium: PageMedium, { file, external, embed }: BodyComponents): string => {
  const caption = captionOf(medium)
  switch (medium.type) {
    case 'file':
      return file(medium, caption)
    case 'external':
      return external(medium, caption)
    case 'embed':
      return embed(medium, caption)
  }
}

/**
 * The body of content as HTML, with its media in the places of its slots. It contains only the elements and attributes of
 * bodies (docs/behaviour/body.md#vocabulary) and what the components return, whatever `content` is, so it can be inserted
 * in a page, of HTML or XML. `media` are those of `webPage`, by the id of their slot.
 */
export const renderBody = (
  content: string | null,
  media: Readonly<Record<string, readonly PageMedium[]>>,
  { sizes = '100vw', ...components }: BodyOptions = {},
): string => {
  const all = { ...defaultComponents(sizes), ...components }
  const slot = (id: string): string => {
    const own = Object.hasOwn(media, id) ? media[id] : undefined
    return all.slot(own?.map((medium) => renderMedium(medium, all)) ?? [], id)
  }
  return render(content ?? '', slot)
}
