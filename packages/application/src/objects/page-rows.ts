import { badParameters } from '@publishing-service/domain'
import { mostJsonBytes, type Json } from '@publishing-service/domain/json'
import { pageLimits, pageTooLarge } from '@publishing-service/domain/lists'
import { rowBytes } from '@publishing-service/domain/engine'

type Row = readonly Json[]

/** Collects the rows of a page. `add` throws BadParameters if they exceed the size limit of a page. */
export const createPageRows = (fields: readonly string[]) => {
  const rows: Row[] = []
  // Most pages are far below the limit, so their texts need not be read to know that.
  let most = 0
  let [measured, bytes] = [0, 0]
  return {
    rows,
    add: (row: Row): void => {
      rows.push(row)
      most += rowBytes(fields, row, mostJsonBytes)
      if (most <= pageLimits.bytes) return
      for (const each of rows.slice(measured)) bytes += rowBytes(fields, each)
      measured = rows.length
      if (bytes > pageLimits.bytes) throw badParameters(pageTooLarge)
    },
  }
}

/** The rows of a page; throws BadParameters if they exceed its size limit. */
export const pageRows = (fields: readonly string[], rows: readonly Row[]): readonly Row[] => {
  const page = createPageRows(fields)
  for (const row of rows) page.add(row)
  return page.rows
}
