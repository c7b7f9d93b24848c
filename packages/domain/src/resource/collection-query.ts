import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Attribute } from './attribute.js'
import type { Filter, Order } from './filter.js'
import { hasRelations, parseInclude, type IncludePath } from './include.js'
import {
  readingParameters,
  unknownParameters,
  type CollectionFilter,
  type CollectionFilters,
  type ParameterParser,
  parseUuids,
  type Parameters,
  type Restrictions,
} from './collection-filter.js'
import { parseFacets, parseTotal, type Counting } from './counted.js'
import { maxPage, parsePlace, type PagePlace, type PlacedPage } from './listing.js'
import { visibilityOf, type Resource, type Subcollection, type Visibility } from './resource.js'
import { parseSearchTerms, type SearchTerm } from '../search/searched-texts.js'
import type { Viewer } from './view-context.js'

export const pageLimits = {
  rpp: 20,
  maxRpp: 100,
  maxPage,
  /** Maximum number of names in `fields`; the largest collection has half as many. */
  fields: 200,
  orders: 10,
  /** Maximum size of the rows of a page together, in bytes of JSON. */
  bytes: 8 * 1024 * 1024,
} as const

/** The faults of a query whose page exceeds the limit of bytes. */
export const pageTooLarge: readonly Fault[] = [
  fault(
    'rpp',
    'limit',
    `is too large for these fields: a page has at most ${pageLimits.bytes} bytes; request fewer rows`,
  ),
  fault(
    'fields',
    'limit',
    `are too long for so many rows: a page has at most ${pageLimits.bytes} bytes; name fewer fields, or read the objects one by one`,
  ),
]

/** The query of a collection (docs/behaviour/collections.md). */
export type CollectionQuery = {
  /** Names of attributes, in the order of the row. */
  readonly fields: readonly string[]
  /** The objects to return with the rows. */
  readonly include: readonly IncludePath[]
  readonly where: readonly Filter[]
  readonly restrictions: Restrictions
  /** What its filters also require of states, which stores cannot evaluate; null if that is nothing. */
  readonly test: ((state: JsonObject) => boolean) | null
  /** Null if it counts nothing. */
  readonly counting: Counting | null
  readonly order: readonly Order[]
  /** The order of the rows: `order`, or that of a filter if it is empty. */
  readonly sequence: readonly Order[]
  /** The circle of `near` if the rows are in the order of distance; `order` is empty then. */
  readonly nearestTo: string | null
  readonly page: number
  readonly rpp: number
  /** Where the page starts, from a link to it; null if its number says so. */
  readonly after: PagePlace | null
}

const restrictionParsers: Readonly<Record<keyof Restrictions, ParameterParser<Restrictions>>> = {
  ids: (text) => E.map((ids: readonly string[]) => ({ ids }))(parseUuids(text)),
  notIds: (text) => E.map((notIds: readonly string[]) => ({ notIds }))(parseUuids(text)),
  words: (text) => E.map((terms: readonly SearchTerm[]) => ({ words: { terms } }))(parseSearchTerms(text)),
}

/** Every attribute that is returned for a single object is a field (docs/behaviour/collections.md#fields). */
const isField = (attribute: Attribute): boolean =>
  attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal)

/** What can be queried like a collection. */
export type Queryable = Pick<Resource, 'attributes' | 'orders' | 'filters' | 'subcollections' | 'facets'> &
  Visibility & {
    /** The fields of a row if the request names none; `url` by default. */
    readonly initialFields?: readonly string[]
  }

/** Options that a collection accepts only with the filter that selects a subcollection, by name. */
type Selected<A> = Readonly<Record<string, { readonly value: A; readonly of: Subcollection }>>

const selectedOnly = <A>(
  { subcollections = [] }: Queryable,
  always: Readonly<Record<string, unknown>>,
  valuesOf: (each: Subcollection) => Readonly<Record<string, A>>,
): Selected<A> =>
  Object.fromEntries(
    subcollections.flatMap((of) =>
      Object.entries(valuesOf(of)).flatMap(([name, value]) =>
        Object.hasOwn(always, name) ? [] : [[name, { value, of }] as const],
      ),
    ),
  )

/** Order options that a collection accepts only with the filter that selects a subcollection. */
export const selectedOrders = (queryable: Queryable): Selected<string> =>
  selectedOnly(queryable, queryable.orders, ({ orders }) => orders)

/** Filters that a collection accepts only with the filter that selects a subcollection. */
export const selectedFilters = (queryable: Queryable): Selected<CollectionFilter> =>
  selectedOnly(queryable, queryable.filters, ({ filters }) => filters)

/** The query that selects a subcollection, as it is in an address. */
export const selectionOf = ({ selectedBy: { filter, value } }: Subcollection): string => `${filter}=${value}`

const isSelected = ({ selectedBy: { filter, value } }: Subcollection, parameters: Parameters): boolean => {
  const sent = Object.hasOwn(parameters, filter) ? parameters[filter] : undefined
  return typeof sent === 'string' && sent.split(/[-,]/).every((word) => word === value)
}

