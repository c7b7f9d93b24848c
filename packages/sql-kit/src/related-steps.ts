/** The statement of related documents and group counts: one for all, so that a server is queried once. */
import {
  type CountedGroup,
  type Document,
  type FoundRelated,
  groupOfFilters,
  type NamedDocuments,
  type Related,
  type TextCount,
} from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import type { Dialect } from './dialect.js'
import { shownColumns, type ReadSteps } from './read-steps.js'
import { keyBytes, padded, type Parameter, type Row, type Steps } from './statement.js'
import type { CollectionLayout } from './layout.js'
import { batches } from './row-steps.js'

/** One SELECT of the statement. */
type Branch = {
  /** The same for all branches with the same text. */
  readonly form: string
  /** The text; `number` is its last column, and `next` returns the next placeholder. */
  readonly write: (number: number, next: () => string) => string
  readonly parameters: readonly Parameter[]
  readonly add: (row: Row) => void
}

/** The column of the number of the branch: after those of a document. */
const numberColumn = 5

/** Texts of statements that are cached. */
const mostTexts = 1000

export const relatedSteps = (
  named: (collection: string) => { readonly layout: CollectionLayout; readonly reads: ReadSteps },
  { nameFrom, nameParameter, placeholder, textSql }: Dialect,
) => {
  const texts = new LRUCache<string, string>({ max: mostTexts })

  const branchOfDocuments = (
    instance: number,
    { collection, ids, detail }: NamedDocuments,
    found: Document[],
  ): Branch => {
    const { layout, reads } = named(collection)
    const names = padded(ids).map((id) => nameParameter(id.toWellFormed()))
    return {
      form: `${collection} ${detail} ${names.length}`,
      // A row is returned once, however often its id is named.
      write: (number, next) =>
        `SELECT ${shownColumns[detail]}, ${number} FROM ${layout.documents} AS d WHERE d.instance = ${next()} AND d.id IN (${names.map(next).join(', ')})`,
      parameters: [instance, ...names],
      add: (row) => found.push(reads.documentFrom(row)),
    }
  }

  /** Null if no document can be in the group. */
  const branchOfCounts = (
    instance: number,
    { collection, key, within }: CountedGroup,
    found: TextCount[],
  ): Branch | null => {
    const { table, columns } = named(collection).reads.groupCount(key, within)
    const values = groupOfFilters(columns, within)
    return values === null
      ? null
      : {
          form: table,
          write: (number, next) =>
            `SELECT documents, NULL, ${textSql('text')}, NULL, NULL, ${number} FROM ${table} WHERE instance = ${next()}${columns.map(({ column }) => ` AND ${column} = ${next()}`).join('')}`,
          parameters: [instance, ...values.map(keyBytes)],
          add: ([count, , text = null]) => found.push({ text: nameFrom(text), count: Number(count) }),
        }
  }

  const textOf = (branches: readonly Branch[]): string => {
    const form = branches.map((each) => each.form).join()
    const written = texts.get(form)
    if (written !== undefined) return written
    let placeholders = 0
    const next = (): string => placeholder((placeholders += 1))
    const sql = branches.map(({ write }, number) => write(number, next)).join(' UNION ALL ')
    texts.set(form, sql)
    return sql
  }

  return function* (instance: number, related: Related): Steps<FoundRelated> {
    const branches: Branch[] = []
    const documents = related.documents.map((each) => {
      const found: Document[] = []
      if (each.ids.length > 0) branches.push(branchOfDocuments(instance, each, found))
      return found
    })
    const counts = related.counts.map((each) => {
      const found: TextCount[] = []
      const branch = branchOfCounts(instance, each, found)
      if (branch !== null) branches.push(branch)
      return found
    })
    // Databases limit how many branches a statement has.
    for (const batch of batches(branches)) {
      const { rows } = yield {
        sql: textOf(batch),
        parameters: batch.flatMap(({ parameters }) => parameters),
      }
      for (const row of rows) batch[Number(row[numberColumn])]?.add(row)
    }
    return { documents, counts }
  }
}
