/** The HTML of a post: with its blocks, shortcodes and embedded addresses as elements. */
import { isHostedBy, type StreamingHost } from '@publishing-service/domain/declare'
import { bodyNote, type ImportNote } from '@publishing-service/domain/imports'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { escaped } from '../escaped.js'
import type { Attachment, Attachments } from './attachments.js'
import { withoutShortcodes, type Shortcode } from './shortcodes.js'
import { metaValue, type WxrItem } from './wxr.js'

export type ArticleHtml = {
  readonly html: string
  readonly hasTextLines: boolean
  readonly notes: readonly ImportNote[]
}

type ArticleContext = {
  readonly attachments: Attachments
  /** The content of the blocks that several posts show, by their ids. */
  readonly sharedBlocks: ReadonlyMap<string, string>
  readonly streamingHosts: readonly StreamingHost[]
}

// Blocks.

type Comment = { readonly from: number; readonly to: number; readonly text: string }

/** The comments of HTML, in linear time. */
const commentsIn = (html: string): readonly Comment[] => {
  const found: Comment[] = []
  let from = html.indexOf('<!--')
  while (from !== -1) {
    const end = html.indexOf('-->', from + 4)
    if (end === -1) break
    found.push({ from, to: end + 3, text: html.slice(from + 4, end).trim() })
    from = html.indexOf('<!--', end + 3)
  }
  return found
}

const blockStart = /^wp:([a-z][a-z0-9-]*(?:\/[a-z0-9-]+)?)/

const attributesOfBlock = (text: string): JsonObject => {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start === -1 || end < start) return {}
  try {
    const parsed: unknown = JSON.parse(text.slice(start, end + 1))
    return isJsonObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** The notes of a post as a list: the block says only where it is, and the texts are in a field. */
const footnotesOf = (item: WxrItem): string => {
  let notes: unknown = null
  try {
    notes = JSON.parse(metaValue(item, 'footnotes') || '[]')
  } catch {
    return ''
  }
  const items = (Array.isArray(notes) ? notes : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return []
    const { id, content } = each
    return typeof id === 'string' && typeof content === 'string'
      ? [`<li id="${escaped(id)}">${content} <a href="#${escaped(id)}-link">↩</a></li>`]
      : []
  })
  return items.length === 0 ? '' : `<ol>${items.join('')}</ol>`
}

/** In characters: a text with the blocks that it shows. */
const longestExpanded = 2_000_000
const deepestShared = 4

/** The text with shared blocks and footnotes in their places, and the names of blocks whose content is made by a program. */
const withBlocks = (
  item: WxrItem,
  sharedBlocks: ReadonlyMap<string, string>,
): { readonly html: string; readonly made: ReadonlySet<string>; readonly hasPages: boolean } => {
  const made = new Set<string>()
  let hasPages = false
  let length = item.content.length
  const read = (source: string, depth: number): string => {
    const parts: string[] = []
    let copied = 0
    for (const { from, to, text } of commentsIn(source)) {
      if (/^nextpage\b/.test(text)) hasPages = true
      const [, name] = blockStart.exec(text) ?? []
      if (name === undefined || !text.endsWith('/')) continue
      const shared = name === 'block' ? sharedBlocks.get(String(attributesOfBlock(text)['ref'])) : undefined
      let own = ''
      if (name === 'footnotes') own = footnotesOf(item)
      else if (shared !== undefined && depth < deepestShared && length + shared.length <= longestExpanded) {
        length += shared.length
        own = read(shared, depth + 1)
      } else if (name !== 'spacer' && name !== 'separator') made.add(name)
      if (own === '') continue
      parts.push(source.slice(copied, from), own)
      copied = to
    }
    return [...parts, source.slice(copied)].join('')
  }
  return { html: read(item.content, 0), made, hasPages }
}

// Shortcodes.

const figureOf = (media: string, caption: string): string =>
  `<figure>${media}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`

const pictureOf = ({ address, alt }: Attachment): string =>
  `<img src="${escaped(address)}" alt="${escaped(alt)}">`

const idsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '')

const soundNames = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'wma', 'flac', 'mp4', 'm4v', 'webm', 'ogv', 'flv', '0']

const mediaOf = (element: 'audio' | 'video', addresses: readonly string[]): string =>
  addresses.length === 0
    ? ''
    : `<${element}>${addresses.map((each) => `<source src="${escaped(each)}">`).join('')}</${element}>`

const caption = /^\s*((?:<a\s[^<>]*>\s*)?<img\s[^<>]*>(?:\s*<\/a>)?)([^]*)$/

