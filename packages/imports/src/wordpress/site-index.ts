/** What is known of a whole export after its first reading: everything but the texts. */
import { addressParts } from '../address-parts.js'
import { plainLine } from '../plain-text.js'
import { UnreadableSource } from '../unreadable-source.js'
import { attachmentOf, Attachments } from './attachments.js'
import { takenComments } from './comment-records.js'
import { authorOf, itemOf, metaValue, termOf, type WxrAuthor, type WxrItem, type WxrTerm } from './wxr.js'
import { readElements, type XmlElement, type XmlRepairs } from './xml-elements.js'

/** An item that becomes content, without its text. */
export type IndexedItem = {
  readonly id: string
  readonly isPage: boolean
  readonly isPublished: boolean
  readonly title: string
  readonly slug: string
  readonly link: string
  readonly parent: string
  /** The categories of it, by their slugs. */
  readonly categories: readonly string[]
  /** The id of the category that an editor has chosen as the main one. */
  readonly mainCategory: string
}

export type SiteIndex = {
  /** The address of the website, without a slash at the end. */
  readonly site: string
  /** The path of the website on its host; empty if it is all of the host. */
  readonly sitePath: string
  readonly title: string
  readonly items: ReadonlyMap<string, IndexedItem>
  readonly attachments: Attachments
  /** By login. */
  readonly authors: ReadonlyMap<string, WxrAuthor>
  /** The logins of those who have written an item. */
  readonly writers: ReadonlySet<string>
  /** By taxonomy and slug, as `keyOfTerm` joins them. */
  readonly terms: ReadonlyMap<string, WxrTerm>
  /** The text of blocks that several posts show, by their ids. */
  readonly sharedBlocks: ReadonlyMap<string, string>
  readonly redirects: readonly WxrItem[]
  /** How many posts and pages are not taken over, because they are in the trash or in the file twice. */
  readonly notTaken: number
  readonly comments: number
  /** How many items of which kind are not taken over. */
  readonly others: ReadonlyMap<string, number>
  readonly repairs: XmlRepairs
}

export const keyOfTerm = (taxonomy: string, slug: string): string => `${taxonomy} ${slug}`

/** Terms of programs, not of readers. */
const ignoredTaxonomies = new Set([
  'nav_menu',
  'post_format',
  'wp_theme',
  'wp_template_part_area',
  'wp_pattern_category',
  'link_category',
])

export const isOfReaders = (taxonomy: string): boolean => !ignoredTaxonomies.has(taxonomy)

const states = new Set(['publish', 'future', 'draft', 'pending', 'private'])

/** Whether an item becomes content. */
export const isTaken = ({ type, status }: WxrItem, types: readonly string[]): boolean =>
  (type === 'post' || type === 'page' || types.includes(type)) && states.has(status)

export const isDeleted = ({ type, status }: WxrItem, types: readonly string[]): boolean =>
  (type === 'post' || type === 'page' || types.includes(type)) && status === 'trash'

/** The authors of an item: those of the plug-in Co-Authors Plus, else the one of WordPress. */
export const authorsOf = ({ categories, creator }: WxrItem): readonly string[] => {
  const several = categories.flatMap(({ taxonomy, slug }) =>
    taxonomy === 'author' ? [slug.replace(/^cap-/, '')] : [],
  )
  return several.length > 0 ? several : creator === '' ? [] : [creator]
}

/** In characters: the longest text of a block that several posts show. */
const longestShared = 500_000

class IndexBuilder {
  readonly repairs: XmlRepairs = { removedCharacters: 0, unknownReferences: 0 }
  readonly #types: readonly string[]
  readonly #items = new Map<string, IndexedItem>()
  readonly #authors = new Map<string, WxrAuthor>()
  readonly #writers = new Set<string>()
  readonly #terms = new Map<string, WxrTerm>()
  readonly #sharedBlocks = new Map<string, string>()
  readonly #redirects: WxrItem[] = []
  readonly #others = new Map<string, number>()
  #attachments: Attachments | null = null
  #site = ''
  #title = ''
  #comments = 0
  #notTaken = 0

  constructor(types: readonly string[]) {
    this.#types = types
  }

  add(element: XmlElement): void {
    const { name, text } = element
    // The address of the blog is after that of the channel, and more exact in a network of websites.
    if (name === 'link' || name === 'wp:base_blog_url')
      this.#site = text.trim().replace(/\/+$/, '') || this.#site
    else if (name === 'title') this.#title = plainLine(text)
    else if (name === 'wp:author') this.#addAuthor(authorOf(element))
    else if (name === 'item') this.#addItem(itemOf(element))
    const term = termOf(element)
    if (term !== null) this.#addTerm(term)
  }

