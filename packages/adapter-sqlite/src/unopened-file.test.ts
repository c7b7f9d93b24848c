import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectExamined } from '@publishing-service/conformance'
import { describe, it } from 'mocha'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { temporaryFolders } from './test-support/fixture.js'
import { examineSqliteFile } from './unopened-file.js'

describe('a file that is not opened', () => {
  const folder = temporaryFolders()

  it('is examined: what opening does with each collection, and its documents, without a change', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await writeFile(file, '')
    await expectExamined({
      open: (collections) => sqliteDocumentStore({ file, collections }),
      examine: (collections, read) => examineSqliteFile({ file, collections }, read),
    })
  })
})
