/** The statement of related documents and group counts: one for all, so that a server is queried once. */
import {
  type CountedGroup,
  type Document,
  type FoundRelated,
  groupOfFilters,
  type KeyValue,
  type NamedDocuments,
  type Related,
  type TextCount,
} from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import type { Dialect } from './dialect.js'
import { fixedColumns, shownColumns, type ReadSteps } from './read-steps.js'
import { keyBytes, padded, type Parameter, type Row, type Steps } from './statement.js'
import type { CollectionLayout, CountTable } from './layout.js'

/** One SELECT of the statement. */
type Branch = {
  /** The same for all branches with the same text. */
  readonly form: string
  /** `fixedColumns` columns, and what they are selected from; `next` returns the next placeholder. */
  readonly columns: string
  readonly from: (next: () => string) => string
  readonly parameters: readonly Parameter[]
  /** A column of names; of counts of several groups, the group of a row. */
  readonly group: string
  readonly hasGroups: boolean
  readonly add: (row: Row) => void
}

/** Groups of a table of counts. Several are by one key, a text. */
type Groups = {
  readonly table: CountTable
  /** By their values in JSON, each with what is found of it. */
  readonly all: Map<string, { readonly values: readonly KeyValue[]; readonly counts: TextCount[] }>
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
      columns: shownColumns[detail],
      // A row is returned once, however often its id is named.
      from: (next) =>
        `${layout.documents} AS d WHERE d.instance = ${next()} AND d.id IN (${names.map(next).join(', ')})`,
      parameters: [instance, ...names],
      group: 'd.id',
      hasGroups: false,
      add: (row) => found.push(reads.documentFrom(row)),
    }
  }

  const branchOfCounts = (instance: number, { table: { table, columns }, all }: Groups): Branch => {
    const hasGroups = all.size > 1
    const groups = padded([...all.values()])
    const byText = new Map(groups.map(({ values: [text], counts }) => [text ?? '', counts]))
    return {
      form: `${table} ${groups.length}`,
      columns: `documents, NULL, ${textSql('text')}, NULL, NULL`,
      from: (next) => {
        const [of, given] = [next(), groups.map(({ values }) => values.map(next))]
        const tests = columns.map(
          ({ column }, i) => `${column} IN (${given.map((each) => each[i]).join(', ')})`,
        )
        return `${table} WHERE ${[`instance = ${of}`, ...tests].join(' AND ')}`
      },
      parameters: [instance, ...groups.flatMap(({ values }) => values.map(keyBytes))],
      group: textSql(columns[0]?.column ?? 'text'),
      hasGroups,
      add: (row) => {
        const [count, , text = null] = row
        const counts = hasGroups ? byText.get(nameFrom(row[fixedColumns + 1] ?? null)) : groups[0]?.counts
        counts?.push({ text: nameFrom(text), count: Number(count) })
      },
    }
  }

  const write = (branches: readonly Branch[]): string => {
    let placeholders = 0
    const next = (): string => placeholder((placeholders += 1))
    const hasGroups = branches.some((each) => each.hasGroups)
    return branches
      .map(({ columns, group, from }, number) => {
        const last = hasGroups ? `, ${group}` : ''
        return `SELECT ${columns}, ${number}${last} FROM ${from(next)}`
      })
      .join(' UNION ALL ')
  }

  /** The groups by their tables, those of several keys one by one. Adds to `counts` what is found of each. */
  const groupsOf = (requested: readonly CountedGroup[], counts: TextCount[][]): Iterable<Groups> => {
    const joined = new Map<string, Groups>()
    for (const { collection, key, within } of requested) {
      const table = named(collection).reads.groupCount(key, within)
      const values = groupOfFilters(table.columns, within)
      const group = JSON.stringify(values)
      const isText = table.columns.length === 1 && table.columns[0]?.type === 'text'
      const name = isText ? table.table : `${table.table} ${group}`
      const { all } = joined.get(name) ?? { all: new Map() }
      const found = all.get(group)?.counts ?? []
      counts.push(found)
      // No document can be in the group.
      if (values === null) continue
      all.set(group, { values, counts: found })
      joined.set(name, { table, all })
    }
    return joined.values()
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
    for (const each of groupsOf(related.counts, counts)) branches.push(branchOfCounts(instance, each))
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
