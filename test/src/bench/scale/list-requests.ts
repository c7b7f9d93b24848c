/**
 * The first page of every collection, in every declared order, with every declared filter, for two roles; and the other
 * lists. Derived from the declarations: a filter without an example fails.
 */
import {
  mayActAs,
  permissions,
  resources,
  segmentsOf,
  subcollectionOf,
  type Resource,
} from '@publishing-service/domain'
import type { Tokens } from '../publication.js'
import { seeded, seededInstance } from './seed-documents.js'

export type ListRequest = { readonly name: string; readonly path: string; readonly role: keyof Tokens }

/** One section with most objects, and one with a hundredth of them. */
const periods = ['2014-01-01_', '2016-01-01_2016-02-15'] as const

/** Texts for each filter of each collection: common ones and rare ones, one and several. */
const examples: Readonly<Record<string, readonly string[]>> = {
  'content.q': ['market', 'rare', 'market%20hall', '%22market%20hall%22'],
  'locations.q': ['roof', 'mark'],
  'files.q': ['m'],
  'tags.q': ['m'],
  'sections.files': [seeded.file(3)],
  'content.files': [seeded.file(3)],
  'locations.files': [seeded.file(3)],
  'tags.files': [seeded.file(3)],
  'homepage.files': [seeded.file(3)],
  'sections.parent': ['root', seeded.section(3)],
  'content.ctypes': ['articles', 'articles-recipes', 'reviews_book'],
  'content.sections': [seeded.section(3), `${seeded.section(3)}_${seeded.section(4)}`],
  'content.blogs': [seeded.blog(3)],
  'content.tags': [seeded.tag(1), seeded.tag(290), `${seeded.tag(1)}_${seeded.tag(2)}`],
  'content.tags_any': [`${seeded.tag(1)}_${seeded.tag(290)}`],
  'content.predicate': [`describes&tags=${seeded.tag(1)}`],
  'content.issued': periods,
  'content.created': periods,
  'content.modified': periods,
  'content.state': ['live', 'published', 'draft'],
  'content.dtstart': periods,
  'content.near': ['40.05,-9.95,2'],
  'content.occurring': ['2016-01-01_2016-02-01', '2016-01-01_2016-01-02'],
  'locations.type': ['listing', 'location', 'sponsored'],
  'locations.state': ['live', 'published', 'draft'],
  'locations.closed': ['true', 'false'],
  'locations.price_index': ['free', 'free-expensive'],
  'locations.pcode': ['1010'],
  'locations.geoname_id': ['2761369'],
  'locations.location_types': [seeded.tag(3), `${seeded.tag(3)}_${seeded.tag(20)}`],
  'locations.near': ['40.05,-9.95,2', '40.05,-9.95,50'],
  'locations.tags': [seeded.tag(1), seeded.tag(290)],
  'locations.tags_any': [`${seeded.tag(1)}_${seeded.tag(290)}`],
  'locations.predicate': [`describes&tags=${seeded.tag(1)}`],
  'locations.created': periods,
  'locations.modified': periods,
  'files.groups': ['image', 'application-audio'],
  'files.mimetypes': ['image/png'],
  'files.tags': [seeded.tag(1)],
  'files.tags_any': [`${seeded.tag(1)}_${seeded.tag(290)}`],
  'files.predicate': [`describes&tags=${seeded.tag(1)}`],
  'files.created': periods,
  'comments.state': ['published', 'draft'],
  'comments.parents': [seeded.content(17), seeded.comment(17)],
  'comments.content': [seeded.content(17)],
  'comments.created': periods,
  'redirects.created': periods,
  'redirects.modified': periods,
  'tags.type': ['default', 'person'],
  'tags.state': ['approved', 'internal'],
}

/** The role public_user sees only what is live, whatever the filters are. */
const refused = new Set(['state=published', 'state=draft', `files=${seeded.file(3)}`])

const rows = 10

