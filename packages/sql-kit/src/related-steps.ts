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
import { fixedColumns, shownColumns, type ReadSteps } from './read-steps.js'
import { keyBytes, padded, type Parameter, type Row, type Steps } from './statement.js'
import type { CollectionLayout } from './layout.js'

/** One SELECT of the statement. */
type Branch = {
  /** The same for all branches with the same text. */
  readonly form: string
  /** The text; `number` is its last column, and `next` returns the next placeholder. */
  readonly write: (number: number, next: () => string) => string
  readonly parameters: readonly Parameter[]
  readonly add: (row: Row) => void
}

/** Branches of one statement: databases limit them. */
const mostBranches = 100

/** Parameters of one statement with several branches, so that there are few statements with many. */
const mostParameters = 512

/** Characters of the texts of statements that are cached. */
const cachedTexts = 4 * 1024 * 1024

export const relatedSteps = (
  named: (collection: string) => { readonly layout: CollectionLayout; readonly reads: ReadSteps },
  { nameFrom, nameParameter, placeholder, textSql }: Dialect,
) => {
  const texts = new LRUCache<string, string>({
    maxSize: cachedTexts,
    sizeCalculation: (text) => text.length,
  })

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

  const write = (branches: readonly Branch[]): string => {
    let placeholders = 0
    const next = (): string => placeholder((placeholders += 1))
    return branches.map((each, number) => each.write(number, next)).join(' UNION ALL ')
  }

  return function* (instance: number, related: Related): Steps<FoundRelated> {
    const branches: Branch[] = []
    const documents: Document[][] = []
    for (const each of related.documents) {
      const found: Document[] = []
      documents.push(found)
      if (each.ids.length > 0) branches.push(branchOfDocuments(instance, each, found))
    }
    const counts: TextCount[][] = []
    for (const each of related.counts) {
      const found: TextCount[] = []
      counts.push(found)
      const branch = branchOfCounts(instance, each, found)
      if (branch !== null) branches.push(branch)
    }
    for (let start = 0; start < branches.length;) {
      const batch: Branch[] = []
      const parameters: Parameter[] = []
      let form = ''
      for (const each of branches.slice(start, start + mostBranches)) {
        if (batch.length > 0 && parameters.length + each.parameters.length > mostParameters) break
        batch.push(each)
        parameters.push(...each.parameters)
        form += `${each.form},`
      }
      start += batch.length
      let sql = texts.get(form)
      if (sql === undefined) texts.set(form, (sql = write(batch)))
      const { rows } = yield { sql, parameters }
      for (const row of rows) batch[Number(row[fixedColumns])]?.add(row)
    }
    return { documents, counts }
  }
}
