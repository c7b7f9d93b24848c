/** How the main lists scale: their cost on publications of several sizes, relative to the smallest. */
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import { sectionId } from './article.js'
import { measureRounds, sideOf, type Rounds } from './measure.js'
import type { Options } from './options.js'
import { startServiceProcess, type Server } from './processes.js'
import type { Instance } from './publication.js'
import { getFresh, type Row } from './rows.js'
import { rareWordOf, tagId } from './scale-documents.js'
import type { Seed, Seeds } from './scale-seed.js'
import { isOk, validateItems, type Validate } from './validate.js'

type Size = { readonly objects: number; readonly rounds: Rounds }
export type ScaleResult = { readonly title: string; readonly sizes: readonly Size[] }

/** Content objects, and as many locations. */
const sizes = { full: [10_000, 100_000, 1_000_000], quick: [1000] } as const

const pageOf20 = validateItems(20)
const list = (
  name: string,
  title: string,
  role: 'reader' | 'visitor',
  path: string,
  validate: Validate = pageOf20,
): Row<Instance> => ({ name: `scale-${name}`, title, requests: getFresh(role, path), spread: null, validate })

const newest = (rpp: number): string => `content?order=issued.desc&rpp=${rpp}`
const places = 'locations?fields=title-sponsored-listing_active-uuid&rpp=20'
const near = `${places}&near=40.05,-9.95`
const month = '2016-01-01_2016-02-01'
const one = validateItems(1)
const listed = validateItems(20, (item) => Array.isArray(item) && item[2] === true)
const countOf = (item: Json | undefined): number =>
  item !== undefined && isJsonObject(item) ? Number(item['count']) : Infinity
const mostFirst = validateItems(50, (item, index, all) => countOf(item) <= countOf(all[index - 1]))

export const scaleRows: readonly Row<Instance>[] = [
  list('content', 'content, newest first', 'visitor', newest(20)),
  list('section', 'content of a section', 'visitor', `${newest(20)}&sections=${sectionId(3)}`),
  list('period', 'content of a month', 'reader', `content?created=${month}&rpp=20`),
  list('tagged', 'content with a rare tag', 'visitor', `${newest(1)}&tags=${tagId(290)}`, one),
  list('include', 'content with sections and tags', 'visitor', `${newest(20)}&include=section,tags`),
  list('sponsored-public', 'sponsored, most over', 'visitor', `${places}&type=sponsored`, listed),
  list('listings-public', 'listings, most over', 'visitor', `${places}&type=listing&order=title`, listed),
  list('near', 'locations within 2 km, by title', 'reader', `${near},2&order=title`),
  list('nearest', 'locations within 50 km, nearest first', 'reader', `${near},50&order=distance`),
  list('search-rare', 'search of a word in one title', 'reader', `locations?q=${rareWordOf(17)}`, one),
  list('search-common', 'search of the most common word', 'visitor', `${places}&q=the`),
  list('events', 'events of a month', 'visitor', `events?dtstart=${month}&order=dtstart&rpp=1`, one),
  list('occurrences', 'occurrences of a month', 'visitor', `events/occurrences?period=${month}&rpp=1`, one),
  list('tag-cloud', 'tag cloud of 50', 'reader', 'tag_cloud?limit=50', mostFirst),
  list('feed', 'JSON feed of all content', 'visitor', 'feed/all.json', isOk),
]

/** The same on PostgreSQL. */
export const serverScaleRows: typeof scaleRows = scaleRows.map((row) => ({
  ...row,
  name: `servers-${row.name}`,
}))

export const measureScale = async (
  rows: typeof scaleRows,
  open: (options: Options) => Promise<Seeds>,
  options: Options,
  progress: (text: string) => void,
): Promise<readonly ScaleResult[]> => {
  const { names, largest } = options
  const publications: { readonly objects: number; readonly seed: Seed; readonly server: Server }[] = []
  const { seedOf, database, close } = await open(options)
  try {
    for (const objects of sizes[options.quick ? 'quick' : 'full'].filter((size) => size <= largest)) {
      progress(`a publication of ${objects} content objects and locations`)
      const seed = await seedOf(objects)
      publications.push({ objects, seed, server: await startServiceProcess(seed.variables, { database }) })
    }
    const results: ScaleResult[] = []
    for (const row of rows.filter(({ name }) => names.has(name))) {
      progress(row.name)
      const sides = await Promise.all(
        publications.map(({ seed, server }) => sideOf(server, row.requests(seed), row)),
      )
      const rounds = await measureRounds(sides, 32, options)
      const sized = publications.map(({ objects }, index) => ({ objects, rounds: rounds[index] ?? [] }))
      results.push({ title: row.title, sizes: sized })
    }
    return results
  } finally {
    for (const { server } of publications) await server.stop()
    await close()
  }
}
