import type { JsonObject } from '@publishing-service/domain/json'
import { resourceNamed } from './place.js'

/** The fields that name an object in lists, the first that has a value first. */
const titleFields = ['title', 'last_name_or_title', 'pattern', 'comment', 'filename', 'urlname'] as const

/** The fields of a collection from which `titleIn` makes a title. */
export const titleFieldsOf = (collection: string): readonly string[] => {
  const columns = resourceNamed(collection)?.columns ?? []
  return titleFields.filter((name) => columns.includes(name))
}

/** The field that names an object of a collection; undefined if it has none. */
export const titleFieldOf = (collection: string): string | undefined => titleFieldsOf(collection)[0]

/** What an object is called; null if it has no name. */
export const titleIn = (row: JsonObject): string | null => {
  for (const name of titleFields) {
    const value = row[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
