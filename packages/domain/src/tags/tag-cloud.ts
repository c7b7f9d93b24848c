import { contentTypePlurals, type ContentType } from '../content/content-type.js'
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { readingParameters, type Parameters } from '../resource/collection-filter.js'
import { isPredicate, predicateNames, type Predicate } from './tag.js'
import { fold } from '../value/fold.js'
import type { Schema } from '../value/schema.js'
import { parseUuid } from '../value/text.js'

const limits = { initial: 50, max: 500 } as const

/** The query of a tag cloud; null for a parameter that was not sent. */
export type CloudQuery = {
  readonly limit: number
  readonly predicate: Predicate | null
  readonly types: readonly ContentType[] | null
  readonly category: string | null
}

/** The parameters of a tag cloud (docs/behaviour/tags.md#tag-cloud). */
export const cloudParameters = {
  limit: {
    description: `Maximum number of tags: 1 to ${limits.max}, ${limits.initial} by default.`,
    schema: { type: 'integer', minimum: 1, maximum: limits.max },
  },
  predicate: {
    description: `Only taggings with this predicate: ${predicateNames.join(', ')}.`,
    schema: { type: 'string', enum: predicateNames },
  },
  ctypes: {
    description: `Only content of these types: ${Object.keys(contentTypePlurals).join(', ')}; several joined by hyphens.`,
    schema: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(contentTypePlurals) },
      minItems: 1,
    },
  },
  category: {
    description: 'Only tags of the category with this UUID.',
    schema: { type: 'string', format: 'uuid' },
  },
} as const satisfies Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>

type Reader<A> = (text: string) => Either<string, A>

const readLimit: Reader<number> = (text) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= limits.max
    ? E.right(Number(text))
    : E.left(`must be a whole number from 1 to ${limits.max}`)

const readPredicate: Reader<Predicate> = (text) =>
  isPredicate(text) ? E.right(text) : E.left(`must be one of ${predicateNames.join(', ')}`)

const readTypes: Reader<readonly ContentType[]> = (text) => {
  const words = text.split(/[-,]/)
  return words.every((word) => Object.hasOwn(contentTypePlurals, word))
    ? E.right([...new Set(words.flatMap((word) => contentTypePlurals[word] ?? []))])
    : E.left(`must be among ${Object.keys(contentTypePlurals).join(', ')}, joined by hyphens`)
}

const readCategory: Reader<string> = (text) => {
  const id = parseUuid(text)
  return id === null ? E.left('must be the UUID of a tag category') : E.right(id)
}

/** Decodes the parameters to a query, or returns all faults. */
export const parseCloudQuery = (parameters: Parameters): Either<readonly Fault[], CloudQuery> => {
  const { faults, read } = readingParameters(parameters)
  const query: CloudQuery = {
    limit: read<number>('limit', limits.initial, readLimit),
    predicate: read<Predicate | null>('predicate', null, readPredicate),
    types: read<readonly ContentType[] | null>('ctypes', null, readTypes),
    category: read<string | null>('category', null, readCategory),
  }
  return faults.length > 0 ? E.left(faults) : E.right(query)
}

/** A tag with the number of live objects that have it. */
export type Weighted<T> = T & { readonly uuid: string; readonly title: string; readonly count: number }

const before = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The most used tags: by count, then title. The weight is the count divided by the highest count. */
export const rankTags = <T>(
  tags: readonly Weighted<T>[],
  limit: number,
): readonly (Weighted<T> & { readonly weight: number })[] => {
  const order = new Map(tags.map((tag) => [tag, fold(tag.title)]))
  const ranked = tags
    .toSorted(
      (a, b) => b.count - a.count || before(order.get(a) ?? '', order.get(b) ?? '') || before(a.uuid, b.uuid),
    )
    .slice(0, limit)
  const most = ranked[0]?.count ?? 1
  return ranked.map((tag) => ({ ...tag, weight: Math.round((tag.count / most) * 10_000) / 10_000 }))
}
