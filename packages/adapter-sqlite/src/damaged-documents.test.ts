import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { unreadable } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

describe('Documents that are damaged in the file', () => {
  const folder = temporaryFolders()
  it('are returned as unreadable, and do not fail the read of others', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [things] })
    for (const title of ['a', 'b', 'c', 'd'])
      await right(store.insert('things', 1, { id: title, unique: title, value: { title } }))
    const database = new Database(file)
    database.prepare("UPDATE documents_things SET light = substr(light, 1, 5) WHERE id = 'b'").run()
    database.prepare("UPDATE documents_things SET light = '[7]' WHERE id = 'c'").run()
    database.close()
    const ids = ['a', 'b', 'c', 'd']
    const order = [{ key: 'title', direction: 'asc' }] as const
    const isReadable = [true, false, false, true]
    for (const detail of ['light', 'full'] as const) {
      const { documents } = await right(store.find('things', 1, { ...all, order, detail }))
      expect(documents.map(({ id }) => id)).to.deep.equal(ids)
      expect(documents.map(({ value }) => value !== unreadable)).to.deep.equal(isReadable)
      const many = await right(store.getMany('things', 1, ids, detail))
      const values = new Map(many.map(({ id, value }) => [id, value]))
      expect(ids.map((id) => values.get(id) !== unreadable)).to.deep.equal(isReadable)
    }
    expect((await right(store.get('things', 1, 'b')))?.value).to.equal(unreadable)
    await store.close()
  })

  it('do not prevent the completion of the search index', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const searched = [{ name: 'title', level: 'title', isMarkup: false }] as const
    const store = await sqliteDocumentStore({ file, collections: [{ ...things, searched }] })
    for (const title of ['first', 'second'])
      await right(store.insert('things', 1, { id: title, unique: title, value: { title } }))
    const database = new Database(file)
    database.prepare("UPDATE documents_things SET light = substr(light, 1, 5) WHERE id = 'first'").run()
    database.close()
    const { searchIndex } = store
    if (searchIndex === undefined) return expect.fail('no search index')
    await right(searchIndex.remove('things'))
    for (let calls = 0; !(await right(searchIndex.index('things'))).isCurrent; calls += 1)
      expect(calls).to.be.below(5)
    const words = { terms: [{ readings: [['second']], isPrefix: false }] }
    const { documents } = await right(store.find('things', 1, { ...all, words }))
    expect(documents.map(({ id }) => id)).to.deep.equal(['second'])
    await store.close()
  })
})
