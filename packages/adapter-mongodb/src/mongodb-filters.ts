/**
 * Conditions of a query as filters of MongoDB. Absent values are null to it and come before all others; but its
 * comparisons stay within one type, so that an upper bound is written as the denial of a lower one.
 */
import type { Document } from 'mongodb'
import type { Condition, KeyValue, Order, PlainType } from '@publishing-service/ports'
import { keyPath, textsPath } from './collection-layout.js'

export const equalTo = (key: string, value: KeyValue): Document => ({ [keyPath(key)]: value })

/** What comes before the value, absent values too. */
const before = (key: string, value: Exclude<KeyValue, null>): Document => ({
  [keyPath(key)]: { $not: { $gte: value } },
})

/** The least value of each type that isn't absent. */
const least = { text: '', number: -Number.MAX_VALUE, boolean: false } as const

const above = (key: string, type: PlainType, value: KeyValue): Document => ({
  [keyPath(key)]: value === null ? { $gte: least[type] } : { $gt: value },
})

/** What comes behind the value in the direction of the order; null where nothing can. */
export const afterValue = ({ key, direction }: Order, type: PlainType, value: KeyValue): Document | null => {
  if (direction === 'asc') return above(key, type, value)
  return value === null ? null : before(key, value)
}

export const filterOf = (condition: Condition): Document => {
  switch (condition.is) {
    case 'equal':
      return equalTo(condition.key, condition.value)
    case 'one of':
      return { [keyPath(condition.key)]: { $in: condition.values } }
    case 'above':
      return above(condition.key, condition.type, condition.value)
    case 'at least':
      return { [keyPath(condition.key)]: { $gte: condition.value } }
    case 'below':
      return before(condition.key, condition.value)
    case 'at most':
      return { [keyPath(condition.key)]: { $not: { $gt: condition.value } } }
    case 'has':
      return { [textsPath(condition.key)]: condition.text }
    case 'any of':
      return { $or: condition.groups.map((group) => ({ $and: group.map(filterOf) })) }
  }
}
