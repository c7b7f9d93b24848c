/**
 * The writes of a chaos test: for each family of objects, the kinds of writes, and how an object is read. A write sets
 * several attributes to the same word, so that a read detects a write that was applied in part.
 */
import { jsonEqual, type Json, type JsonObject } from '@publishing-service/domain'
import { readFile, sha256Of, type FileValue } from '../durability/written-objects.js'
import { expectOk, itemsOf, objectsOf } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { one, type Targets, type Worker } from './write-targets.js'

export type Write<V extends Json> = {
  readonly kind: string
  /** What the name has once the write is applied; null where it is deleted. */
  readonly value: V | null
  readonly send: (api: Api) => Promise<ApiResponse>
  /** Statuses by which the service may reject it, because of what others write at the same time. */
  readonly rejections?: readonly number[]
}

/** What a worker knows when it chooses a write. */
export type Choice<V extends Json> = {
  readonly name: string
  readonly current: V | null
  readonly worker: Worker
  readonly targets: Targets
  /** The ids of a collection that workers have created and that exist, as far as nobody deletes them now. */
  readonly created: (collection: string) => readonly string[]
}

export type Family<V extends Json> = {
  /** How often it is chosen, in proportion to the others; 1 where left out. */
  readonly weight?: number
  /** Where names are ids of objects that workers create and delete: their collection. */
  readonly collection?: string
  /** Otherwise the names of one worker, which always exist. */
  readonly names?: (worker: Worker, targets: Targets) => readonly string[]
  /** Whether a process may use an outdated value for some seconds after another process changed it. */
  readonly isCached?: boolean
  readonly next: (choice: Choice<V>) => Write<V>
  /** What a name has now, past every cache. Throws where that is not the result of one write. */
  readonly read: (api: Api, name: string) => Promise<V | null>
}

const fresh = { 'Cache-Control': 'no-cache' }

const objectAt = async (api: Api, path: string): Promise<JsonObject | null> => {
  const answer = await api.get(path, fresh)
  return answer.status === 404 ? null : expectOk(answer).object
}

