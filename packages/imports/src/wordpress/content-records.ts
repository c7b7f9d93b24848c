/** Posts and pages as articles. */
import type { StreamingHost } from '@publishing-service/domain/declare'
import {
  fileNote,
  importedObject,
  importRecord,
  type ImportedObject,
  type ImportNote,
  type ImportRecord,
} from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Medium } from '@publishing-service/foreign-markup'
import { addressParts } from '../address-parts.js'
import { bodyOf, type ImportedBody } from '../body-of.js'
import { derivedUuid } from '../derived-uuid.js'
import { plainLine, plainText, shortened } from '../plain-text.js'
import { articleHtml } from './article-html.js'
import type { Attachment } from './attachments.js'
import type { TakenComments } from './comment-records.js'
import { fileId } from './file-records.js'
import { pathsBefore, type PathRedirect } from './paths-before.js'
import type { Place } from './places.js'
import { searchFields } from './search-fields.js'
import { authorsOf, isOfReaders, keyOfTerm, type SiteIndex } from './site-index.js'
import type { Tags } from './tag-records.js'
import { metaValue, timeOf, type WxrItem } from './wxr.js'

const longestTitle = 255
const longestDescription = 10_000

export type ContentContext = {
  readonly index: SiteIndex
  readonly tags: Tags
  readonly streamingHosts: readonly StreamingHost[]
}

/** A file that content uses, with the text in its place that the content has. */
type UsedFile = { readonly attachment: Attachment; readonly alt: string }

export type ContentRecord = {
  readonly record: ImportRecord
  readonly files: readonly UsedFile[]
  readonly redirect: PathRedirect | null
}

class ContentBuilder {
  readonly #item: WxrItem
  readonly #place: Place
  readonly #context: ContentContext
  readonly #files = new Map<string, { readonly attachment: Attachment; alt: string }>()
  readonly #notes: ImportNote[] = []

  constructor(item: WxrItem, place: Place, context: ContentContext) {
    this.#item = item
    this.#place = place
    this.#context = context
  }

