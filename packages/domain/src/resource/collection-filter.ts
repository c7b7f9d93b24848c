import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject, Json } from '../json.js'
import { mayActAs, type Role } from '../role/permissions.js'
import { parsePeriod } from '../time/parse-date-time.js'
import type { Schema } from '../value/schema.js'
import type { SearchTerm } from '../search/searched-texts.js'
import { parseUuid } from '../value/text.js'
import type { Filter } from './filter.js'
import type { Viewer } from './view-context.js'

/** Query parameters; a list for one that is sent repeatedly. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads the text of a parameter, and may look at the others; on the left what is accepted. */
export type ParameterParser<A> = (text: string, parameters: Parameters) => Either<string, A>

/** Reads parameters, each of which is `initial` if it was not sent, or has a fault, and collects the faults of all. */
export const readingParameters = (parameters: Parameters) => {
  const faults: Fault[] = []
  const read = <A>(name: string, initial: A, parse: ParameterParser<A>): A => {
    const sent = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (sent === undefined) return initial
    if (typeof sent !== 'string') {
      faults.push(fault(name, 'repeated', 'must be sent only once'))
      return initial
    }
    const parsed = parse(sent, parameters)
    if (E.isRight(parsed)) return parsed.right
    faults.push(fault(name, 'parameter', parsed.left))
    return initial
  }
  return { faults, read }
}

/** The value of one parameter, or its fault. */
export const readParameter = <A>(
  parameters: Parameters,
  name: string,
  initial: A,
  parse: ParameterParser<A>,
): Either<readonly Fault[], A> => {
  const { faults, read } = readingParameters(parameters)
  const value = read(name, initial, parse)
  return faults.length > 0 ? E.left(faults) : E.right(value)
}

/** The faults of parameters that an address does not have (docs/behaviour/collections.md#unknown-parameters). */
export const unknownParameters = (parameters: Parameters, names: ReadonlySet<string>): readonly Fault[] =>
  Object.keys(parameters).flatMap((name) =>
    names.has(name) ? [] : [fault(name, 'unknown', 'is not a parameter of this address')],
  )

export type CollectionFilter<K extends string = string> = {
  readonly description: string
  readonly schema: Schema
  /** The keys that its conditions use. */
  readonly keys: readonly K[]
  /** Filters that it narrows; it is accepted only with one of them. */
  readonly narrows?: readonly string[]
  /** Whether the rows of a collection with this filter are in the order of its keys, unless another is requested. */
  readonly ordersRows?: true
  /** The order option, without a key, that it allows as the only one: the nearest rows come first. */
  readonly nearest?: string
  /** Converts the parameter to conditions, or returns what is accepted. The other parameters may narrow them. */
  readonly parse: (text: string, viewer: Viewer, parameters: Parameters) => Either<string, readonly Filter[]>
  /** A further condition on stored states, which stores cannot evaluate. The conditions of `parse` leave few that it rejects. */
  readonly refine?: (text: string) => (state: JsonObject) => boolean
}

/** What a query requires besides conditions on keys: only the documents `ids`, none of `notIds`, all of the words. */
export type Restrictions = {
  readonly ids?: readonly string[]
  readonly notIds?: readonly string[]
  readonly words?: { readonly terms: readonly SearchTerm[] }
}

/** A filter that stores apply in their own way. */
export type RestrictingFilter = Pick<CollectionFilter, 'description' | 'schema'> & {
  readonly keys: readonly never[]
  readonly restricts: keyof Restrictions
}

/** The filters of a collection by their names. */
export type CollectionFilters<K extends string = string> = Readonly<
  Record<string, CollectionFilter<K> | RestrictingFilter>
>

/** A filter by what weaker roles do not read: a fault for them. */
export const filterFrom = <K extends string>(
  least: Role,
  filter: CollectionFilter<K>,
): CollectionFilter<K> => ({
  ...filter,
  description: `${filter.description} From the role ${least}.`,
  parse: (text, viewer, parameters) =>
    mayActAs(viewer.role, least)
      ? filter.parse(text, viewer, parameters)
      : E.left(`is accepted from the role ${least} and stronger ones`),
})

const periodFilters = (key: string, text: string, viewer: Viewer): Either<string, readonly Filter[]> => {
  const period = parsePeriod(text, viewer.settings.timezone)
  if (E.isLeft(period)) return period
  const { from, to } = period.right
  return E.right([
    // «0» sorts before every date and after the absent value, so objects without a date never match.
    { key, atLeast: from ?? '0', ...(to === null ? {} : { below: to }) },
  ])
}

/** `<from>_<to>`, either side may be empty; from is included, to is excluded (docs/behaviour/collections.md#periods). */
export const periodFilter = <K extends string>(key: K, description: string): CollectionFilter<K> => ({
  description: `${description}: \`<from>_<to>\`, either side may be empty; from is included, to is not.`,
  schema: { type: 'string', format: 'period', pattern: '^[^_]*_[^_]*$' },
  keys: [key],
  parse: (text, viewer) => periodFilters(key, text, viewer),
})

const uuidText = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

/** Maximum number of values in one filter. */
const maxValues = 100

const listOf = (item: string): string => `^(?:${item})(?:_(?:${item})){0,${maxValues - 1}}$`

