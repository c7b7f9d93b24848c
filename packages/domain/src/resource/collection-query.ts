import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { Attribute } from './attribute.js'
import type { Filter, Order } from './filter.js'
import type { Resource } from './resource.js'
import type { Viewer } from './view-context.js'

export const pageLimits = { rpp: 20, maxRpp: 100, maxPage: 1_000_000_000, fields: 200, orders: 10 } as const

/** What a request asks of a collection (decisions §4). */
export type CollectionQuery = {
  /** Attribute names, in the order of the row. */
  readonly fields: readonly string[]
  readonly where: readonly Filter[]
  readonly order: readonly Order[]
  readonly page: number
  readonly rpp: number
}

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

const isField = (attribute: Attribute): boolean => {
  if (attribute.kind === 'computed') return false
  if (attribute.kind === 'derived') return attribute.plain
  const { key } = attribute.type
  return key !== undefined && key !== 'texts' && !(attribute.kind === 'stored' && attribute.internal)
}

/** What a collection can be asked: a resource, or something listed like one. */
export type Queryable = Pick<Resource, 'attributes' | 'orders' | 'filters' | 'fieldAliases' | 'visibility'>

const fieldTables = new WeakMap<Queryable, ReadonlyMap<string, string>>()

/** The names that `fields` takes → attribute names. */
export const fieldsOf = (resource: Queryable): ReadonlyMap<string, string> => {
  let table = fieldTables.get(resource)
  if (table === undefined) {
    table = new Map([
      ...Object.entries(resource.attributes)
        .filter(([, attribute]) => isField(attribute))
        .map(([name]): [string, string] => [name, name]),
      ...Object.entries(resource.fieldAliases ?? {}),
    ])
    fieldTables.set(resource, table)
  }
  return table
}

const list = (names: Iterable<string>): string => [...names].join(', ')

const parseFields = (resource: Queryable, text: string): Either<string, readonly string[]> => {
  const table = fieldsOf(resource)
  const sent = text.split(/[-,]/)
  const unknown = sent.filter((name) => !table.has(name))
  if (unknown.length > 0)
    return E.left(
      `unknown ${unknown.length === 1 ? 'name' : 'names'} ${unknown
        .slice(0, 5)
        .map((name) => `«${name.slice(0, 60)}»`)
        .join(', ')}; there are ${list(table.keys())}`,
    )
  if (sent.length > pageLimits.fields) return E.left(`must name at most ${pageLimits.fields}`)
  return E.right(sent.map((name) => table.get(name) ?? name))
}

const parseOrder = (resource: Queryable, text: string): Either<string, readonly Order[]> => {
  const order: Order[] = []
  const options = text.split(/[-,]/)
  if (options.length > pageLimits.orders) return E.left(`must name at most ${pageLimits.orders} options`)
  for (const each of options) {
    const [option = '', direction = 'asc', ...rest] = each.split('.')
    const key = Object.hasOwn(resource.orders, option) ? resource.orders[option] : undefined
    if (key === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc'))
      return E.left(
        `«${each.slice(0, 60)}» is not an option; there are ${list(Object.keys(resource.orders))}, each with .asc or .desc`,
      )
    if (!order.some((earlier) => earlier.key === key)) order.push({ key, direction })
  }
  return E.right(order)
}

const parseCount = (text: string, max: number): Either<string, number> =>
  /^\d{1,12}$/.test(text) && Number(text) >= 1 && Number(text) <= max
    ? E.right(Number(text))
    : E.left(`must be a whole number from 1 to ${max}`)

/** The query that the parameters mean, with every faulty parameter told; unknown ones only when handling is strict. */
export const parseCollectionQuery = (
  resource: Queryable,
  parameters: Parameters,
  viewer: Viewer,
  strict: boolean,
): Either<readonly Fault[], CollectionQuery> => {
  const faults: Fault[] = []
  const read = <A>(name: string, initial: A, parse: (text: string) => Either<string, A>): A => {
    const sent = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (sent === undefined) return initial
    const result = typeof sent === 'string' ? parse(sent) : E.left('must be given once')
    if (E.isRight(result)) return result.right
    faults.push(fault(name, result.left))
    return initial
  }
  const fields = read('fields', ['url'], (text) => parseFields(resource, text))
  const order = read('order', [], (text) => parseOrder(resource, text))
  const page = read('page', 1, (text) => parseCount(text, pageLimits.maxPage))
  const rpp = read('rpp', pageLimits.rpp, (text) => parseCount(text, pageLimits.maxRpp))
  const where = Object.entries(resource.filters).flatMap(([name, filter]) =>
    read<readonly Filter[]>(name, [], (text) => filter.parse(text, viewer)),
  )
  if (strict)
    for (const name of Object.keys(parameters))
      if (!['fields', 'order', 'page', 'rpp'].includes(name) && !Object.hasOwn(resource.filters, name))
        faults.push(fault(name, 'is not a parameter of this collection'))
  return faults.length > 0
    ? E.left(faults)
    : E.right({ fields, order, page, rpp, where: [...where, ...(resource.visibility?.(viewer) ?? [])] })
}