const list = (names: Iterable<string>): string => [...names].join(', ')

/** An order option without a key, the filter that allows it, and the subcollection to which it is limited. */
type Nearest = { readonly option: string; readonly filter: string; readonly of?: Subcollection }

const nearestIn = (filters: CollectionFilters, of?: Subcollection): readonly Nearest[] =>
  Object.entries(filters).flatMap(([filter, known]) =>
    'restricts' in known || known.nearest === undefined
      ? []
      : [{ option: known.nearest, filter, ...(of === undefined ? {} : { of }) }],
  )

/** The order option without a key. */
export const nearestOf = ({ filters, subcollections = [] }: Queryable): Nearest | undefined =>
  [...nearestIn(filters), ...subcollections.flatMap((of) => nearestIn(of.filters, of))][0]

/** Every option that `order` accepts. */
export const orderOptionsOf = (queryable: Queryable): readonly string[] => {
  const nearest = nearestOf(queryable)
  return [
    ...[...Object.keys(queryable.orders), ...Object.keys(selectedOrders(queryable))].flatMap((option) => [
      option,
      `${option}.asc`,
      `${option}.desc`,
    ]),
    ...(nearest === undefined ? [] : [nearest.option, `${nearest.option}.asc`]),
  ]
}

/** Options by name, with the subcollection to which each is limited. */
type Options<A> = ReadonlyMap<string, { readonly value: A; readonly of: Subcollection | null }>

const optionsOf = <A>(always: Readonly<Record<string, A>>, selected: Selected<A>): Options<A> => {
  const options = new Map<string, { readonly value: A; readonly of: Subcollection | null }>()
  for (const [name, value] of Object.entries(always)) options.set(name, { value, of: null })
  for (const [name, option] of Object.entries(selected)) options.set(name, option)
  return options
}

/** Parses `fields` by the names that it accepts. */
const fieldsParser =
  (table: ReadonlyMap<string, string>): ParameterParser<readonly string[]> =>
  (text) => {
    const fields: string[] = []
    const unknown: string[] = []
    for (const sent of text.split(/[-,]/)) {
      const name = table.get(sent)
      if (name === undefined) unknown.push(`«${sent.slice(0, 60)}»`)
      else fields.push(name)
    }
    if (unknown.length > 0)
      return E.left(
        `unknown ${unknown.length === 1 ? 'name' : 'names'} ${list(unknown.slice(0, 5))}; the fields are ${list(table.keys())}`,
      )
    if (fields.length > pageLimits.fields) return E.left(`must name at most ${pageLimits.fields}`)
    return E.right(fields)
  }

/** Parses `order` by the options that a queryable has. */
const orderParser = (queryable: Queryable, nearest: Nearest | null): ParameterParser<readonly Order[]> => {
  const orders = optionsOf(queryable.orders, selectedOrders(queryable))
  return (text, parameters) => {
    const order: Order[] = []
    const options = text.split(/[-,]/)
    if (options.length > pageLimits.orders) return E.left(`must name at most ${pageLimits.orders} options`)
    for (const each of options) {
      const [option = '', direction = 'asc', ...rest] = each.split('.')
      const known = orders.get(option)
      const isNearest = nearest !== null && option === nearest.option
      const of = (isNearest ? nearest.of : known?.of) ?? null
      if (of !== null && !isSelected(of, parameters)) return E.left(`«${option}» needs ${selectionOf(of)}`)
      if (isNearest)
        return E.left(`«${option}» needs ${nearest.filter}, and to be the only option, ascending`)
      if (known === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
        const own = Object.keys(queryable.orders)
        return E.left(
          own.length === 0
            ? 'must not be sent: this collection has a fixed order'
            : `«${each.slice(0, 60)}» is not an option; the options are ${list(own)}, each with .asc or .desc`,
        )
      }
      const { value: key } = known
      if (!order.some((earlier) => earlier.key === key)) order.push({ key, direction })
    }
    return E.right(order)
  }
}

/** What a queryable accepts, compiled once. */
type QueryPlan = {
  /** The names that `fields` accepts → attribute names. */
  readonly fields: ReadonlyMap<string, string>
  readonly parseFields: ParameterParser<readonly string[]>
  readonly parseOrder: ParameterParser<readonly Order[]>
  readonly canInclude: boolean
  readonly nearest: Nearest | null
  readonly filters: Options<CollectionFilters[string]>
  /** The names of all parameters. */
  readonly names: ReadonlySet<string>
}

/** Whether a list has facets; without any, `facets` is no parameter. */
export const hasFacets = ({ facets = {} }: Pick<Queryable, 'facets'>): boolean =>
  Object.keys(facets).length > 0

