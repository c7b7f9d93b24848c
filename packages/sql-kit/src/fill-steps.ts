/** Fills new tables with many documents, for benchmarks: a migration creates their indexes after the last one. */
import { type Document, documentText, type NewDocument } from '@publishing-service/ports'
import { copySteps } from './copy-steps.js'
import type { Dialect } from './dialect.js'
import { layoutNamed, type Layouts } from './layout.js'
import { plainStatement, type Steps } from './statement.js'

export type FilledDocument = {
  readonly collection: string
  readonly instance: number
  readonly document: NewDocument & Pick<Document, 'position'>
}

/** Documents after which all statements have to return, so that few of them wait in memory. */
const sentAtOnce = 1000

/** For `migrate`. No two documents of a collection have the same id, unique text or position. */
export const fillSteps = (
  layouts: Layouts,
  dialect: Dialect,
  documents: Iterable<FilledDocument>,
): (() => Steps<void>) =>
  function* () {
    const { insert, end } = copySteps(dialect)
    let sent = 0
    for (const { collection, instance, document } of documents) {
      const layout = layoutNamed(layouts, collection)
      const { light, heavy } = documentText(document.value, layout.heavy)
      yield* insert(layout, instance, { version: 1, ...document, light, heavy })
      sent += 1
      if (sent % sentAtOnce === 0) yield plainStatement('SELECT 1')
    }
    yield* end()
  }
