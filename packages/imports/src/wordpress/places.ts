/** Where everything of an export is among the public paths. */
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { addressParts, percentDecoded } from '../address-parts.js'
import { derivedUuid } from '../derived-uuid.js'
import { plainLine } from '../plain-text.js'
import { TakenPaths, urlnameFrom } from '../taken-paths.js'
import { keyOfTerm, type IndexedItem, type SiteIndex } from './site-index.js'

/** A section of a category, or of a page with pages below it. */
export type PlacedSection = {
  readonly id: string
  /** The kind and the id in the source. */
  readonly source: string
  readonly title: string
  /** HTML. */
  readonly description: string
  readonly urlname: string
  readonly path: string
  readonly parent: string | null
  readonly depth: number
  /** The wanted urlname, if another object has it. */
  readonly taken: string | null
  readonly earlierPaths: readonly string[]
  /** The UUID of the page that it shows. */
  readonly page: string | null
}

export type Place = {
  readonly id: string
  readonly section: PlacedSection | null
  readonly urlname: string
  readonly path: string
  readonly taken: string | null
  /** The categories, other than that of its section and those above it. */
  readonly furtherCategories: readonly string[]
}

export type Places = {
  /** Sections after those above them. */
  readonly sections: readonly PlacedSection[]
  /** By the id of an item. */
  readonly items: ReadonlyMap<string, Place>
}

/** The keys of a tree, each after the one above it. What is above itself is at the top. */
const parentsFirst = (
  keys: Iterable<string>,
  parentOf: (key: string) => string | null,
): readonly string[] => {
  const placed = new Set<string>()
  for (const key of keys) {
    const path = new Set<string>()
    let at: string | null = key
    while (at !== null && !placed.has(at) && !path.has(at)) {
      path.add(at)
      at = parentOf(at)
    }
    for (const each of [...path].toReversed()) placed.add(each)
  }
  return [...placed]
}

class Placing {
  readonly #index: SiteIndex
  readonly #paths = new TakenPaths()
  readonly #sections: PlacedSection[] = []
  readonly #byPage = new Map<string, PlacedSection>()
  readonly #byCategory = new Map<string, PlacedSection>()
  readonly #items = new Map<string, Place>()
  /** Categories above a category, by slugs. */
  readonly #above = new Map<string, ReadonlySet<string>>()

  constructor(index: SiteIndex) {
    this.#index = index
  }

  placed(): Places {
    this.#placePages()
    this.#placeCategories()
    for (const item of this.#index.items.values()) if (!item.isPage) this.#placePost(item)
    return { sections: this.#sections, items: this.#items }
  }

  #pageAbove(id: string): string | null {
    const parent = this.#index.items.get(id)?.parent ?? ''
    return this.#index.items.get(parent)?.isPage === true ? parent : null
  }

  #placePages(): void {
    const pages = [...this.#index.items.values()].filter(({ isPage }) => isPage)
    const withPages = new Set(pages.map(({ id }) => this.#pageAbove(id)))
    const ids = pages.map(({ id }) => id)
    for (const id of parentsFirst(ids, (each) => this.#pageAbove(each))) {
      const page = this.#index.items.get(id)
      if (page === undefined) continue
      const above = this.#byPage.get(this.#pageAbove(id) ?? '') ?? null
      const urlname = this.#urlnameOf(page, 'page')
      if (!withPages.has(id)) this.#placeItem(page, above, urlname, [])
      else {
        const section = this.#addSection(above, urlname, {
          id: derivedUuid(this.#index.site, 'section of page', id),
          source: `page ${id}`,
          title: page.title,
          description: '',
          earlierPaths: this.#formerPaths(page),
          page: this.#idOf(page),
        })
        this.#byPage.set(id, section)
        this.#placeItem(page, section, urlname, [])
      }
    }
  }

  /** The path that a page had. It leads to the section that shows the page. */
  #formerPaths({ link, isPublished }: IndexedItem): readonly string[] {
    const parts = addressParts(link)
    return isPublished && parts !== null && parts.query === '' && parts.path !== '/' ? [parts.path] : []
  }

  #placeCategories(): void {
    const { terms, site, sitePath } = this.#index
    const termOf = (slug: string) => terms.get(keyOfTerm('category', slug))
    const slugs = [...terms.values()].flatMap(({ taxonomy, slug }) => (taxonomy === 'category' ? [slug] : []))
    const parentOf = (slug: string): string | null => {
      const parent = termOf(slug)?.parent ?? ''
      return termOf(parent) === undefined ? null : parent
    }
    const earlier = new Map<string, string>()
    for (const slug of parentsFirst(slugs, parentOf)) {
      const term = termOf(slug)
      if (term === undefined) continue
      const parent = parentOf(slug)
      const above = parent === null ? undefined : this.#byCategory.get(parent)
      const title = plainLine(term.name)
      const path = `${earlier.get(parent ?? '') ?? `${sitePath}/category/`}${percentDecoded(slug)}/`
      earlier.set(slug, path)
      this.#above.set(
        slug,
        new Set(parent === null || above === undefined ? [] : [parent, ...(this.#above.get(parent) ?? [])]),
      )
      this.#byCategory.set(
        slug,
        this.#addSection(above ?? null, urlnameFrom(percentDecoded(slug), title, `category-${term.id}`), {
          id: derivedUuid(site, 'category', slug),
          source: `category ${slug}`,
          title,
          description: term.description,
          earlierPaths: [path],
          page: null,
        }),
      )
    }
  }

