/** Indexes as text: the same for the same declaration, so that they can be compared with those of the file. */
import type { Order } from '@publishing-service/ports'
import { type KeyColumn, plainName } from './key-column.js'

export type LayoutIndex = {
  readonly name: string
  readonly sql: string
  /** The keys between the fixed first columns and the sequence number; null for an index that serves no order. */
  readonly order: readonly Order[] | null
}

/**
 * The sequence number ascends also after a descending key, because ties are ordered by insertion in both directions. An
 * ascending index read backwards would reverse them, and sorting them would read all of them.
 */
export const orderTerms = (
  table: string,
  order: readonly Order[],
  keys: ReadonlyMap<string, KeyColumn>,
): readonly string[] =>
  order.map(({ key, direction }) => {
    const column = keys.get(key)?.column
    if (column === undefined) throw new Error(`${table} has an index over ${key}, which is no key`)
    return direction === 'asc' ? column : `${column} DESC`
  })

export const orderWords = (order: readonly Order[]): readonly string[] =>
  order.map(({ key, direction }) => `${plainName(key)}_${direction}`)

const ascending = (keys: readonly string[]): Order[] => keys.map((key) => ({ key, direction: 'asc' }))

/** An index in each direction of its last key; filters usually require one value of the keys before it. */
export const bothDirections = (keys: readonly string[]): readonly (readonly Order[])[] => [
  ascending(keys),
  [...ascending(keys.slice(0, -1)), ...keys.slice(-1).map((key) => ({ key, direction: 'desc' as const }))],
]

/** Each index once, even if several declarations need it. */
export const eachOnce = (orders: readonly (readonly Order[])[]): readonly (readonly Order[])[] => [
  ...new Map(orders.map((order) => [orderWords(order).join(' '), order])).values(),
]
