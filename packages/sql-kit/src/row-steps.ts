/** Statements about many rows, in batches. */
import { type Parameter, type Parameters, type Statement, statementsWith, type Steps } from './statement.js'

/** Rows that one statement inserts. */
export const rowsAtOnce = 100

export const batches = <A>(all: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, i) =>
    all.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  )

export const rowSteps = (placeholder: (index: number) => string) => {
  const statement = statementsWith(placeholder)

  const blind = (write: (parameters: Parameters) => string): Statement => ({
    ...statement(write),
    isBlind: true,
  })

  function* insertRows(
    rows: readonly (readonly Parameter[])[],
    insertOf: (values: string) => string,
  ): Steps<void> {
    for (const batch of batches(rows))
      yield blind((parameters) => insertOf(batch.map((row) => `(${parameters.addAll(row)})`).join(', ')))
  }

  return { statement, blind, insertRows }
}
