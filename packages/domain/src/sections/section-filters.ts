/** Filters by the section of an object (docs/behaviour/collections.md#subtree). */
import { fault, type Fault } from '../fault.js'
import { E } from '../fp.js'
import type { Filter } from '../resource/filter.js'
import { booleanFilter, uuidsFilter, type CollectionFilter } from '../resource/collection-filter.js'

/** Maximum number of sections that `subtree` leads to. */
export const maxSubtree = 1000

/** Ends the UUID of a section that is meant with all below it, until `withSubtrees` replaces it. */
const below = '/'

const named = uuidsFilter('section_uuid', 'Only in these sections')

export const sectionFilters = {
  sections: {
    ...named,
    parse: (text, viewer, parameters) => {
      const conditions = named.parse(text, viewer, parameters)
      if (parameters['subtree'] !== 'true' || E.isLeft(conditions)) return conditions
      return E.right(
        conditions.right.map((filter) =>
          'oneOf' in filter
            ? { ...filter, oneOf: filter.oneOf.map((id) => `${String(id)}${below}`) }
            : filter,
        ),
      )
    },
  },
  subtree: {
    ...booleanFilter(
      'section_uuid',
      `Whether \`sections\` also selects what is in sections below these, at most ${maxSubtree} together.`,
    ),
    narrows: ['sections'],
    parse: (text, viewer, parameters) => {
      const value = booleanFilter('section_uuid', '').parse(text, viewer, parameters)
      return E.isLeft(value) ? value : E.right([])
    },
  },
} as const satisfies Readonly<Record<string, CollectionFilter<'section_uuid'>>>

const rootOf = (id: unknown): readonly string[] =>
  typeof id === 'string' && id.endsWith(below) ? [id.slice(0, -below.length)] : []

const rootsOf = (filter: Filter): readonly string[] =>
  'oneOf' in filter && filter.key === 'section_uuid' ? filter.oneOf.flatMap(rootOf) : []

/** The sections whose subtrees conditions name. */
export const subtreesNamedIn = (where: readonly Filter[]): readonly string[] => where.flatMap(rootsOf)

/** The conditions with the sections of the subtrees that they name. */
export const withSubtrees = (where: readonly Filter[], sections: readonly string[]): readonly Filter[] =>
  where.map((filter) => (rootsOf(filter).length > 0 ? { key: 'section_uuid', oneOf: sections } : filter))

/** The faults of subtrees with too many sections. */
export const subtreeTooLarge: readonly Fault[] = [
  fault('subtree', 'limit', `leads to more than ${maxSubtree} sections; name sections further down`),
]
