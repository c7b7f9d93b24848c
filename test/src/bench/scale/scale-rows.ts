/** The requests whose time must not grow with the publication, each with the expected response. */
import { firstHomepage, isJsonObject, type Json } from '@publishing-service/domain'
import { jsonOf } from '../exchange.js'
import { statusFault, type Validate } from '../validate-response.js'
import type { Tokens } from '../publication.js'
import { rareWordOf, seeded, seededInstance, type SeedSize } from './seed-documents.js'

export type ScaleRow = {
  readonly name: string
  readonly title: string
  readonly path: string
  readonly role: keyof Tokens
  /** Whether responses may come from the service's own cache. */
  readonly isCached: boolean
  readonly sizes: readonly SeedSize[]
  readonly validate: Validate
}

/** The time at a size may be this many times that at the smallest. */
export const maxGrowth = 1.3

const thousand: SeedSize = { locations: 1000, content: 1000, others: 1000, tagsEach: 5 }
const tenThousand: SeedSize = { locations: 10_000, content: 10_000, others: 10_000, tagsEach: 5 }
/** 100 000 locations and as many of all else: a million taggings on locations and content. */
const hundredThousand: SeedSize = { locations: 100_000, content: 100_000, others: 100_000, tagsEach: 5 }
/** A million locations and a million content objects, with a tag each. */
const million: SeedSize = { locations: 1_000_000, content: 1_000_000, others: 1000, tagsEach: 1 }

export const listSizes = [thousand, hundredThousand] as const

const itemsOf = (body: unknown): readonly Json[] => {
  const items = isJsonObject(body) ? body['items'] : null
  return Array.isArray(items) ? items : []
}

/** So many items, each of which passes. */
const validateItems =
  (count: number, passes: (item: Json, index: number, all: readonly Json[]) => boolean): Validate =>
  async (response) => {
    const fault = statusFault(response, 200)
    if (fault !== null) return fault
    const items = itemsOf(jsonOf(response))
    if (items.length !== count) return `${items.length} items instead of ${count}`
    const wrong = items.findIndex((item, index) => !passes(item, index, items))
    return wrong === -1 ? null : `item ${wrong} is ${JSON.stringify(items[wrong])}`
  }

const countOf = (item: Json | undefined): number =>
  item !== undefined && isJsonObject(item) ? Number(item['count']) : Number.NaN

const rows = 20
const tagsInCloud = 50
const headlines = 10
const fields = 'title-sponsored-listing_active-uuid'

/** Rows of listings in these orders of title, all of them active. */
const validateListings = (isSponsored: boolean): Validate =>
  validateItems(rows, (item) => Array.isArray(item) && (!isSponsored || item[1] === true) && item[2] === true)

type RowRequest = Pick<ScaleRow, 'name' | 'title' | 'path' | 'role' | 'sizes' | 'validate'>

const locations = (query: string): string =>
  `/${seededInstance}/locations?fields=${fields}&rpp=${rows}&${query}`

const requests: readonly RowRequest[] = [
  {
    name: 'tag-cloud',
    title: 'tag cloud of 50',
    path: `/${seededInstance}/tag_cloud?limit=${tagsInCloud}`,
    role: 'reader',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(
      tagsInCloud,
      (item, index, all) => countOf(item) > 0 && (index === 0 || countOf(item) <= countOf(all[index - 1])),
    ),
  },
  {
    name: 'sponsored',
    title: 'type=sponsored',
    path: locations('type=sponsored'),
    role: 'reader',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, (item) => Array.isArray(item) && item[1] === true),
  },
  {
    name: 'sponsored-public',
    title: 'type=sponsored as public_user, most of them over',
    path: locations('type=sponsored'),
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateListings(true),
  },
  {
    name: 'listings-public',
    title: 'type=listing by title as public_user, most of them over',
    path: locations('type=listing&order=title'),
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateListings(false),
  },
  {
    name: 'near',
    title: 'locations within 2 km, by title',
    path: locations('near=40.05,-9.95,2&order=title'),
    role: 'reader',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'nearest',
    title: 'locations within 50 km, nearest first',
    path: locations('near=40.05,-9.95,50&order=distance'),
    role: 'reader',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'resolve',
    title: 'path of a location',
    path: `/${seededInstance}/resolve?path=/locations/place-500/`,
    role: 'reader',
    sizes: [thousand, hundredThousand, million],
    validate: async (response) => statusFault(response, 200),
  },
  {
    name: 'tagged',
    title: 'content with a rare tag, newest first',
    path: `/${seededInstance}/content?tags=${seeded.tag(290)}&order=issued.desc&rpp=1`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(1, Array.isArray),
  },
  {
    name: 'search-rare',
    title: 'search of a word in one title',
    path: `/${seededInstance}/locations?fields=title&q=${rareWordOf(17)}`,
    role: 'reader',
    sizes: [tenThousand, million],
    validate: validateItems(1, Array.isArray),
  },
  {
    name: 'search-common',
    title: 'search of the most common word',
    path: `/${seededInstance}/locations?fields=title&q=the&rpp=${rows}`,
    role: 'visitor',
    sizes: [tenThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'events',
    title: 'events that start in a month, the first first',
    path: `/${seededInstance}/events?dtstart=2016-01-01_2016-02-01&order=dtstart&rpp=1`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(1, Array.isArray),
  },
  {
    name: 'occurrences',
    title: 'occurrences of a month',
    path: `/${seededInstance}/events/occurrences?period=2016-01-01_2016-02-01&rpp=${rows}`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'occurring',
    title: 'events that occur in a month',
    path: `/${seededInstance}/events?occurring=2016-01-01_2016-02-01&rpp=${rows}`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'include',
    title: 'content with sections and tags, newest first',
    path: `/${seededInstance}/content?fields=title,tags&include=section,tags&order=issued.desc&rpp=${rows}`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: validateItems(rows, Array.isArray),
  },
  {
    name: 'feed',
    title: 'JSON feed of all content',
    path: `/${seededInstance}/feed/all.json`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: async (response) => statusFault(response, 200),
  },
  {
    name: 'atom',
    title: 'Atom feed of all content',
    path: `/${seededInstance}/feed/all.atom`,
    role: 'visitor',
    sizes: [thousand, hundredThousand, million],
    validate: async (response) => statusFault(response, 200),
  },
  {
    name: 'headlines',
    title: 'automatic headlines of three tags',
    path: `/${seededInstance}/homepage/${firstHomepage.id}/headline_stories`,
    role: 'visitor',
    sizes: [thousand, hundredThousand],
    validate: validateItems(headlines, (item) => isJsonObject(item) && typeof item['link_uuid'] === 'string'),
  },
]

/** Each request without the cache, and from it. */
export const scaleRows: readonly ScaleRow[] = requests.flatMap((request) => [
  { ...request, name: `scale-${request.name}`, isCached: false },
  {
    ...request,
    name: `scale-${request.name}-cached`,
    title: `${request.title}, cached`,
    isCached: true,
  },
])
