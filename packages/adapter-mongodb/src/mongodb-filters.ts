/**
 * Conditions of a query as filters of MongoDB. Absent values equal null and sort first. MongoDB compares only values of
 * one type, so an upper bound is written as the negation of a lower bound.
 */
import type { Document } from 'mongodb'
import type { TextRange } from '@publishing-service/domain/filters'
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

const codeOf = (character: string): string => `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`

/**
 * A regular expression for texts whose part after the first space is greater than the bound: it continues the bound, or has
 * a greater character after a part of it. Not every server of the protocol can compare a part of a text, or objects in a
 * list.
 */
const endsAfter = (bound: string): string => {
  const characters = [...bound]
  const greater = characters.map(
    (character, i) => `${characters.slice(0, i).map(codeOf).join('')}[^\\x{0}-${codeOf(character)}]`,
  )
  return `^[^ ]* (?:${[...greater, `${characters.map(codeOf).join('')}.`].join('|')})`
}

/** A list with a text of a range. */
export const hasTextIn = (key: string, { atLeast, below, endsAbove }: TextRange): Document => ({
  [textsPath(key)]: {
    $elemMatch: {
      $gte: atLeast,
      $lt: below,
      ...(endsAbove === undefined ? {} : { $regex: endsAfter(endsAbove), $options: 's' }),
    },
  },
})

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
    case 'has none':
      return { [textsPath(condition.key)]: { $nin: condition.texts } }
    case 'has in':
      return hasTextIn(condition.key, condition.range)
    case 'any of':
      return { $or: condition.groups.map((group) => ({ $and: group.map(filterOf) })) }
  }
}
