/** A collection with words, and what a file has of these. */
import { Database } from '../better-sqlite3.js'
import type { Collection } from '@publishing-service/ports'

/** A collection whose titles are searched. */
export const articles: Collection = {
  name: 'articles',
  heavy: [],
  keys: {},
  indexes: [],
  groupCounts: [],
  searched: [{ name: 'title', level: 'title', isMarkup: false }],
}

/** A count of rows of the table whose name ends so. */
const countIn = (file: string, end: string, counted: string): number => {
  const database = new Database(file, { readonly: true })
  try {
    const table = database
      .prepare<[string], string>(`SELECT name FROM sqlite_schema WHERE name LIKE ?`)
      .pluck()
      .get(`articles%${end}`)
    return Number(database.prepare(`SELECT count(${counted}) FROM "${table}"`).pluck().get())
  } finally {
    database.close()
  }
}

/** The documents whose words are not indexed yet. */
export const unindexed = (file: string): number => countIn(file, '_unindexed', '*')

/** The segments of the index of words, all of which a search reads. */
export const segments = (file: string): number => countIn(file, '_tokens_idx', 'DISTINCT segid')