const compileQuery = (queryable: Queryable): QueryPlan => {
  const canInclude = hasRelations(queryable)
  const filters = optionsOf(queryable.filters, selectedFilters(queryable))
  const fields = new Map([
    ...Object.entries(queryable.attributes)
      .filter(([, attribute]) => isField(attribute))
      .map(([name]) => [name, name] as const),
    ...Object.entries(queryable.attributes).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.fieldAlias !== undefined
        ? [[attribute.fieldAlias, name] as const]
        : [],
    ),
  ])
  const nearest = nearestOf(queryable) ?? null
  return {
    fields,
    parseFields: fieldsParser(fields),
    parseOrder: orderParser(queryable, nearest),
    canInclude,
    nearest,
    filters,
    names: new Set([
      'fields',
      'order',
      'after',
      'page',
      'rpp',
      ...(queryable.facets === undefined ? [] : ['total']),
      ...(hasFacets(queryable) ? ['facets'] : []),
      ...(canInclude ? ['include'] : []),
      ...filters.keys(),
    ]),
  }
}

// Queryables are declarations, so there are few.
const plans = new WeakMap<Queryable, QueryPlan>()

const queryPlan = (queryable: Queryable): QueryPlan => {
  let plan = plans.get(queryable)
  if (plan === undefined) plans.set(queryable, (plan = compileQuery(queryable)))
  return plan
}

/** The names that `fields` accepts → attribute names. */
export const fieldsOf = (queryable: Queryable): ReadonlyMap<string, string> => queryPlan(queryable).fields

/** The names of all filters, those of subcollections included. */
export const filterNamesOf = (queryable: Queryable): Iterable<string> => queryPlan(queryable).filters.keys()

/** The value of the filter that the order option needs; null with other options or without the filter. */
const nearestTo = ({ nearest }: QueryPlan, parameters: Parameters): string | null => {
  if (nearest === null) return null
  const { order, [nearest.filter]: circle } = parameters
  if (typeof circle !== 'string' || (order !== nearest.option && order !== `${nearest.option}.asc`))
    return null
  return nearest.of === undefined || isSelected(nearest.of, parameters) ? circle : null
}

const parseCount = (text: string, max: number): Either<string, number> =>
  /^\d{1,12}$/.test(text) && Number(text) >= 1 && Number(text) <= max
    ? E.right(Number(text))
    : E.left(`must be a whole number from 1 to ${max}`)

/** Decodes the parameters to a query, or returns all faults. Unknown parameters are faults with strict handling. */
export const parseCollectionQuery = (
  resource: Queryable,
  parameters: Parameters,
  viewer: Viewer,
  strict: boolean,
): Either<readonly Fault[], CollectionQuery> => {
  const { faults, read } = readingParameters(parameters)
  const plan = queryPlan(resource)
  const fields = read('fields', resource.initialFields ?? ['url'], plan.parseFields)
  const include = plan.canInclude ? read('include', [], (text) => parseInclude(resource, text)) : []
  const total = plan.names.has('total') && read('total', false, parseTotal)
  const facets = plan.names.has('facets')
    ? read<readonly string[]>('facets', [], (text) => parseFacets(resource.facets ?? {}, text))
    : []
  const circle = nearestTo(plan, parameters)
  const order = circle === null ? read('order', [], plan.parseOrder) : []
  const placed = read<PlacedPage | null>('after', null, parsePlace)
  const page = read('page', placed?.page ?? 1, (text) => parseCount(text, pageLimits.maxPage))
  const rpp = read('rpp', pageLimits.rpp, (text) => parseCount(text, pageLimits.maxRpp))
  let sequence = order
  const where: Filter[] = []
  const tests: ((state: JsonObject) => boolean)[] = []
  const restrictions: Restrictions = {}
  for (const [name, { value: filter, of }] of plan.filters) {
    if (!Object.hasOwn(parameters, name)) continue
    if ('restricts' in filter) {
      Object.assign(restrictions, read(name, {}, restrictionParsers[filter.restricts]))
      continue
    }
    const found = read<readonly Filter[]>(name, [], (text) => {
      if (of !== null && !isSelected(of, parameters)) return E.left(`needs ${selectionOf(of)}`)
      if (filter.narrows?.every((each) => parameters[each] === undefined) === true)
        return E.left(`needs ${filter.narrows.join(' or ')}`)
      const parsed = filter.parse(text, viewer, parameters)
      if (E.isRight(parsed) && filter.refine !== undefined) tests.push(filter.refine(text))
      return parsed
    })
    where.push(...found)
    if (filter.ordersRows && order.length === 0)
      sequence = filter.keys.map((key) => ({ key, direction: 'asc' }))
  }
  where.push(...visibilityOf(resource, viewer))
  if (strict) faults.push(...unknownParameters(parameters, plan.names))
  return faults.length > 0
    ? E.left(faults)
    : E.right({
        fields,
        include,
        restrictions,
        test: tests.length === 0 ? null : (state) => tests.every((test) => test(state)),
        counting: total || facets.length > 0 ? { total, facets } : null,
        order,
        sequence,
        nearestTo: circle,
        page,
        rpp,
        // Clients count on in a link, and leave the place of its page in it.
        after: placed?.page === page ? placed.after : null,
        where,
      })
}
