import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { openWriter } from './open-connection.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { temporaryFolders } from './test-support/fixture.js'

describe('What sqliteDocumentStore has acknowledged', () => {
  const folder = temporaryFolders()

  it('is on the disk: commits wait for it', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await (await sqliteDocumentStore({ file, collections: [things] })).close()
    const database = openWriter(file, 1000, null)
    const settings = ['synchronous', 'journal_mode'].map((name) => database.pragma(name, { simple: true }))
    expect(settings).to.deep.equal([2, 'wal'])
    database.close()
  })
})