  #addSection(
    above: PlacedSection | null,
    wanted: string,
    rest: Pick<PlacedSection, 'id' | 'source' | 'title' | 'description' | 'earlierPaths' | 'page'>,
  ): PlacedSection {
    let parent = above
    while (parent !== null && parent.depth >= maxSectionDepth) parent = this.#sectionAbove(parent)
    const { urlname, path, isChanged } = this.#paths.take(parent?.path ?? '/', wanted)
    const section: PlacedSection = {
      ...rest,
      urlname,
      path,
      parent: parent?.id ?? null,
      depth: (parent?.depth ?? 0) + 1,
      taken: isChanged ? wanted : null,
    }
    this.#sections.push(section)
    return section
  }

  #sectionAbove({ parent }: PlacedSection): PlacedSection | null {
    return this.#sections.find(({ id }) => id === parent) ?? null
  }

  #idOf({ id }: IndexedItem): string {
    return derivedUuid(this.#index.site, 'post', id)
  }

  #urlnameOf({ id, slug, title }: IndexedItem, spare: string): string {
    return urlnameFrom(percentDecoded(slug), title, `${spare}-${id}`)
  }

  #placeItem(
    item: IndexedItem,
    section: PlacedSection | null,
    wanted: string,
    furtherCategories: readonly string[],
  ): void {
    const { urlname, path, isChanged } = this.#paths.take(section?.path ?? '/', wanted)
    this.#items.set(item.id, {
      id: this.#idOf(item),
      section,
      urlname,
      path,
      taken: isChanged ? wanted : null,
      furtherCategories,
    })
  }

  #placePost(item: IndexedItem): void {
    const categories = item.categories.filter((slug) => this.#byCategory.has(slug))
    const main = this.#mainCategory(item, categories)
    const implied = main === null ? new Set<string>() : new Set([main, ...(this.#above.get(main) ?? [])])
    this.#placeItem(
      item,
      main === null ? null : (this.#byCategory.get(main) ?? null),
      this.#urlnameOf(item, 'post'),
      categories.filter((slug) => !implied.has(slug)),
    )
  }

  /** The category that an editor has chosen, or that is in the address; else the first that no other is below. */
  #mainCategory({ mainCategory, link }: IndexedItem, categories: readonly string[]): string | null {
    if (categories.length < 2) return categories[0] ?? null
    const termIdOf = (slug: string) => this.#index.terms.get(keyOfTerm('category', slug))?.id
    const chosen = categories.find((slug) => mainCategory !== '' && termIdOf(slug) === mainCategory)
    if (chosen !== undefined) return chosen
    const names =
      addressParts(link)
        ?.path.split('/')
        .filter((name) => name !== '') ?? []
    const inAddress = categories.find((slug) => slug === names.at(-2))
    if (inAddress !== undefined) return inAddress
    const above = new Set(categories.flatMap((slug) => [...(this.#above.get(slug) ?? [])]))
    const lowest = categories.filter((slug) => !above.has(slug))
    return lowest.find((slug) => slug !== 'uncategorized') ?? lowest[0] ?? null
  }
}

/**
 * The sections and paths of an export. A page with pages below it is a section with the page in it; a category is a section. The
 * pages have their names before the categories, because these have other addresses in WordPress.
 */
export const placesOf = (index: SiteIndex): Places => new Placing(index).placed()