const videoSites: Readonly<Record<string, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
}

/** What WordPress itself shows for a shortcode; null for a shortcode of others. */
const coreShortcode =
  (item: WxrItem, { attachments, streamingHosts }: ArticleContext) =>
  ({ name, attributes, inner }: Shortcode): string | null => {
    const listed = (kind: Attachment['kind']): readonly Attachment[] => {
      const ids = idsIn(attributes.get('ids') ?? attributes.get('include') ?? '')
      const without = new Set(idsIn(attributes.get('exclude') ?? ''))
      const all =
        ids.length > 0
          ? ids.flatMap((id) => attachments.byId(id) ?? [])
          : attachments.of(attributes.get('id') ?? item.id).filter((each) => !without.has(each.id))
      return all.filter((each) => each.kind === kind)
    }
    const addresses = soundNames
      .flatMap((each) => attributes.get(each) ?? [])
      .filter((each) => /^(?:https?:)?\/\/|^\//.test(each))

    switch (name) {
      case 'caption':
      case 'wp_caption': {
        const [, picture, text = ''] = caption.exec(inner()) ?? []
        return picture === undefined ? inner() : figureOf(picture, attributes.get('caption') ?? text.trim())
      }
      case 'gallery':
        return figureOf(
          listed('image')
            .map((each) => figureOf(pictureOf(each), each.caption))
            .join(''),
          '',
        )
      case 'audio': {
        const [attached] = addresses.length === 0 ? listed('audio') : []
        return mediaOf('audio', attached === undefined ? addresses : [attached.address])
      }
      case 'video':
        return mediaOf('video', addresses)
      case 'playlist':
        return listed('audio')
          .map((each) => figureOf(mediaOf('audio', [each.address]), each.caption || escaped(each.title)))
          .join('')
      case 'embed':
        return `\n\n${inner().trim() || (attributes.get('src') ?? '')}\n\n`
      case 'youtube':
      case 'vimeo': {
        const written = attributes.get('0') ?? attributes.get('id') ?? attributes.get('url') ?? inner()
        const address = /^https?:/.test(written) ? written : `${videoSites[name] ?? ''}${written}`
        return embedded(address.replaceAll('&amp;', '&').trim(), streamingHosts)
      }
      default:
        return null
    }
  }

// Addresses that are shown as what they lead to.

const embedded = (address: string, hosts: readonly StreamingHost[]): string =>
  hosts.some((each) => isHostedBy(each, address))
    ? `<iframe src="${escaped(address)}"></iframe>`
    : `<a href="${escaped(address)}">${escaped(address)}</a>`

const loneAddress = /^([ \t]*(?:<p[^<>]*>)?[ \t]*)(https?:\/\/[^\s<>"[\]]{1,2000})([ \t]*(?:<\/p>)?[ \t]*)$/gm

const smiley = /<img\s[^<>]*class=["'][^"'<>]*(?:wp-smiley|emoji)[^<>]*>/gi

const altOf = (tag: string): string => /\salt=(?:"([^"]*)"|'([^']*)')/.exec(tag)?.slice(1).join('') ?? ''

const hasBlocks = (content: string): boolean => /<!--\s+wp:/.test(content)

/** The HTML of a post as `toBody` reads it. */
export const articleHtml = (item: WxrItem, context: ArticleContext): ArticleHtml => {
  const { html: whole, made, hasPages } = withBlocks(item, context.sharedBlocks)
  const pictures = whole.replaceAll(smiley, altOf)
  const { html, leftOut, unknown } = withoutShortcodes(pictures, coreShortcode(item, context))
  const notes: ImportNote[] = []
  const named = (kind: string, names: ReadonlySet<string>, text: (names: string) => string): void => {
    if (names.size > 0) notes.push(bodyNote(kind, text([...names].slice(0, 30).join(', '))))
  }
  named('block', made, (names) => `blocks that a program fills are left out: ${names}`)
  named('shortcode', leftOut, (names) => `shortcodes are left out, but not the text in them: ${names}`)
  named('shortcode', unknown, (names) => `shortcodes that are not known remain as text: ${names}`)
  if (hasPages) notes.push(bodyNote('page break', 'page breaks are left out'))
  return {
    html: html.replaceAll(
      loneAddress,
      (_line, before: string, address: string, after: string) =>
        `${before}${embedded(address.replaceAll('&amp;', '&'), context.streamingHosts)}${after}`,
    ),
    hasTextLines: !hasBlocks(item.content),
    notes,
  }
}
