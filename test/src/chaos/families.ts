/**
 * The writes of a chaos test: for each family of objects, the kinds of writes. A write sets several attributes to the
 * same unique word, so that an object that contains parts of two writes is detected.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import { articleWith, embedWith, readFile, readObject, sha256Of } from '../durability/written-objects.js'
import { itemsOf, objectsOf } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { idOf } from '../harness/object-writer.js'
import type { Value } from './ledger.js'
import { one, type Targets, type Worker } from './write-targets.js'

export type Write = {
  readonly kind: string
  /** The attributes after the write; null if it deletes the object. */
  readonly value: Value
  readonly send: (api: Api) => Promise<ApiResponse>
  /** Statuses by which the service may reject the write because of concurrent writes. */
  readonly rejections?: readonly number[] | undefined
}

export type Choice = {
  /** The path of the object, possibly followed by `#` and an attribute. */
  readonly name: string
  readonly current: Value
  readonly worker: Worker
  readonly targets: Targets
  /** The ids of existing objects of a collection that workers have created. Another worker may delete them. */
  readonly created: (collection: string) => readonly string[]
}

export type Family = {
  /** How often the family is chosen, relative to the others. Default: 1. */
  readonly weight?: number
  /** The collection of objects that workers create and delete. */
  readonly collection?: string
  /** Instead of a collection: the names that a worker writes, with their initial values. */
  readonly names?: (worker: Worker, targets: Targets) => Readonly<Record<string, Value>>
  /** Whether a process may return a value for some seconds after another process has changed it. */
  readonly isCached?: boolean
  readonly next: (choice: Choice) => Write
  /** Reads the current value without caches. Default: the object at the path. */
  readonly read?: (api: Api, name: string) => Promise<Json>
}

/** Bypasses all caches. */
export const fresh = { 'Cache-Control': 'no-cache' } as const

/** The path in the name of an object or attribute. */
export const pathOf = (name: string): string => name.split('#')[0] ?? ''
const attributeOf = (name: string): string => name.split('#')[1] ?? ''

const percent = ({ random }: Targets, share: number): boolean => random.below(100) < share

type Rejections = readonly number[]

const put = (kind: string, path: string, value: JsonObject, rejections?: Rejections): Write => ({
  kind,
  value,
  send: (api) => api.put(path, value),
  rejections,
})

const patch = (
  kind: string,
  { name, current }: Choice,
  changes: JsonObject,
  rejections?: Rejections,
): Write => ({
  kind,
  value: { ...current, ...changes },
  send: (api) => api.patch(pathOf(name), changes),
  rejections,
})

const remove = (kind: string, path: string, rejections?: Rejections): Write => ({
  kind,
  value: null,
  send: (api) => api.delete(path),
  rejections,
})

const contentWords = (type: Json | undefined, word: string): JsonObject => ({
  ...articleWith(word),
  ...(type === 'recipe' ? { recipe_yield: word, recipe_ingredients: [word, word] } : {}),
  ...(type === 'review_book'
    ? { book_title: word, book_provider_urls: [`https://example.org/${word}`] }
    : {}),
  ...(type === 'event'
    ? { location_alt: word, prices: word, ticket_urls: [{ url: 'https://example.org/', link_text: word }] }
    : {}),
})

/** A section for content or sections to move to. Another worker may delete or move it at the same time. */
const chooseSection = ({ name, created, targets: { random, workers } }: Choice): string | null =>
  one(
    random,
    [null, ...workers.map(({ section }) => section), ...created('sections')].filter(
      (id) => id === null || id !== idOf(name),
    ),
  )

const content: Family = {
  weight: 4,
  collection: 'content',
  next: (choice) => {
    const { name, current, targets } = choice
    const { random, word } = targets
    if (current === null) {
      const type = one(random, ['article', 'article', 'recipe', 'review_book', 'event'])
      const value = {
        content_type: type,
        state: 'published',
        urlname: idOf(name),
        section_uuid: chooseSection(choice),
        ...(type === 'event' ? { dtstart: '2030-01-01T10:00:00' } : {}),
        ...contentWords(type, word()),
      }
      return put('create content', name, value, [400])
    }
    const type = current['content_type']
    const kind = random.below(10)
    if (kind === 0) return remove('delete content', name)
    // The other section may contain the same urlname.
    if (kind <= 2) return patch('move content', choice, { section_uuid: chooseSection(choice) }, [400])
    if (kind === 3) {
      const urlname = type === 'event' ? `event-${word()}` : `contested-${random.below(3)}`
      return patch('rename content', choice, { urlname }, [400])
    }
    const words = contentWords(type, word())
    return kind <= 5
      ? put('replace content', name, { ...current, ...words })
      : patch('change content', choice, words)
  },
}