/** The values of a text in which they are separated by underscores; `parse` returns null for a part that is not one. */
const parseList = <A>(
  text: string,
  what: string,
  parse: (part: string) => A | null,
): Either<string, readonly A[]> => {
  const values: A[] = []
  for (const part of text.split('_')) {
    const value = parse(part)
    if (value === null)
      return E.left(`must be ${what}, separated by underscores; «${part.slice(0, 40)}» is not one`)
    values.push(value)
  }
  return values.length > maxValues ? E.left(`must name at most ${maxValues}`) : E.right(values)
}

/** The schema of UUIDs, or words, that are separated by underscores. */
export const uuidsSchema = (words: readonly string[] = []): Schema => ({
  type: 'string',
  format: 'uuids',
  pattern: listOf([...words, uuidText].join('|')),
})

/** The UUIDs, or words, of a text in which they are separated by underscores. */
export const parseUuids = (text: string, words: readonly string[] = []): Either<string, readonly string[]> =>
  parseList(text, `UUIDs${words.map((word) => ` or «${word}»`).join('')}`, (part) =>
    words.includes(part) ? part : parseUuid(part),
  )

/** UUIDs separated by underscores (docs/behaviour/collections.md#periods); words mean no object. */
export const uuidsFilter = <K extends string>(
  key: K,
  description: string,
  words: readonly string[] = [],
): CollectionFilter<K> => ({
  description: `${description}: UUIDs${words
    .map((word) => ` or the word \`${word}\``)
    .join('')}, separated by underscores.`,
  schema: uuidsSchema(words),
  keys: [key],
  parse: (text) => {
    const values = parseUuids(text, words)
    return E.isLeft(values)
      ? values
      : E.right([{ key, oneOf: values.right.map((value) => (words.includes(value) ? null : value)) }])
  },
})

/** UUIDs of objects, separated by underscores: the query finds only these, or none of these. */
export const idsFilter = (name: 'ids' | 'notIds', description: string): RestrictingFilter => ({
  description: `${description}: UUIDs, separated by underscores.`,
  schema: uuidsSchema(),
  keys: [],
  restricts: name,
})

/** The filters of every collection by the UUIDs of its objects (docs/behaviour/collections.md#named-objects). */
export const idFilters = {
  uuid: idsFilter('ids', 'Only these objects'),
  not_uuid: idsFilter('notIds', 'All objects but these'),
} as const

const listFilter = <K extends string>(
  key: K,
  description: string,
  schema: Schema,
  what: string,
  parse: (part: string) => Json,
): CollectionFilter<K> => ({
  description: `${description}: ${what}, separated by underscores.`,
  schema,
  keys: [key],
  parse: (text) => {
    const values = parseList(text, what, parse)
    return E.isLeft(values) ? values : E.right([{ key, oneOf: values.right }])
  },
})

/** Texts without underscores, separated by underscores (docs/behaviour/collections.md#value-lists). */
export const textsFilter = <K extends string>(
  key: K,
  description: string,
  max: number,
): CollectionFilter<K> =>
  listFilter(
    key,
    description,
    { type: 'string', format: 'texts', pattern: listOf(`[^_]{1,${max}}`) },
    `texts of 1 to ${max} characters`,
    (part) => (part !== '' && [...part].length <= max ? part : null),
  )

/** Whole numbers separated by underscores (docs/behaviour/collections.md#value-lists). */
export const integersFilter = <K extends string>(
  key: K,
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
): CollectionFilter<K> =>
  listFilter(
    key,
    description,
    { type: 'string', format: 'integers', pattern: listOf('-?[0-9]{1,16}') },
    `whole numbers from ${min} to ${max}`,
    (part) => {
      const value = Number(part)
      return Number.isInteger(value) && String(value) === part && value >= min && value <= max ? value : null
    },
  )

/** `true` or `false`. */
export const booleanFilter = <K extends string>(key: K, description: string): CollectionFilter<K> => ({
  description,
  schema: { type: 'boolean' },
  keys: [key],
  parse: (text) =>
    text === 'true' || text === 'false'
      ? E.right([{ key, equals: text === 'true' }])
      : E.left('must be true or false'),
})

/** Words of a closed set, separated by hyphens or commas; each represents some values of a key. */
export const wordsFilter = <K extends string>(
  key: K,
  description: string,
  meanings: Readonly<Record<string, readonly string[]>>,
): CollectionFilter<K> => ({
  description: `${description}: ${Object.keys(meanings)
    .map((word) => `\`${word}\``)
    .join(', ')}; several joined by hyphens.`,
  schema: { type: 'array', items: { type: 'string', enum: Object.keys(meanings) }, minItems: 1 },
  keys: [key],
  parse: (text) => {
    const values = new Set<string>()
    for (const word of text.split(/[-,]/)) {
      const meaning = Object.hasOwn(meanings, word) ? meanings[word] : undefined
      if (meaning === undefined)
        return E.left(
          `must be among ${Object.keys(meanings).join(', ')}, joined by hyphens; «${word.slice(0, 40)}» is not`,
        )
      meaning.forEach((value) => values.add(value))
    }
    return E.right([{ key, oneOf: [...values] }])
  },
})
