/**
 * Conditions of a query as filters of MongoDB. Absent values equal null and sort first. MongoDB compares only values of
 * one type, so an upper bound is written as the negation of a lower bound.
 */
import type { Document } from 'mongodb'
import type { TextRange } from '@publishing-service/domain'
import type { Condition, KeyValue, Order, PlainType } from '@publishing-service/ports'
import { keyPath, textsPath } from './collection-layout.js'

export const equalTo = (key: string, value: KeyValue): Document => ({ [keyPath(key)]: value })

/** Values before this one, absent values included. */
const before = (key: string, value: Exclude<KeyValue, null>): Document => ({
  [keyPath(key)]: { $not: { $gte: value } },
})

/** The smallest value of each type that is not absent. */
const least = { text: '', number: -Number.MAX_VALUE, boolean: false } as const

const above = (key: string, type: PlainType, value: KeyValue): Document => ({
  [keyPath(key)]: value === null ? { $gte: least[type] } : { $gt: value },
})

/** Values after this one in the order; null if there can be none. */
export const afterValue = ({ key, direction }: Order, type: PlainType, value: KeyValue): Document | null => {
  if (direction === 'asc') return above(key, type, value)
  return value === null ? null : before(key, value)
}

/** A list with a text of a range. */
export const textInRange = (path: string, { atLeast, below, endsAbove }: TextRange): Document => {
  const inRange = { [path]: { $elemMatch: { $gte: atLeast, $lt: below } } }
  if (endsAbove === undefined) return inRange
  const afterSlash = { $add: [{ $indexOfCP: ['$$text', '/'] }, 1] }
  const end = { $substrCP: ['$$text', afterSlash, { $strLenCP: '$$text' }] }
  const isIn = [{ $gte: ['$$text', atLeast] }, { $lt: ['$$text', below] }, { $gt: [end, endsAbove] }]
  const found = { $filter: { input: `$${path}`, as: 'text', cond: { $and: isIn } } }
  return { $and: [inRange, { $expr: { $ne: [found, []] } }] }
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
    case 'has in':
      return textInRange(textsPath(condition.key), condition.range)
    case 'any of':
      return { $or: condition.groups.map((group) => ({ $and: group.map(filterOf) })) }
  }
}
