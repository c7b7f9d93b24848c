import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import { crashCollections, documentStoreCrashes } from '@publishing-service/conformance'
import { openWriter } from './open-connection.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { temporaryFolders } from './test-support/fixture.js'

const writer = fileURLToPath(new URL('./test-processes/write-until-killed.js', import.meta.url))

documentStoreCrashes({
  name: 'sqliteDocumentStore',
  prepare: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
    const file = join(folder, 'documents.sqlite')
    return {
      program: (name) => [writer, file, name],
      open: () => sqliteDocumentStore({ file, collections: crashCollections }),
      inspect: async () => {
        const database = new Database(file)
        expect(database.pragma('integrity_check', { simple: true })).to.equal('ok')
        database.close()
      },
      dispose: () => rm(folder, { recursive: true }),
    }
  },
})

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
