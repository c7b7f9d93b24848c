/** Authors, tags, terms of other taxonomies, and further categories as tags. */
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { derivedUuid } from '../derived-uuid.js'
import { plainLine, plainText, shortened } from '../plain-text.js'
import { TakenPaths, urlnameFrom } from '../taken-paths.js'
import type { Places } from './places.js'
import { keyOfTerm, type SiteIndex } from './site-index.js'
import type { WxrAuthor } from './wxr.js'

const longestName = 255
const longestDescription = 10_000

export type Tags = {
  readonly records: readonly ImportRecord[]
  /** The UUIDs of tags: of authors by login, of terms by taxonomy and slug. */
  readonly byLogin: ReadonlyMap<string, string>
  readonly byTerm: ReadonlyMap<string, string>
}

const nameOf = ({ name, firstName, lastName, login }: WxrAuthor) => {
  const shown = shortened(plainLine(name) || login, longestName)
  // The name that a person has chosen to be shown is theirs, also if it is not made of the two others.
  return firstName !== '' && lastName !== '' && `${firstName} ${lastName}` === shown
    ? { first_name: firstName, last_name_or_title: lastName }
    : { last_name_or_title: shown }
}

/** A slug as WordPress makes it of a login, for the path of an author. */
const slugOfLogin = (login: string): string =>
  login
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, '')
    .replaceAll(/[\s-]+/g, '-')

class TagBuilder {
  readonly #index: SiteIndex
  readonly #paths = new TakenPaths()
  readonly records: ImportRecord[] = []
  readonly byLogin = new Map<string, string>()
  readonly byTerm = new Map<string, string>()

  constructor(index: SiteIndex) {
    this.#index = index
  }

  addAuthors(): void {
    const { site, sitePath, authors, writers } = this.#index
    for (const author of authors.values()) {
      if (!writers.has(author.login)) continue
      const id = derivedUuid(site, 'author', author.login)
      const { login } = author
      this.byLogin.set(login, id)
      // A login that is an e-mail address is not shown in a path.
      const slug = login.includes('@') ? '' : slugOfLogin(login)
      this.#add(id, 'author', login.includes('@') ? '' : login, {
        names: { type: 'person', ...nameOf(author) },
        title: plainLine(author.name) || 'author',
        urlname: '',
        description: author.description,
        earlierPath: slug === '' ? null : `${sitePath}/author/${slug}/`,
      })
    }
  }

  addTerms(furtherCategories: ReadonlySet<string>): void {
    const { site, sitePath, terms } = this.#index
    // Tags have their names before the terms that others have the name of.
    const all = [...terms.values()].toSorted(
      (one, other) => Number(one.taxonomy !== 'post_tag') - Number(other.taxonomy !== 'post_tag'),
    )
    for (const { taxonomy, slug, name, description } of all) {
      const isCategory = taxonomy === 'category'
      if (isCategory && !furtherCategories.has(slug)) continue
      const key = keyOfTerm(taxonomy, slug)
      const sameTag = this.byTerm.get(keyOfTerm('post_tag', slug))
      if (isCategory && sameTag !== undefined) {
        this.byTerm.set(key, sameTag)
        continue
      }
      const id = derivedUuid(site, `tag of ${taxonomy}`, slug)
      this.byTerm.set(key, id)
      const title = shortened(plainLine(name) || slug, longestName)
      this.#add(id, taxonomy, slug, {
        names: { type: 'default', last_name_or_title: title },
        title,
        urlname: slug,
        description: isCategory ? '' : description,
        earlierPath: taxonomy === 'post_tag' ? `${sitePath}/tag/${slug}/` : null,
      })
    }
  }

  #add(
    id: string,
    kind: string,
    sourceId: string,
    tag: {
      readonly names: Readonly<Record<string, string>>
      readonly title: string
      readonly urlname: string
      readonly description: string
      readonly earlierPath: string | null
    },
  ): void {
    const { names, title, urlname: slug, description, earlierPath } = tag
    const wanted = urlnameFrom(slug, title, kind)
    const { urlname, isChanged } = this.#paths.take('/tags/', wanted)
    const text = shortened(plainText(description), longestDescription)
    this.records.push(
      importRecord({
        origin: { source: `${kind} ${sourceId}`.trim(), title, line: null },
        notes: isChanged
          ? [fileNote('urlname', `urlname is ${urlname} instead of ${wanted}, which another tag has`)]
          : [],
        object: importedObject({
          collection: 'tags',
          id,
          attributes: { ...names, urlname, ...(text === '' ? {} : { description: text }) },
          earlier_paths: earlierPath === null ? [] : [earlierPath],
        }),
      }),
    )
  }
}

export const tagsOf = (index: SiteIndex, places: Places): Tags => {
  const builder = new TagBuilder(index)
  builder.addAuthors()
  builder.addTerms(new Set([...places.items.values()].flatMap((place) => place.furtherCategories)))
  return builder
}
