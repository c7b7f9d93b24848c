/**
 * The writes of clients whose service is killed: for each family of objects, the kinds of writes. A write sets several
 * attributes to the same unique word, so that an object that contains parts of two writes is detected.
 */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { articleWith, embedWith, readFile, readObject, sha256Of } from './written-objects.js'
import { objectsOf } from '../harness/expect-response.js'
import { idOf } from '../harness/object-writer.js'
import type { Value } from './ledger.js'
import { singleComments, threads } from './comment-families.js'
import { drafts } from './draft-family.js'
import {
  attributeOf,
  fresh,
  listOf,
  patch,
  percent,
  put,
  remove,
  type Choice,
  type Family,
} from './family.js'
import { one } from './fixed-objects.js'

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

/** A name that several workers want at the same time. */
const contestedName = ({ targets: { random } }: Choice): string => `contested-${random.below(3)}`

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
      return put(name, value, [400])
    }
    const type = current['content_type']
    const kind = random.below(10)
    if (kind === 0) return remove(name)
    // The other section may contain the same urlname.
    if (kind <= 2) return patch(choice, { section_uuid: chooseSection(choice) }, [400])
    if (kind === 3) {
      const urlname = type === 'event' ? `event-${word()}` : contestedName(choice)
      return patch(choice, { urlname }, [400])
    }
    const words = contentWords(type, word())
    return kind <= 5 ? put(name, { ...current, ...words }) : patch(choice, words)
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
    if (current === null) return put(name, { urlname: idOf(name), parent_uuid, ...words }, [400])
    const kind = targets.random.below(7)
    if (kind === 0) return remove(name, [409])
    if (kind === 3) return patch(choice, { urlname: contestedName(choice) }, [400])
    return kind <= 2 ? patch(choice, { parent_uuid }, [400]) : patch(choice, words)
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
    return patch(choice, { parent_uuid }, [400])
  },
}

/** Two articles that want three names: they take over the names of each other at the same time. */
const swappedNames: Family = {
  weight: 2,
  names: ({ swapped }) => ({ [`/content/${swapped}`]: { urlname: swapped, section_uuid: null } }),
  next: (choice) => {
    const { targets, worker } = choice
    const name = one(targets.random, ['left', 'right', 'spare'])
    return patch(choice, { urlname: `${name}-${Math.floor(worker.index / 2)}` }, [400])
  },
}

const tags: Family = {
  collection: 'tags',
  next: (choice) => {
    const { name, current, targets } = choice
    const word = targets.word()
    const words = { last_name_or_title: word, description: word, content: `<p>${word}</p>` }
    if (current === null) return put(name, { urlname: idOf(name), ...words })
    const kind = targets.random.below(6)
    if (kind === 0) return remove(name)
    return kind === 1 ? patch(choice, { urlname: contestedName(choice) }, [400]) : patch(choice, words)
  },
}

/** One attribute of the shared article per worker: no write may undo that of another attribute. */
const sharedArticle: Family = {
  names: ({ sharedAttribute }, { article }) => attributesAt(`/content/${article}`, sharedAttribute),
  next: (choice) =>
    patch(choice, {
      [attributeOf(choice.name)]: choice.targets.word(),
    }),
}

const maxMedia = 12

const media: Family = {
  names: ({ renamed }) => ({ [`/content/${renamed}/media`]: { items: [] } }),
  next: ({ name, current, targets }) => {
    const items = listOf(current)
    const added = embedWith(targets.word())
    return items.length < maxMedia && percent(targets, 50)
      ? {
          value: { items: [...items, added] },
          send: (api) => api.post(name, added),
        }
      : put(name, { items: Array.from({ length: 5 }, () => added) })
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
    if (current === null) return { ...put(name, body), value: { title, sha256: null } }
    if (percent(targets, 12)) return remove(name)
    if (percent(targets, 15)) return { ...patch(choice, body), value: { ...current, title } }
    const data = random.bytes(1 + random.below(maxBytes))
    return {
      value: { ...current, sha256: sha256Of(data) },
      send: (api) => api.send('POST', name, { body: data, headers: { 'Content-Type': 'application/zip' } }),
    }
  },
  read: (api, name) => readFile(api, idOf(name)),
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
    current === null ? { value: { isListed: true }, send: (api) => api.put(name, {}) } : remove(name),
  read: async (api, name) => {
    const [, , tag = '', predicate = '', article = ''] = name.split('/')
    const isAttached = (await readObject(api, name)) !== null
    const listed = objectsOf(await api.get(`/content/${article}/tags/${predicate}`, fresh))
    const isListed = listed.some(({ uuid }) => uuid === tag)
    return isAttached || isListed ? { isListed: isAttached && isListed } : null
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
        value: { ...current, items: [added] },
        send: (api) => api.put(history, { items: [added] }),
      }
    if (percent(targets, 40))
      return {
        value: { ...current, items: [...earlier, added] },
        send: (api) => api.post(history, added),
      }
    return {
      value: { urlname, items: [{ path: `/${String(current?.['urlname'])}/` }, ...earlier] },
      send: (api) => api.patch(name, { urlname }),
    }
  },
  read: async (api, name) => ({
    ...(await readObject(api, name)),
    items: objectsOf(await api.get(`${name}/path_history`, fresh)),
  }),
}

export const families: readonly Family[] = [
  content,
  sections,
  sectionTree,
  sharedArticle,
  media,
  files,
  taggings,
  earlierPaths,
  swappedNames,
  tags,
  drafts,
  singleComments,
  threads,
]
