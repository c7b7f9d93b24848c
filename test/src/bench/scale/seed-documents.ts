/**
 * The documents of a large publication as the service stores them: the domain creates them from bodies that a client
 * could send. Document number n is the same in every size, so that the same request reads the same document.
 */
import {
  attachTag,
  blog,
  comment,
  completeWrite,
  content,
  changeOf,
  draftWrite,
  E,
  file,
  firstHomepage,
  homepage,
  location,
  nowIn,
  section,
  tag,
  tagCategory,
  treePath,
  uniqueTextOf,
  withComputed,
  type JsonObject,
  type Resource,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { FilledDocument } from '@publishing-service/adapter-sqlite'

/** How many objects there are of each kind. */
export type SeedSize = {
  readonly locations: number
  readonly content: number
  /** Of each other kind: comments, files, tags, sections, blogs, categories. */
  readonly others: number
  /** Tags on each location and content object. */
  readonly tagsEach: number
}

export const seededInstance = 7
export const settings = {
  timezone: 'UTC',
  directory_addon: true,
  website_url: 'https://www.example.org',
} as const

const id = (kind: string, number: number): string =>
  `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`
export const seeded = {
  section: (number: number) => id('a', number),
  blog: (number: number) => id('b', number),
  content: (number: number) => id('c', number),
  location: (number: number) => id('d', number),
  category: (number: number) => id('e', number),
  file: (number: number) => id('f', number),
  tag: (number: number) => id('1', number),
  comment: (number: number) => id('2', number),
} as const

/** Tags that objects carry, whatever the size; a tag cloud's cost goes by their number. */
export const carriedTags = 300
const topSections = 20
/** Files that content uses, whatever the size. */
const usedFiles = 300
const now = nowIn(settings.timezone, Date.UTC(2026, 0, 1))
const years = 12
/** Behind any day on which the bench runs. */
const later = '2090-01-01T00:00:00'
const context = { zone: settings.timezone, streamingHosts: [], strict: true } as const

/** A number below `limit` that looks random, the same for the same request. */
const drawn = (limit: number, number: number, request: number): number => {
  let state = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(request + 1, 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
  return ((state ^ (state >>> 15)) >>> 0) % limit
}

/** Objects come one after the other through some years, the last one a year ago. */
const dated = (share: number, shift = 0): string =>
  new Date(Date.UTC(2013, 0, 1) + share * years * 365 * 86_400_000 + shift * 1000).toISOString().slice(0, 19)

const adjectives = ['old', 'new', 'golden', 'green', 'quiet', 'little', 'upper', 'lower', 'red', 'white']
const nouns = ['market', 'harbour', 'garden', 'bridge', 'mill', 'tower', 'inn', 'theatre', 'station', 'well']
/** A word that is in one title of each resource. */
export const rareWordOf = (number: number): string => String(drawn(1_000_000_000, number, 3))

const titleOf = (number: number): string =>
  `The ${adjectives[drawn(10, number, 1)]} ${nouns[drawn(10, number, 2)]} ${rareWordOf(number)}`

/** The first tags are on many objects and most tags on few, as in life, but none is on no object. */
const tagNumbers = (number: number, count: number): ReadonlySet<number> =>
  new Set(
    Array.from({ length: count }, (_, index) => {
      const share = drawn(1_000_000, number, 10 + index) / 1_000_000
      return index % 2 === 0 ? Math.floor(carriedTags ** share) : 1 + Math.floor(carriedTags * share)
    }),
  )

const stateOf = (resource: Resource, number: string, input: JsonObject): JsonObject => {
  const command = {
    mode: 'put',
    id: number,
    input,
    previous: null,
    now,
    user: null,
    settings,
    context,
  } as const
  const { state, faults, supplied } = draftWrite(resource, command)
  if (faults.length > 0) throw new Error(`${resource.name}: ${JSON.stringify(faults)}`)
  return completeWrite(resource, state, changeOf(command, supplied))
}

const documentOf = (resource: Resource, number: string, value: JsonObject): FilledDocument => ({
  collection: resource.collection,
  instance: seededInstance,
  document: { id: number, unique: uniqueTextOf(resource, value), value },
})

const tagged = (resource: Resource, state: JsonObject, numbers: Iterable<number>): JsonObject => {
  let result = state
  for (const number of numbers) {
    const tagging = { tag: seeded.tag(number), predicate: 'describes' }
    const attached = attachTag(
      resource.collection as TaggableCollection,
      result,
      tagging,
      {},
      { now, context },
    )
    if (E.isLeft(attached)) throw new Error(JSON.stringify(attached.left))
    result = attached.right
  }
  return withComputed(resource, result)
}

/** Each tenth is sponsored, the others but half are plain listings; two thirds of the listings ended long ago. */
const windowOf = (number: number, total: number): JsonObject => {
  if (number > (total * 2) / 3 && drawn(20, number, 4) === 0) return { listing_start: later }
  return number <= (total * 2) / 3
    ? { listing_start: '2013-01-01', listing_expires: '2016-01-01' }
    : { listing_start: '2013-01-01', ...(drawn(2, number, 5) === 0 ? { listing_expires: later } : {}) }
}

const listingOf = (number: number, total: number): JsonObject => {
  const kind = drawn(10, number, 6)
  return kind > 5 ? {} : { is_listing: true, sponsored: kind === 0, ...windowOf(number, total) }
}

/** Each thousand locations are a town, about ten kilometres wide, so that the density does not depend on the size. */
const coordsOf = (number: number): readonly number[] => {
  const town = Math.floor(number / 1000)
  const offset = (request: number): number => drawn(100_000, number, request) / 1_000_000
  return [40 + (town % 40) * 0.5 + offset(20), -10 + Math.floor(town / 40) * 0.7 + offset(21)]
}

const locationOf = (number: number, { locations, tagsEach }: SeedSize): FilledDocument => {
  const created = dated(number / locations)
  const state = stateOf(location, seeded.location(number), {
    title: titleOf(number),
    urlname: `place-${number}`,
    description: 'Forty stalls, a roof of larch and a breakfast for the whole town.',
    state: drawn(20, number, 7) === 0 ? 'draft' : 'published',
    street: 'Am Kai',
    streetnumber: String(number % 100),
    coords: coordsOf(number),
    phone: '+43 1 5550100',
    created,
    modified: dated(number / locations, drawn(30_000_000, number, 8)),
    ...listingOf(number, locations),
  })
  return documentOf(location, seeded.location(number), tagged(location, state, tagNumbers(number, tagsEach)))
}

const contentTypes = [
  'article',
  'article',
  'article',
  'recipe',
  'review_book',
  'roundup_content',
  'event',
] as const

/** How many wait for their date, whatever the size. */
const waiting = 50

const millisecondsOfMonth = 30 * 86_400_000

/** The occurrences of an event; every second one recurs, 36 times. */
const occurrencesOf = (number: number, dtstart: string): JsonObject => {
  const first = Date.parse(`${dtstart.slice(0, 19)}Z`)
  const starts = Array.from({ length: number % 2 === 0 ? 36 : 1 }, (_, index) =>
    new Date(first + index * millisecondsOfMonth).toISOString().slice(0, 19),
  )
  const occurrences = starts.map((start) => `${start} ${start.slice(0, 10)}T23:59:59`)
  return { occurrences, occurrences_due: '9999-12-31T23:59:59' }
}

const contentOf = (number: number, { content: count, tagsEach }: SeedSize): FilledDocument => {
  const created = dated(number / count)
  const type = contentTypes[drawn(contentTypes.length, number, 5)] ?? 'article'
  const state = stateOf(content, seeded.content(number), {
    content_type: type,
    ...(type === 'event' ? { dtstart: created } : {}),
    title: titleOf(number),
    urlname: `story-${number}`,
    description: 'What is new, what it cost, and how to get there.',
    content: '<p>The market hall on the quay opens again on Friday.</p>',
    state: drawn(20, number, 7) === 0 ? 'draft' : 'published',
    section_uuid: seeded.section((number % topSections) + 1),
    teaser_image_uuid: seeded.file(drawn(usedFiles, number, 9) + 1),
    ...(number % 7 === 0 ? { blog_uuid: seeded.blog((number % 10) + 1) } : {}),
    created,
    modified: dated(number / count, drawn(30_000_000, number, 8)),
    issued: number % Math.floor(count / waiting) === 0 ? later : created,
  })
  const whole = type === 'event' ? { ...state, ...occurrencesOf(number, created) } : state
  return documentOf(content, seeded.content(number), tagged(content, whole, tagNumbers(number, tagsEach)))
}

/** Each second comment is a reply to the one before it. */
const commentOf = (number: number, { others }: SeedSize): FilledDocument => {
  const isReply = number % 2 === 0
  const first = isReply ? number - 1 : number
  const pathAt = (parent: string, each: number): string =>
    treePath(parent, dated(each / others), null, seeded.comment(each))
  const tree = pathAt('', first)
  const state = stateOf(comment, seeded.comment(number), {
    parent_type: isReply ? 'comment' : 'content',
    parent_uuid: isReply ? seeded.comment(first) : seeded.content(first),
    title: titleOf(number),
    comment: 'The breakfast alone is worth the way.',
    state: drawn(20, number, 7) === 0 ? 'draft' : 'published',
    created: dated(number / others),
  })
  return documentOf(comment, seeded.comment(number), {
    ...state,
    content_uuid: seeded.content(first),
    reply_to: isReply ? seeded.comment(first) : null,
    own_uuid: seeded.comment(number),
    tree: isReply ? pathAt(tree, number) : tree,
  })
}

const mimetypes = ['image/jpeg', 'image/jpeg', 'image/png', 'application/pdf', 'audio/mpeg'] as const

const fileOf = (number: number, { others }: SeedSize): FilledDocument => {
  const created = dated(number / others)
  const described = stateOf(file, seeded.file(number), {
    title: titleOf(number),
    filename: `file-${drawn(1_000_000_000, number, 4)}`,
    created,
    modified: dated(number / others, drawn(30_000_000, number, 8)),
  })
  // Data was uploaded to most of them; the bench never requests it.
  const data =
    drawn(20, number, 7) === 0
      ? {}
      : {
          mimetype: mimetypes[drawn(mimetypes.length, number, 5)] ?? 'image/png',
          byte_size: drawn(9_000_000, number, 2),
          upload: 1,
          blob: `${seededInstance}/${number}`,
        }
  const numbers = tagNumbers(number, 1)
  return documentOf(file, seeded.file(number), tagged(file, { ...described, ...data }, numbers))
}

const tagOf = (number: number, { others }: SeedSize): FilledDocument => {
  const kind = drawn(4, number, 5) === 0 ? { type: 'person', first_name: 'Ada' } : {}
  const created = dated(number / others)
  return documentOf(
    tag,
    seeded.tag(number),
    stateOf(tag, seeded.tag(number), {
      last_name_or_title: titleOf(number),
      urlname: `tag-${number}`,
      state: drawn(20, number, 7) === 0 ? 'internal' : 'approved',
      created,
      modified: dated(number / others, drawn(30_000_000, number, 8)),
      ...kind,
    }),
  )
}

const sectionOf = (number: number): FilledDocument =>
  documentOf(
    section,
    seeded.section(number),
    stateOf(section, seeded.section(number), {
      title: titleOf(number),
      urlname: `section-${number}`,
      ord: number,
      ...(number <= topSections ? {} : { parent_uuid: seeded.section((number % topSections) + 1) }),
    }),
  )

const blogOf = (number: number): FilledDocument =>
  documentOf(
    blog,
    seeded.blog(number),
    tagged(
      blog,
      stateOf(blog, seeded.blog(number), { title: titleOf(number), urlname: `blog-${number}` }),
      tagNumbers(number, 1),
    ),
  )

/** Members of each category; the first category holds as many tags as one may, the second one the types of locations. */
const fewMembers = 20
const manyMembers = 10_000

const categoryOf = (number: number, { others }: SeedSize): FilledDocument => {
  const count = number === 1 ? Math.min(manyMembers, others) : fewMembers
  const members = Array.from({ length: count }, (_, index) => seeded.tag(((number + index) % others) + 1))
  const kind = number === 2 ? 'location_types' : null
  const state = {
    ...stateOf(tagCategory, seeded.category(number), { title: titleOf(number), kind }),
    members,
  }
  return documentOf(tagCategory, seeded.category(number), state)
}

/** Tags of the automatic headlines: one that many objects carry, and two that few do. */
const headlineTags = [1, 150, 290] as const

const homepageDocument = (): FilledDocument =>
  documentOf(homepage, firstHomepage.id, {
    ...firstHomepage.initial,
    headline_stories: { auto: true, auto_max: 10, auto_tag_uuids: headlineTags.map(seeded.tag), items: [] },
  })

/** All documents of a publication, one after the other. */
export function* seedDocuments(size: SeedSize): Generator<FilledDocument> {
  yield homepageDocument()
  for (let number = 1; number <= size.others; number += 1) {
    yield sectionOf(number)
    yield blogOf(number)
    yield fileOf(number, size)
    yield categoryOf(number, size)
    yield commentOf(number, size)
  }
  for (let number = 1; number <= Math.max(size.others, carriedTags); number += 1) yield tagOf(number, size)
  for (let number = 1; number <= size.content; number += 1) yield contentOf(number, size)
  for (let number = 1; number <= size.locations; number += 1) yield locationOf(number, size)
}