const sections: Family = {
  weight: 2,
  collection: 'sections',
  next: (choice) => {
    const { name, current, targets } = choice
    const word = targets.word()
    const words = { title: word, meta_title: word, meta_keywords: word }
    const parent_uuid = chooseSection(choice)
    if (current === null)
      return put('create section', name, { urlname: idOf(name), parent_uuid, ...words }, [400])
    const kind = targets.random.below(6)
    if (kind === 0) return remove('delete section', name, [409])
    return kind <= 2
      ? patch('move section', choice, { parent_uuid }, [400])
      : patch('change section', choice, words)
  },
}

/** The names of single attributes at a path, with their initial values. */
const attributesAt = (path: string, values: JsonObject): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(values).map(([attribute, value]) => [`${path}#${attribute}`, { [attribute]: value }]),
  )

/** Moves each worker’s section below the section of another worker. No concurrent moves may create a cycle. */
const sectionTree: Family = {
  names: ({ section }) => ({ [`/sections/${section}`]: { parent_uuid: null } }),
  next: (choice) => {
    const others = choice.targets.workers.filter(({ section }) => section !== choice.worker.section)
    const parent_uuid = one(choice.targets.random, [null, ...others.map(({ section }) => section)])
    return patch('move section below another worker’s', choice, { parent_uuid }, [400])
  },
}

/** One attribute of the shared article per worker: no write may undo that of another attribute. */
const sharedArticle: Family = {
  names: ({ sharedAttribute }, { article }) => attributesAt(`/content/${article}`, sharedAttribute),
  next: (choice) =>
    patch('change one attribute of a shared article', choice, {
      [attributeOf(choice.name)]: choice.targets.word(),
    }),
}

const defaultSlot = { relevance: 'inline', display: null }

const slots: Family = {
  names: ({ article, slot }) => ({ [`/content/${article}/slots/${slot}`]: defaultSlot }),
  next: ({ name, targets }) =>
    percent(targets, 20)
      ? { ...remove('reset slot', name), value: defaultSlot }
      : put(
          'configure slot',
          name,
          one<JsonObject>(targets.random, [
            { relevance: 'aside', display: null },
            { relevance: 'inline', display: 'carousel' },
            { relevance: 'inline', display: 'gallery' },
          ]),
        ),
}

const listOf = (current: Value): readonly Json[] => {
  const items = current?.['items']
  return Array.isArray(items) ? items : []
}

const maxMedia = 12

const media: Family = {
  names: ({ renamed }) => ({ [`/content/${renamed}/media`]: { items: [] } }),
  next: ({ name, current, targets }) => {
    const items = listOf(current)
    const added = embedWith(targets.word())
    return items.length < maxMedia && percent(targets, 50)
      ? {
          kind: 'add medium',
          value: { items: [...items, added] },
          send: (api) => api.post(name, added),
        }
      : put('replace media', name, { items: Array.from({ length: 5 }, () => added) })
  },
}

const locationWords = (word: string): JsonObject => ({
  title: word,
  description: word.repeat(20),
  street: word,
  is_listing: true,
  contact_person: word,
  coupon_title: word,
  coupon_description: word.repeat(50),
})

const locations: Family = {
  collection: 'locations',
  next: (choice) => {
    const { name, current, targets } = choice
    const { random, word, images } = targets
    if (current === null) {
      const body = { urlname: idOf(name), coupon_img_uuid: one(random, images), ...locationWords(word()) }
      const write = put('create listing with coupon', name, body)
      return { ...write, value: { ...body, images: 0, hasCouponImage: true } }
    }
    if (percent(targets, 15)) return remove('delete location', name)
    if (percent(targets, 30)) {
      const chosen = images.slice(0, random.below(images.length + 1))
      return {
        kind: 'replace listing images',
        value: { ...current, images: chosen.length },
        send: (api) => api.put(`${name}/listing_images`, { items: chosen.map((uuid) => ({ uuid })) }),
      }
    }
    return patch('change listing and coupon', choice, locationWords(word()))
  },
  read: async (api, name) => {
    const found = await readObject(api, name)
    if (found === null) return null
    const images = itemsOf(await api.get(`${name}/listing_images`, fresh)).length
    return { ...found, images, hasCouponImage: typeof found['coupon_img_url'] === 'string' }
  },
}

const maxBytes = 400_000

const files: Family = {
  weight: 3,
  collection: 'files',
  next: (choice) => {
    const { name, current, targets } = choice
    const { random } = targets
    const title = targets.word()
    const body = { title, filename: `${title}.bin` }
    if (current === null) return { ...put('create file', name, body), value: { title, sha256: null } }
    if (percent(targets, 12)) return remove('delete file', name)
    if (percent(targets, 15)) return { ...patch('change file', choice, body), value: { ...current, title } }
    const data = random.bytes(1 + random.below(maxBytes))
    return {
      kind: current['sha256'] === null ? 'upload data' : 'upload new data',
      value: { ...current, sha256: sha256Of(data) },
      send: (api) => api.send('POST', name, { body: data, headers: { 'Content-Type': 'application/zip' } }),
    }
  },
  read: (api, name) => readFile(api, idOf(name)),
}

