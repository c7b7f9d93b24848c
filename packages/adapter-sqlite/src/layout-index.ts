/** Indexes as text: always the same for the same declaration, so that they can be compared with the file's. */
import type { Order } from '@publishing-service/ports'
import { type KeyColumn, plainName } from './key-column.js'

export type LayoutIndex = {
  readonly name: string
  readonly sql: string
  /** The keys before the sequence, behind what the index always begins with; null for one that serves no order. */
  readonly order: readonly Order[] | null
}

/**
 * The sequence ascends behind a descending key too, since ties come in the order of their insertion whatever the
 * direction: an ascending index read backwards would give them reversed, and sorting them would read them all.
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

/** An index in each direction of its last key; the keys before it are mostly held equal. */
export const bothDirections = (keys: readonly string[]): readonly (readonly Order[])[] => [
  ascending(keys),
  [...ascending(keys.slice(0, -1)), ...keys.slice(-1).map((key) => ({ key, direction: 'desc' as const }))],
]

/** Each index once, though several declarations may ask for it. */
export const eachOnce = (orders: readonly (readonly Order[])[]): readonly (readonly Order[])[] => [
  ...new Map(orders.map((order) => [orderWords(order).join(' '), order])).values(),
]