/** Throws unless the object has these values. */
const expectPart = (name: string, found: JsonObject, expected: JsonObject): void => {
  for (const [key, value] of Object.entries(expected))
    if (!jsonEqual(found[key] ?? null, value))
      throw new Error(
        `half-written: ${name} has ${key} ${JSON.stringify(found[key]).slice(0, 100)} beside ${JSON.stringify(expected).slice(0, 300)}`,
      )
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

/** True in so many of a hundred cases. */
const percent = (targets: Targets, share: number): boolean => targets.random.below(100) < share

const remove = (kind: string, path: string, rejections: readonly number[] = []) => ({
  kind,
  value: null,
  send: (api: Api) => api.delete(path),
  rejections,
})

type ContentValue = {
  readonly type: string
  readonly word: string
  readonly urlname: string
  readonly section: string | null
}

const contentWords = (type: string, word: string): JsonObject => ({
  title: word,
  description: word.repeat(20),
  content: `<p>${word.repeat(200)}</p>`,
  ...(type === 'recipe' ? { recipe_yield: word, recipe_ingredients: [word, word] } : {}),
  ...(type === 'review_book'
    ? { book_title: word, book_provider_urls: [`https://example.org/${word}`] }
    : {}),
  ...(type === 'event'
    ? { location_alt: word, prices: word, ticket_urls: [{ url: 'https://example.org/', link_text: word }] }
    : {}),
})

const contentBody = ({ type, word, urlname, section }: ContentValue): JsonObject => ({
  content_type: type,
  state: 'published',
  urlname,
  section_uuid: section,
  ...(type === 'event' ? { dtstart: '2030-01-01T10:00:00' } : {}),
  ...contentWords(type, word),
})

/** Sections that content and sections move to; another worker may delete or move them at the same time. */
const sectionsFor = <V extends Json>({ created, targets }: Choice<V>): readonly (string | null)[] => [
  null,
  ...targets.workers.map(({ section }) => section),
  ...created('sections'),
]

const contentFamily: Family<ContentValue> = {
  weight: 4,
  collection: 'content',
  next: (choice) => {
    const { name, current, targets } = choice
    const { random, word } = targets
    const path = `/content/${name}`
    if (current === null) {
      const type = one(random, ['article', 'article', 'recipe', 'review_book', 'event'])
      const value = { type, word: word(), urlname: name, section: one(random, sectionsFor(choice)) }
      const send = (api: Api) => api.put(path, contentBody(value))
      return { kind: 'create content', value, send, rejections: [400] }
    }
    const kind = random.below(10)
    if (kind === 0) return remove('delete content', path)
    if (kind <= 2) {
      const value = { ...current, section: one(random, sectionsFor(choice)) }
      const body = { section_uuid: value.section }
      // A urlname can be taken in the other section.
      return { kind: 'move content', value, send: (api) => api.patch(path, body), rejections: [400] }
    }
    if (kind === 3) {
      const urlname = current.type === 'event' ? `event-${word()}` : `contested-${random.below(3)}`
      const value = { ...current, urlname }
      return { kind: 'rename content', value, send: (api) => api.patch(path, { urlname }), rejections: [400] }
    }
    const value = { ...current, word: word() }
    return kind <= 5
      ? { kind: 'replace content', value, send: (api) => api.put(path, contentBody(value)) }
      : {
          kind: 'change content',
          value,
          send: (api) => api.patch(path, contentWords(value.type, value.word)),
        }
  },
  read: async (api, name) => {
    const found = await objectAt(api, `/content/${name}`)
    if (found === null) return null
    const value = {
      type: textOf(found['content_type']),
      word: textOf(found['title']),
      urlname: textOf(found['urlname']),
      section: textOrNull(found['section_uuid']),
    }
    expectPart(name, found, contentBody(value))
    return value
  },
}

type SectionValue = { readonly word: string; readonly parent: string | null }

const sectionWords = (word: string): JsonObject => ({ title: word, meta_title: word, meta_keywords: word })

const sectionFamily: Family<SectionValue> = {
  weight: 2,
  collection: 'sections',
  next: (choice) => {
    const { name, current, targets } = choice
    const { random, word } = targets
    const path = `/sections/${name}`
    const parents = sectionsFor(choice).filter((id) => id !== name)
    if (current === null) {
      const value = { word: word(), parent: one(random, parents) }
      const body = { urlname: name, parent_uuid: value.parent, ...sectionWords(value.word) }
      return { kind: 'create section', value, send: (api) => api.put(path, body), rejections: [400] }
    }
    const kind = random.below(6)
    if (kind === 0) return remove('delete section', path, [409])
    if (kind <= 2) {
      const value = { ...current, parent: one(random, parents) }
      const body = { parent_uuid: value.parent }
      return { kind: 'move section', value, send: (api) => api.patch(path, body), rejections: [400] }
    }
    const value = { ...current, word: word() }
    return { kind: 'change section', value, send: (api) => api.patch(path, sectionWords(value.word)) }
  },
  read: async (api, name) => {
    const found = await objectAt(api, `/sections/${name}`)
    if (found === null) return null
    const word = textOf(found['title'])
    expectPart(name, found, { urlname: name, ...sectionWords(word) })
    return { word, parent: textOrNull(found['parent_uuid']) }
  },
}

/** Sections of all workers that move below each other, by their parents: no move may make a cycle. */
const treeFamily: Family<string> = {
  names: ({ section }) => [section],
  next: ({ name, targets }) => {
    const value = one(targets.random, [
      null,
      ...targets.workers.map(({ section }) => section).filter((id) => id !== name),
    ])
    return {
      kind: 'move section below another worker’s',
      value,
      send: (api) => api.patch(`/sections/${name}`, { parent_uuid: value }),
      rejections: [400],
    }
  },
  read: async (api, name) => textOrNull((await objectAt(api, `/sections/${name}`))?.['parent_uuid']),
}

const sharedAttributes = [
  'kicker',
  'sub_title',
  'meta_title',
  'meta_description',
  'description',
  'print_description',
]

/** One attribute of one article for each worker: writes of different attributes all survive. */
const attributeFamily: Family<string> = {
  names: ({ index }, { article }) => {
    const attribute = sharedAttributes[index]
    return attribute === undefined ? [] : [`${article} ${attribute}`]
  },
  next: ({ name, targets }) => {
    const [id = '', attribute = ''] = name.split(' ')
    const value = targets.word()
    return {
      kind: 'change one attribute of a shared article',
      value,
      send: (api) => api.patch(`/content/${id}`, { [attribute]: value }),
    }
  },
  read: async (api, name) => {
    const [id = '', attribute = ''] = name.split(' ')
    return textOrNull((await objectAt(api, `/content/${id}`))?.[attribute])
  },
}

type SlotValue = { readonly relevance: string; readonly display: string | null }

const defaultSlot = { relevance: 'inline', display: null }

const slotFamily: Family<SlotValue> = {
  names: ({ article, slot }) => [`/content/${article}/slots/${slot}`],
  next: ({ name, targets }) => {
    if (percent(targets, 20)) return { kind: 'reset slot', value: null, send: (api) => api.delete(name) }
    const value = one<SlotValue>(targets.random, [
      { relevance: 'aside', display: null },
      { relevance: 'inline', display: 'carousel' },
      { relevance: 'inline', display: 'gallery' },
    ])
    return { kind: 'configure slot', value, send: (api) => api.put(name, value) }
  },
  read: async (api, name) => {
    const { relevance, display } = expectOk(await api.get(name, fresh)).object
    const value = { relevance: textOf(relevance), display: textOrNull(display) }
    return jsonEqual(value, defaultSlot) ? null : value
  },
}

const medium = (word: string): JsonObject => ({ type: 'embed', title: word, embed_code: `<i>${word}</i>` })

const mostMedia = 12

/** The words of an article’s media; null where it has none. */
const mediaFamily: Family<readonly string[]> = {
  names: ({ renamed }) => [`/content/${renamed}/media`],
  next: ({ name, current, targets }) => {
    const words = current ?? []
    const word = targets.word()
    if (words.length < mostMedia && percent(targets, 50))
      return { kind: 'add medium', value: [...words, word], send: (api) => api.post(name, medium(word)) }
    const value = Array.from({ length: 5 }, () => word)
    return { kind: 'replace media', value, send: (api) => api.put(name, { items: value.map(medium) }) }
  },
  read: async (api, name) => {
    const items = objectsOf(await api.get(name, fresh))
    const words = items.map((item) => {
      const word = textOf(item['title'])
      expectPart(name, item, { embed_code: `<i>${word}</i>` })
      return word
    })
    return words.length === 0 ? null : words
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

type LocationValue = { readonly word: string; readonly images: number }

const locationFamily: Family<LocationValue> = {
  collection: 'locations',
  next: ({ name, current, targets }) => {
    const { random, word, images } = targets
    const path = `/locations/${name}`
    if (current === null) {
      const value = { word: word(), images: 0 }
      const body = { urlname: name, coupon_img_uuid: one(random, images), ...locationWords(value.word) }
      return { kind: 'create listing with coupon', value, send: (api) => api.put(path, body) }
    }
    if (percent(targets, 15)) return remove('delete location', path)
    if (percent(targets, 30)) {
      const chosen = images.slice(0, random.below(images.length + 1))
      return {
        kind: 'replace listing images',
        value: { ...current, images: chosen.length },
        send: (api) => api.put(`${path}/listing_images`, { items: chosen.map((uuid) => ({ uuid })) }),
      }
    }
    const value = { ...current, word: word() }
    return {
      kind: 'change listing and coupon',
      value,
      send: (api) => api.patch(path, locationWords(value.word)),
    }
  },
  read: async (api, name) => {
    const found = await objectAt(api, `/locations/${name}`)
    if (found === null) return null
    const word = textOf(found['title'])
    expectPart(name, found, { urlname: name, ...locationWords(word) })
    if (textOrNull(found['coupon_img_url']) === null)
      throw new Error(`half-written: ${name} has no coupon image`)
    const images = itemsOf(await api.get(`/locations/${name}/listing_images`, fresh)).length
    return { word, images }
  },
}

const zip = { 'Content-Type': 'application/zip' }
const mostBytes = 400_000

const fileFamily: Family<FileValue> = {
  weight: 3,
  collection: 'files',
  next: ({ name, current, targets }) => {
    const { random, word } = targets
    const path = `/files/${name}`
    if (current === null) {
      const value = { title: word(), sha256: null }
      const body = { title: value.title, filename: `${value.title}.bin` }
      return { kind: 'create file', value, send: (api) => api.put(path, body) }
    }
    if (percent(targets, 12)) return remove('delete file', path)
    if (percent(targets, 15)) {
      const value = { ...current, title: word() }
      const body = { title: value.title, filename: `${value.title}.bin` }
      return { kind: 'change file', value, send: (api) => api.patch(path, body) }
    }
    const data = random.bytes(1 + random.below(mostBytes))
    return {
      kind: current.sha256 === null ? 'upload data' : 'upload new data',
      value: { ...current, sha256: sha256Of(data) },
      send: (api) => api.send('POST', path, { body: data, headers: zip }),
    }
  },
  read: readFile,
}

const tagWords = (word: string): JsonObject => ({
  last_name_or_title: word,
  first_name: word,
  description: word.repeat(20),
  synonyms: [word, `${word} too`],
})

const tagFamily: Family<string> = {
  collection: 'tags',
  next: ({ name, current, targets }) => {
    const path = `/tags/${name}`
    const value = targets.word()
    if (current === null) {
      const body = { urlname: name, type: 'person', ...tagWords(value) }
      return { kind: 'create tag', value, send: (api) => api.put(path, body) }
    }
    if (percent(targets, 20)) return remove('delete tag', path)
    return { kind: 'change tag', value, send: (api) => api.patch(path, tagWords(value)) }
  },
  read: async (api, name) => {
    const found = await objectAt(api, `/tags/${name}`)
    if (found === null) return null
    const word = textOf(found['last_name_or_title'])
    expectPart(name, found, { urlname: name, ...tagWords(word) })
    return word
  },
}

/** Taggings of the article that all workers write to; the object’s own list of tags has to agree. */
const taggingFamily: Family<boolean> = {
  names: ({ tags }, { article }) =>
    tags.flatMap((tag) =>
      ['describes', 'authored'].map((predicate) => `/tags/${tag}/${predicate}/${article}`),
    ),
  next: ({ name, current }) =>
    current === null
      ? { kind: 'attach tag', value: true, send: (api) => api.put(name, {}) }
      : { kind: 'detach tag', value: null, send: (api) => api.delete(name) },
  read: async (api, name) => {
    const [, , tag = '', predicate = '', object = ''] = name.split('/')
    const answer = await api.get(name, fresh)
    const isAttached = answer.status !== 404 && expectOk(answer).status === 200
    const listed = objectsOf(await api.get(`/content/${object}/tags/${predicate}`, fresh))
    if (listed.some(({ uuid }) => uuid === tag) !== isAttached)
      throw new Error(
        `half-written: ${name} is ${isAttached ? '' : 'not '}attached, the list of tags differs`,
      )
    return isAttached ? true : null
  },
}

const membersFamily: Family<readonly string[]> = {
  names: ({ category }) => [`/tags/categories/${category}/tags`],
  next: ({ name, current, worker: { tags }, targets: { random } }) => {
    const members = current ?? []
    const missing = tags.filter((tag) => !members.includes(tag))
    if (missing.length > 0 && random.below(2) === 0) {
      const tag = one(random, missing)
      return {
        kind: 'add category member',
        value: [...members, tag],
        send: (api) => api.post(name, { tag_uuid: tag }),
      }
    }
    const chosen = tags.filter(() => random.below(2) === 0).toReversed()
    return {
      kind: 'replace category members',
      value: chosen.length === 0 ? null : chosen,
      send: (api) => api.put(name, { items: chosen.map((uuid) => ({ tag_uuid: uuid })) }),
    }
  },
  read: async (api, name) => {
    const rows = itemsOf(await api.get(`${name}?fields=uuid`, fresh)).map((row) =>
      textOf(Array.isArray(row) ? row[0] : null),
    )
    return rows.length === 0 ? null : rows
  },
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const storiesFamily: Family<string> = {
  names: ({ index }) => {
    const day = weekdays[index]
    return day === undefined
      ? []
      : ['headline_stories', 'featured_stories'].map((list) => `/homepage/${day}/${list}`)
  },
  next: ({ name, worker, targets }) => {
    const value = targets.word()
    const items = Array.from({ length: 4 }, () => ({
      type: 'content',
      link_uuid: worker.article,
      title: value,
      description: value,
    }))
    return { kind: 'replace homepage stories', value, send: (api) => api.put(name, { auto: false, items }) }
  },
  read: async (api, name) => {
    const items = objectsOf(await api.get(name, fresh))
    if (items.length === 0) return null
    const word = textOf(items[0]?.['title'])
    if (items.length !== 4) throw new Error(`half-written: ${name} has ${items.length} stories`)
    for (const item of items) expectPart(name, item, { title: word, description: word })
    return word
  },
}

type PathValue = { readonly urlname: string; readonly earlier: readonly string[] }

const mostPaths = 12

/** The urlname of a published article with its earlier paths: a change of the one adds to the others. */
const pathFamily: Family<PathValue> = {
  names: ({ renamed }) => [`/content/${renamed}`],
  next: ({ name, current, targets }) => {
    if (current === null) throw new Error(`${name} was deleted`)
    const { urlname, earlier } = current
    const word = targets.word()
    const path = `/earlier/${word}/`
    const history = `${name}/path_history`
    if (earlier.length >= mostPaths)
      return {
        kind: 'replace earlier paths',
        value: { urlname, earlier: [path] },
        send: (api) => api.put(history, { items: [{ path }] }),
      }
    return percent(targets, 40)
      ? {
          kind: 'add earlier path',
          value: { urlname, earlier: [...earlier, path] },
          send: (api) => api.post(history, { path }),
        }
      : {
          kind: 'rename published article',
          value: { urlname: word, earlier: [`/${urlname}/`, ...earlier] },
          send: (api) => api.patch(name, { urlname: word }),
        }
  },
  read: async (api, name) => {
    const found = await objectAt(api, name)
    if (found === null) return null
    const urlname = textOf(found['urlname'])
    const earlier = objectsOf(await api.get(`${name}/path_history`, fresh)).map(({ path }) => textOf(path))
    return { urlname, earlier }
  },
}

const settingNames = ['title', 'language'] as const

const settingsFamily: Family<string> = {
  isCached: true,
  names: ({ index }) => settingNames.slice(index, index + 1),
  next: ({ name, targets }) => {
    const value =
      name === 'title' ? targets.word() : one(targets.random, ['de', 'fr', 'it', 'es', 'pt', 'nl'])
    return { kind: 'change settings', value, send: (api) => api.patch('/settings', { [name]: value }) }
  },
  read: async (api, name) => textOf(expectOk(await api.get('/settings', fresh)).object[name]),
}

const blogFamily: Family<string> = {
  // A blog can’t be deleted.
  names: ({ article }) => [article],
  next: ({ name, current, targets }) => {
    const value = targets.word()
    const body = { title: value, urlname: name, description: value.repeat(50) }
    const kind = current === null ? 'create blog' : 'replace blog'
    return { kind, value, send: (api) => api.put(`/blogs/${name}`, body) }
  },
  read: async (api, name) => {
    const found = await objectAt(api, `/blogs/${name}`)
    if (found === null) return null
    const word = textOf(found['title'])
    expectPart(name, found, { description: word.repeat(50) })
    return word
  },
}

/** Calls `use` with each family as the type of its values is. */
export const eachFamily = <A>(use: <V extends Json>(family: Family<V>) => A): readonly A[] => [
  use(contentFamily),
  use(sectionFamily),
  use(treeFamily),
  use(attributeFamily),
  use(slotFamily),
  use(mediaFamily),
  use(locationFamily),
  use(fileFamily),
  use(tagFamily),
  use(taggingFamily),
  use(membersFamily),
  use(storiesFamily),
  use(pathFamily),
  use(settingsFamily),
  use(blogFamily),
]
