/**
 * The documents of a large publication as the service stores them: the domain creates them from bodies that a client
 * could send. Document number n is the same in every size, so that the same request reads the same document.
 */
import { content, location, nowIn, section, tag, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { withComputed } from '@publishing-service/domain/engine'
import { attachTag } from '@publishing-service/domain/tags'
import type { JsonObject } from '@publishing-service/domain/json'
import { command, stateAfter, whateverIsReferredTo } from '@publishing-service/domain/testing'
import type { FilledDocument } from '@publishing-service/sql-kit'
import { contentId, identifier, sectionCount, sectionId } from './article.js'

export const instance = 7
const website = 'https://www.example.org'
export const settings = { timezone: 'UTC', directory_addon: true, website_url: website } as const

export const tagId = (number: number): string => identifier('1', number)

/** How many there are, whatever the size. */
const tags = 300
/** Content objects that wait for their date of issue. */
const waiting = 50

const now = nowIn(settings.timezone, Date.UTC(2026, 0, 1))
/** After any day on which the bench runs. */
const later = '2090-01-01T00:00:00'
const context = { zone: settings.timezone, streamingHosts: [], strict: true } as const

/** A number below `limit` that looks random, the same for the same use of the same document. */
const drawn = (limit: number, number: number, use: number): number => {
  let state = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(use + 1, 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
  return ((state ^ (state >>> 15)) >>> 0) % limit
}

const twelveYears = 12 * 365 * 86_400_000
/** Objects come one after the other through twelve years, the last one a year ago. */
const dateOf = (share: number, seconds = 0): string =>
  new Date(Date.UTC(2013, 0, 1) + share * twelveYears + seconds * 1000).toISOString().slice(0, 19)

const adjectives = ['old', 'new', 'golden', 'green', 'quiet', 'little', 'upper', 'lower', 'red', 'white']
const nouns = ['market', 'harbour', 'garden', 'bridge', 'mill', 'tower', 'inn', 'theatre', 'station', 'well']
/** A word that is in one title of each resource. */
export const rareWordOf = (number: number): string => String(drawn(1_000_000_000, number, 3))
const titleOf = (number: number): string =>
  `The ${adjectives[drawn(10, number, 1)]} ${nouns[drawn(10, number, 2)]} ${rareWordOf(number)}`

/** The states of the first object of each kind, as the domain decides on them. */
const decided = new Map<string, JsonObject>()

/**
 * The state of an object: that of the first one of its kind, in which what is its `own` is as a state has it, and computed
 * attributes are still those of the first one. A decision on each of millions of objects would take most of an hour.
 */
const stateOf = (resource: Resource, id: string, kind: JsonObject, own: JsonObject): JsonObject => {
  const key = `${resource.collection} ${JSON.stringify(kind)}`
  let first = decided.get(key)
  if (first === undefined) {
    const write = command('put', { ...kind, ...own }, null, { id, now, settings, strict: true })
    decided.set(key, (first = stateAfter(resource, write, { objects: whateverIsReferredTo })))
  }
  return { ...first, ...own }
}

type Made = Omit<FilledDocument, 'document'> & {
  readonly document: Omit<FilledDocument['document'], 'position'>
}

const documentOf = (resource: Resource, id: string, value: JsonObject): Made => ({
  collection: resource.collection,
  instance,
  document: { id, unique: resource.uniqueText(value), value },
})

/** With one of the first tags, which many objects carry, and with any one. */
const tagged = (collection: 'content' | 'locations', untagged: JsonObject, number: number): JsonObject =>
  [Math.floor(tags ** (drawn(1000, number, 10) / 1000)), 1 + drawn(tags, number, 11)].reduce(
    (state, each) => {
      const tagging = { tag: tagId(each), predicate: 'describes' }
      const attached = attachTag(collection, state, tagging, {}, { now, context })
      return E.isRight(attached) ? attached.right : state
    },
    untagged,
  )

const publicationOf = (number: number): JsonObject => ({
  state: drawn(20, number, 7) === 0 ? 'draft' : 'published',
})

const commonOf = (number: number, objects: number): JsonObject => ({
  title: titleOf(number),
  created: dateOf(number / objects),
  modified: dateOf(number / objects, drawn(30_000_000, number, 8)),
})

/** A tenth is sponsored, half are plain listings; two thirds of both ended long ago, and some have not started. */
const listingOf = (number: number, objects: number): JsonObject => {
  const kind = drawn(10, number, 6)
  if (kind > 5) return {}
  const isOver = number <= (objects * 2) / 3
  const start = !isOver && drawn(20, number, 4) === 0 ? later : '2013-01-01'
  const end = isOver ? { listing_expires: '2016-01-01' } : {}
  return { is_listing: true, sponsored: kind === 0, listing_start: start, ...end }
}

const locationOf = (number: number, objects: number): Made => {
  // Each thousand locations are a town, about ten kilometres wide, so that the density does not depend on the size.
  const town = Math.floor(number / 1000)
  const [north, west] = [20, 21].map((use) => drawn(100_000, number, use) / 1_000_000)
  const kind = {
    ...publicationOf(number),
    ...listingOf(number, objects),
    description: 'Forty stalls, a roof of larch and a breakfast for the whole town.',
  }
  const state = stateOf(location, identifier('d', number), kind, {
    ...commonOf(number, objects),
    urlname: `place-${number}`,
    coords: [40 + (town % 40) * 0.5 + (north ?? 0), -10 + Math.floor(town / 40) * 0.7 + (west ?? 0)],
  })
  const value = withComputed(location, tagged('locations', state, number))
  return documentOf(location, identifier('d', number), value)
}

const contentOf = (number: number, objects: number): Made => {
  const date = dateOf(number / objects)
  const isEvent = drawn(7, number, 5) === 0
  const kind = {
    ...publicationOf(number),
    content_type: isEvent ? 'event' : 'article',
    description: 'What is new, what it cost, and how to get there.',
    content: '<p>The market hall on the quay opens again on Friday.</p>',
  }
  const state = stateOf(content, contentId(number), kind, {
    ...commonOf(number, objects),
    ...(isEvent ? { dtstart: date } : {}),
    urlname: `story-${number}`,
    section_uuid: sectionId((number % sectionCount) + 1),
    issued: number % Math.floor(objects / waiting) === 0 ? later : date,
  })
  const occurrences = [`${date} ${date.slice(0, 10)}T23:59:59`]
  const whole = isEvent ? { ...state, occurrences, occurrences_due: later } : state
  const value = withComputed(content, tagged('content', whole, number))
  return documentOf(content, contentId(number), value)
}

function* madeDocuments(objects: number): Generator<Made> {
  for (let number = 1; number <= sectionCount; number += 1) {
    const own = { title: titleOf(number), urlname: `section-${number}`, ord: number }
    const state = withComputed(section, stateOf(section, sectionId(number), {}, own))
    yield documentOf(section, sectionId(number), state)
  }
  for (let number = 1; number <= tags; number += 1) {
    const own = { last_name_or_title: titleOf(number), urlname: `tag-${number}` }
    const state = withComputed(tag, stateOf(tag, tagId(number), { state: 'approved' }, own))
    yield documentOf(tag, tagId(number), state)
  }
  for (let number = 1; number <= objects; number += 1) {
    yield contentOf(number, objects)
    yield locationOf(number, objects)
  }
}

/** All documents of a publication with so many content objects and locations. */
export function* scaleDocuments(objects: number): Generator<FilledDocument> {
  let position = 0
  for (const made of madeDocuments(objects)) {
    position += 1
    yield { ...made, document: { ...made.document, position } }
  }
}