const tags: Family = {
  collection: 'tags',
  next: (choice) => {
    const { name, current, targets } = choice
    const word = targets.word()
    const words = {
      last_name_or_title: word,
      first_name: word,
      description: word.repeat(20),
      synonyms: [word, `${word} too`],
    }
    if (current === null) return put('create tag', name, { urlname: idOf(name), type: 'person', ...words })
    return percent(targets, 20) ? remove('delete tag', name) : patch('change tag', choice, words)
  },
}

/** Taggings of the shared article. The article’s list of tags must agree. */
const taggings: Family = {
  names: (worker, { article }) =>
    Object.fromEntries(
      worker.tags.flatMap((tag) =>
        ['describes', 'authored'].map((predicate) => [`/tags/${tag}/${predicate}/${article}`, null]),
      ),
    ),
  next: ({ name, current }) =>
    current === null
      ? { kind: 'attach tag', value: { isListed: true }, send: (api) => api.put(name, {}) }
      : remove('detach tag', name),
  read: async (api, name) => {
    const [, , tag = '', predicate = '', article = ''] = name.split('/')
    const isAttached = (await readObject(api, name)) !== null
    const listed = objectsOf(await api.get(`/content/${article}/tags/${predicate}`, fresh))
    const isListed = listed.some(({ uuid }) => uuid === tag)
    return isAttached || isListed ? { isListed: isAttached && isListed } : null
  },
}

const categoryMembers: Family = {
  names: ({ category }) => ({ [`/tags/categories/${category}/tags`]: { items: [] } }),
  next: ({ name, current, worker, targets: { random } }) => {
    const members = listOf(current).flat()
    const missing = worker.tags.filter((tag) => !members.includes(tag))
    const valueOf = (ids: readonly Json[]): JsonObject => ({ items: ids.map((uuid) => [uuid]) })
    if (missing.length > 0 && random.below(2) === 0) {
      const tag = one(random, missing)
      return {
        kind: 'add category member',
        value: valueOf([...members, tag]),
        send: (api) => api.post(name, { tag_uuid: tag }),
      }
    }
    const chosen = worker.tags.filter(() => random.below(2) === 0).toReversed()
    return {
      kind: 'replace category members',
      value: valueOf(chosen),
      send: (api) => api.put(name, { items: chosen.map((uuid) => ({ tag_uuid: uuid })) }),
    }
  },
  read: (api, name) => readObject(api, `${name}?fields=uuid`),
}

const homepageStories: Family = {
  names: ({ stories }) => Object.fromEntries(stories.map((path) => [path, { items: [] }])),
  next: ({ name, worker, targets }) => {
    const word = targets.word()
    const story = { type: 'content', link_uuid: worker.article, title: word, description: word }
    const value = { items: Array.from({ length: 4 }, () => story) }
    const send = (api: Api) => api.put(name, { auto: false, ...value })
    return { kind: 'replace homepage stories', value, send }
  },
}

const maxPaths = 12

/** The urlname of a published article and its earlier paths. A change of the urlname adds an earlier path. */
const earlierPaths: Family = {
  names: ({ renamed }) => ({ [`/content/${renamed}`]: { urlname: renamed, items: [] } }),
  next: ({ name, current, targets }) => {
    const earlier = listOf(current)
    const urlname = targets.word()
    const added = { path: `/earlier/${urlname}/` }
    const history = `${name}/path_history`
    if (earlier.length >= maxPaths)
      return {
        kind: 'replace earlier paths',
        value: { ...current, items: [added] },
        send: (api) => api.put(history, { items: [added] }),
      }
    if (percent(targets, 40))
      return {
        kind: 'add earlier path',
        value: { ...current, items: [...earlier, added] },
        send: (api) => api.post(history, added),
      }
    return {
      kind: 'rename published article',
      value: { urlname, items: [{ path: `/${String(current?.['urlname'])}/` }, ...earlier] },
      send: (api) => api.patch(name, { urlname }),
    }
  },
  read: async (api, name) => ({
    ...(await readObject(api, name)),
    items: objectsOf(await api.get(`${name}/path_history`, fresh)),
  }),
}

const settings: Family = {
  isCached: true,
  names: ({ setting }) => attributesAt('/settings', setting),
  next: (choice) => {
    const attribute = attributeOf(choice.name)
    const { random, word } = choice.targets
    const value = attribute === 'title' ? word() : one(random, ['de', 'fr', 'it', 'es', 'pt', 'nl'])
    return patch('change settings', choice, { [attribute]: value })
  },
}

/** Blogs are never deleted. */
const blogs: Family = {
  names: ({ article }) => ({ [`/blogs/${article}`]: null }),
  next: ({ name, current, targets }) => {
    const title = targets.word()
    const kind = current === null ? 'create blog' : 'replace blog'
    return put(kind, name, { title, urlname: idOf(name), description: title.repeat(50) })
  },
}

export const families: readonly Family[] = [
  content,
  sections,
  sectionTree,
  sharedArticle,
  slots,
  media,
  locations,
  files,
  tags,
  taggings,
  categoryMembers,
  homepageStories,
  earlierPaths,
  settings,
  blogs,
]