  #addAuthor(author: WxrAuthor): void {
    this.#authors.set(author.login, author)
  }

  #addTerm(term: WxrTerm): void {
    const key = keyOfTerm(term.taxonomy, term.slug)
    // WordPress.com lists categories twice, the second time without a description.
    if (term.slug !== '' && isOfReaders(term.taxonomy) && !this.#terms.has(key)) this.#terms.set(key, term)
  }

  #addItem(item: WxrItem): void {
    const { type } = item
    this.#attachments ??= new Attachments(this.#siteAddress())
    if (isTaken(item, this.#types)) this.#addContent(item, this.#attachments)
    else if (isDeleted(item, this.#types)) this.#notTaken += 1
    else if (type === 'attachment' && item.attachment !== '' && item.status !== 'trash')
      this.#attachments.add(attachmentOf(item))
    else if (type === 'redirect_rule' && item.status === 'publish') this.#redirects.push(item)
    else {
      if (type === 'wp_block' && item.content.length <= longestShared)
        this.#sharedBlocks.set(item.id, item.content)
      if (type === 'guest-author') this.#addGuest(item)
      this.#others.set(type, (this.#others.get(type) ?? 0) + 1)
    }
  }

  /** A person of Co-Authors Plus who is no user. */
  #addGuest(item: WxrItem): void {
    const login = metaValue(item, 'cap-user_login')
    if (login === '' || this.#authors.has(login)) return
    this.#addAuthor({
      login,
      name: metaValue(item, 'cap-display_name') || item.title,
      firstName: metaValue(item, 'cap-first_name'),
      lastName: metaValue(item, 'cap-last_name'),
      description: metaValue(item, 'cap-description') || item.content,
    })
  }

  #addContent(item: WxrItem, attachments: Attachments): void {
    const { id, type, status, title, slug, link, parent } = item
    if (this.#items.has(id)) {
      this.#notTaken += 1
      return
    }
    attachments.addText(item.content)
    const categories: string[] = []
    for (const { taxonomy, slug: termSlug, name } of item.categories) {
      if (taxonomy === 'category') categories.push(termSlug)
      if (taxonomy !== 'author')
        this.#addTerm({ id: '', taxonomy, slug: termSlug, parent: '', name, description: '' })
    }
    for (const login of authorsOf(item)) {
      this.#writers.add(login)
      if (!this.#authors.has(login)) this.#addAuthor(this.#unnamed(login, item))
    }
    this.#comments += takenComments(item).taken.length
    this.#items.set(id, {
      id,
      isPage: type === 'page',
      isPublished: status === 'publish' && !item.hasPassword,
      title: plainLine(title),
      slug,
      link,
      parent,
      categories,
      mainCategory:
        metaValue(item, '_yoast_wpseo_primary_category') || metaValue(item, 'rank_math_primary_category'),
    })
  }

  /** An author of whom the export has only the login, or the name of a term. */
  #unnamed(login: string, { categories }: WxrItem): WxrAuthor {
    const term = categories.find(
      ({ taxonomy, slug }) => taxonomy === 'author' && slug.replace(/^cap-/, '') === login,
    )
    return { login, name: term?.name ?? login, firstName: '', lastName: '', description: '' }
  }

  #siteAddress(): string {
    if (addressParts(this.#site) === null)
      throw new UnreadableSource('the file does not say the address of the website, in <link>')
    return this.#site
  }

  end(): SiteIndex {
    const site = this.#siteAddress()
    const attachments = this.#attachments ?? new Attachments(site)
    attachments.complete()
    return {
      site,
      sitePath: (addressParts(site)?.path ?? '').replace(/\/+$/, ''),
      title: this.#title,
      items: this.#items,
      attachments,
      authors: this.#authors,
      writers: this.#writers,
      terms: this.#terms,
      sharedBlocks: this.#sharedBlocks,
      redirects: this.#redirects,
      notTaken: this.#notTaken,
      comments: this.#comments,
      others: this.#others,
      repairs: this.repairs,
    }
  }
}

/** Reads a whole export. Throws `UnreadableSource` for a file that is none, or is cut off. */
export const indexSite = async (
  texts: AsyncIterable<string>,
  types: readonly string[],
): Promise<SiteIndex> => {
  const builder = new IndexBuilder(types)
  for await (const element of readElements(texts, builder.repairs)) builder.add(element)
  return builder.end()
}