const filtersOf = ({ collection, filters }: Resource): readonly string[] =>
  Object.keys(filters).flatMap((name) => {
    const texts = examples[`${collection}.${name}`]
    if (texts === undefined) throw new Error(`list-requests has no example of ${collection}.${name}`)
    return texts.map((text) => `${name}=${text}`)
  })

const ordersOf = ({ orders }: Resource): readonly string[] =>
  Object.keys(orders).flatMap((name) => [`order=${name}.asc`, `order=${name}.desc`])

const roles = ['reader', 'visitor'] as const

const ofResource = (resource: Resource): readonly ListRequest[] => {
  const path = `/${seededInstance}/${segmentsOf(resource)}`
  const { read } = permissions[resource.collection]
  return roles
    .filter((role) => mayActAs(role === 'visitor' ? 'public_user' : role, read))
    .flatMap((role) =>
      [null, ...filtersOf(resource)]
        .filter((filter) => role === 'reader' || filter === null || !refused.has(filter))
        .flatMap((filter) =>
          [null, ...ordersOf(resource)].map((order) => {
            const query = [filter, order].filter((each) => each !== null).join('&')
            return {
              name: `${segmentsOf(resource)}?${query}`,
              path: `${path}?rpp=${rows}&${query}`,
              role,
            }
          }),
        ),
    )
}

/** Further lists: parts of one object, and counts. */
const others: readonly (readonly [name: string, path: string])[] = [
  ['tags of a location', `locations/${seeded.location(17)}/tags`],
  ['tags of a content object, by predicate', `content/${seeded.content(17)}/tags/describes`],
  ['objects of a common tag', `tags/${seeded.tag(1)}/describes?rpp=${rows}`],
  ['objects of a rare tag', `tags/${seeded.tag(290)}/describes?rpp=${rows}`],
  ...['order=title', 'order=title.desc', 'order=modified.desc', 'order=created&page=40'].flatMap((query) =>
    ([1, 290] as const).map(
      (number) =>
        [
          `objects of the tag ${number}, ${query}`,
          `tags/${seeded.tag(number)}/describes?rpp=${rows}&${query}`,
        ] as const,
    ),
  ),
  ...[
    'state=live&order=title',
    'type=location&order=title',
    'closed=true&order=title',
    `created=${periods[1]}&order=created.desc`,
  ].map(
    (query) =>
      [`objects of a common tag, ${query}`, `tags/${seeded.tag(1)}/describes?rpp=${rows}&${query}`] as const,
  ),
  ['search of a common word', `search?q=market&rpp=${rows}`],
  ['search of a word that no object has', `search?q=xyzzy&rpp=${rows}`],
  ['nearest locations', `locations?near=40.05,-9.95,50&order=distance&rpp=${rows}`],
  ['occurrences of a month', `events/occurrences?period=${periods[1]}&rpp=${rows}`],
  ['categories of a tag', `tags/${seeded.tag(17)}/categories?rpp=${rows}`],
  ['members of a category', `tags/categories/${seeded.category(17)}/tags?rpp=${rows}`],
  ['members of the largest category', `tags/categories/${seeded.category(1)}/tags?rpp=${rows}`],
  ['path history of a content object', `content/${seeded.content(17)}/path_history`],
  ['path history of a section', `sections/${seeded.section(17)}/path_history`],
  ['tag cloud by predicate', 'tag_cloud?predicate=describes'],
  ['tag cloud of some content types', 'tag_cloud?ctypes=articles-reviews'],
  ['tag cloud of a category', `tag_cloud?category=${seeded.category(17)}`],
  ['collections of the instance', ''],
  // As many pages as there are sections, at most 50 000.
  ['first part of the sitemap', 'sitemap.xml?part=1'],
]

export const listRequests: readonly ListRequest[] = [
  ...resources
    .flatMap((each) => [each, ...(each.subcollections ?? []).map((listed) => subcollectionOf(each, listed))])
    .flatMap(ofResource),
  ...others.flatMap(([name, path]) =>
    roles.map((role) => ({ name, path: `/${seededInstance}${path === '' ? '' : `/${path}`}`, role })),
  ),
]
