import {
  badParameters,
  E,
  mostJsonBytes,
  pageLimits,
  pageTooLarge,
  rowBytes,
  type Either,
  type Json,
} from '@publishing-service/domain'
import type { Failure } from '../failure.js'

type Row = readonly Json[]

/** Collects the rows of a page. `add` returns a failure if they exceed the size limit of a page. */
export const createPageRows = (fields: readonly string[]) => {
  const rows: Row[] = []
  // Most pages are far below the limit, so their texts need not be read to know that.
  let most = 0
  let [measured, bytes] = [0, 0]
  return {
    rows,
    add: (row: Row): Failure | null => {
      rows.push(row)
      most += rowBytes(fields, row, mostJsonBytes)
      if (most <= pageLimits.bytes) return null
      for (const each of rows.slice(measured)) bytes += rowBytes(fields, each)
      measured = rows.length
      return bytes > pageLimits.bytes ? badParameters(pageTooLarge) : null
    },
  }
}

/** The rows of a page, or a failure if they exceed its size limit. */
export const pageRows = (
  fields: readonly string[],
  rows: readonly Row[],
): Either<Failure, readonly Row[]> => {
  const page = createPageRows(fields)
  for (const row of rows) {
    const failure = page.add(row)
    if (failure !== null) return E.left(failure)
  }
  return E.right(page.rows)
}