  #note(kind: string, text: string): void {
    this.#notes.push(fileNote(kind, text, this.#item.line))
  }

  #use(attachment: Attachment, alt: string): string {
    const id = fileId(this.#context.index.site, attachment)
    const used = this.#files.get(id) ?? { attachment, alt }
    if (used.alt === '') used.alt = alt
    this.#files.set(id, used)
    return id
  }

  #body(): ImportedBody {
    const { index, streamingHosts } = this.#context
    const { attachments, sharedBlocks, site } = index
    const { html, hasTextLines, notes } = articleHtml(this.#item, {
      attachments,
      sharedBlocks,
      streamingHosts,
    })
    const body = bodyOf({
      html,
      options: { base: this.#base(), streamingHosts, hasTextLines },
      fileOf: (medium: Medium) => {
        const found = medium.kind === 'frame' ? null : attachments.find(medium.address)
        if (found === null || found.kind === 'other') return null
        if ((found.kind === 'image') !== (medium.kind === 'picture')) return null
        return { id: this.#use(found, medium.alt), kind: found.kind }
      },
      slotId: (number) => derivedUuid(site, 'slot', `${this.#item.id} ${number}`),
    })
    this.#notes.push(...notes, ...body.notes)
    this.#noteLinks(html, body.markup)
    return body
  }

  /** Relative addresses lead from the address of the post. */
  #base(): string {
    const { site } = this.#context.index
    return addressParts(this.#item.link) === null ? `${site}/` : this.#item.link
  }

  #noteLinks(html: string, markup: string): void {
    const { attachments, site } = this.#context.index
    const toFiles = new Set(
      Array.from(markup.matchAll(/\shref="([^"]*)"/g), ([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      ).filter((href) => attachments.find(href) !== null),
    )
    if (toFiles.size > 0)
      this.#note('link', `links to files of the old website remain: ${[...toFiles].slice(0, 10).join(', ')}`)
    const ofPictures = Array.from(
      html.matchAll(/<a\s[^<>]*?href=["']([^"'<>]*)["'][^<>]*>\s*<img\s/gi),
      ([, href = '']) => href.replaceAll('&amp;', '&'),
    ).filter((href) => {
      const isPicture =
        attachments.find(href) !== null ||
        attachments.isPage(href) ||
        /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(href)
      return !isPicture && !href.includes('attachment_id=') && addressParts(href, `${site}/`) !== null
    })
    if (ofPictures.length > 0)
      this.#note('link', `pictures led to ${[...new Set(ofPictures)].slice(0, 10).join(', ')}`)
  }

  #state(): 'published' | 'draft' {
    const { status, hasPassword } = this.#item
    if (hasPassword) this.#note('state', 'it had a password, and is a draft now')
    else if (status === 'private') this.#note('state', 'it was private, and is a draft now')
    else if (status === 'pending') this.#note('state', 'it waited for a review, and is a draft now')
    return !hasPassword && (status === 'publish' || status === 'future') ? 'published' : 'draft'
  }

  #title(text: string): string {
    const title = shortened(plainLine(this.#item.title), longestTitle)
    if (title !== '') return title
    const made = shortened(text.replaceAll(/\s+/g, ' ').trim(), 60) || this.#place.urlname
    this.#note('title', `it has no title; the new one is ${made}`)
    return made
  }

  #image(): JsonObject {
    const id = metaValue(this.#item, '_thumbnail_id')
    const attachment = id === '' || id === '0' ? null : this.#context.index.attachments.byId(id)
    if (attachment?.kind === 'image') {
      const file = this.#use(attachment, '')
      return { teaser_image_uuid: file, header_image_uuid: file }
    }
    if (id !== '' && id !== '0')
      this.#note('image', `the file has no picture ${id}, which is its featured image`)
    return {}
  }

  #tags(): ImportedObject['tags'] {
    const { byLogin, byTerm } = this.#context.tags
    const terms = this.#item.categories.flatMap(({ taxonomy, slug }) =>
      taxonomy !== 'category' && taxonomy !== 'author' && isOfReaders(taxonomy)
        ? [keyOfTerm(taxonomy, slug)]
        : [],
    )
    const categories = this.#place.furtherCategories.map((slug) => keyOfTerm('category', slug))
    const describes = new Set([...terms, ...categories].flatMap((key) => byTerm.get(key) ?? []))
    const authors = new Set(authorsOf(this.#item).flatMap((login) => byLogin.get(login) ?? []))
    return [
      ...Array.from(authors, (tag) => ({ tag, predicate: 'authored', attributes: {} })),
      ...Array.from(describes, (tag) => ({ tag, predicate: 'describes', attributes: {} })),
    ]
  }

  #noteOthers({ leftOut }: TakenComments): void {
    const { isSticky } = this.#item
    const { taken, urlname } = this.#place
    if (taken !== null)
      this.#note('urlname', `urlname is ${urlname} instead of ${taken}, which another object has`)
    if (isSticky) this.#note('sticky', 'it was shown before all others')
    const external = metaValue(this.#item, '_links_to') || metaValue(this.#item, '_pprredirect_url')
    if (external !== '') this.#note('redirect', `a plug-in has led from it to ${external}`)
    const parts = Array.from(leftOut, ([reason, count]) => `${reason} (${count})`)
    if (parts.length > 0) this.#note('comment', `comments are left out: ${parts.join(', ')}`)
  }

  build(comments: TakenComments): ContentRecord {
    const { index } = this.#context
    const item = this.#item
    const { id, section, urlname } = this.#place
    const state = this.#state()
    const { markup, slots } = this.#body()
    const text = plainText(markup.slice(0, 2000))
    const title = this.#title(text)
    const description = shortened(plainText(item.excerpt, { hasTextLines: true }), longestDescription)
    const search = searchFields(item, { title, excerpt: description, site: index.title })
    const before = pathsBefore(item, this.#place)
    const image = this.#image()
    this.#noteOthers(comments)
    const [created, issued] = [timeOf(item.date, ''), timeOf(item.date, item.dateGmt)]
    const modified = timeOf(item.modified, item.modifiedGmt)
    const attributes: JsonObject = {
      content_type: 'article',
      title,
      urlname,
      ...(description === '' ? {} : { description }),
      content: markup,
      state,
      section_uuid: section?.id ?? null,
      ...((issued ?? created) === null ? {} : { created: issued ?? created }),
      ...(modified === null ? {} : { modified }),
      ...(state === 'published' && issued !== null ? { issued } : {}),
      ...search.attributes,
      ...image,
    }
    return {
      record: importRecord({
        origin: { source: `${item.type} ${item.id}`, title, line: item.line },
        notes: [...this.#notes, ...search.notes, ...before.notes],
        object: importedObject({
          collection: 'content',
          id,
          attributes,
          slots,
          tags: this.#tags(),
          earlier_paths: before.earlierPaths,
        }),
      }),
      files: [...this.#files.values()],
      redirect: before.redirect,
    }
  }
}

/** The record of a post or a page, and what has to be written before and after it. */
export const contentRecord = (
  item: WxrItem,
  place: Place,
  comments: TakenComments,
  context: ContentContext,
): ContentRecord => new ContentBuilder(item, place, context).build(comments)
