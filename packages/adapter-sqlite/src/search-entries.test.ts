import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { right, temporaryFolders } from './test-support/fixture.js'

describe('Entries of the search index', () => {
  const folder = temporaryFolders()

  it('are merged by a step that finds no outdated entry', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const searched = {
      ...things,
      searched: [{ name: 'title', level: 'title' as const, isMarkup: false }],
    }
    const store = await sqliteDocumentStore({ file, collections: [searched] })
    const database = new Database(file, { readonly: true })
    const segments = database
      .prepare<[], number>('SELECT count(DISTINCT segid) FROM "search.things.tokens_idx"')
      .pluck()
    const words = { terms: [{ readings: [['word']], isPrefix: false }] }
    const found = async () =>
      (
        await right(
          store.find('things', 1, { where: [], order: [], words, skip: 0, limit: 50, detail: 'light' }),
        )
      ).documents.map(({ id }) => id)
    try {
      const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
      for (const id of ids)
        await right(store.insert('things', 1, { id, unique: null, value: { title: `word ${id}` } }))
      expect(segments.get()).to.equal(20)
      // The first step is on all documents, and the second ends the pass.
      for (let step = 0; step < 2; step++)
        await right(store.searchIndex?.index('things') ?? expect.fail('no index'))
      expect(segments.get()).to.be.below(4)
      expect(await found()).to.deep.equal(ids)
    } finally {
      database.close()
      await store.close()
    }
  })
})
