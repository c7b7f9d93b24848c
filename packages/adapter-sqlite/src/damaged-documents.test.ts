import { changes } from '@publishing-service/conformance'
import { join } from 'node:path'
import { Database } from './better-sqlite3.js'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { unreadable, singleReads } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

/** Replaces the light text of a document by that of an SQL expression. */
const damage = (database: Database, id: string, light: string): void => {
  const [table = ''] = database.prepare<[], string>('SELECT documents FROM publishing_layouts').pluck().all()
  database.prepare(`UPDATE ${table} SET light = ${light} WHERE id = ?`).run(id)
}

describe('Documents that are damaged in the file', () => {
  const folder = temporaryFolders()
  it('are returned as unreadable, and do not fail the read of others', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [things] })
    for (const title of ['a', 'b', 'c', 'd'])
      await right(changes(store).insert('things', 1, { id: title, unique: title, value: { title } }))
    const database = new Database(file)
    damage(database, 'b', 'substr(light, 1, 5)')
    damage(database, 'c', "'[7]'")
    database.close()
    const ids = ['a', 'b', 'c', 'd']
    const order = [{ key: 'title', direction: 'asc' }] as const
    const isReadable = [true, false, false, true]
    for (const detail of ['light', 'full'] as const) {
      const { documents } = await right(store.find('things', 1, { ...all, order, detail }))
      expect(documents.map(({ id }) => id)).to.deep.equal(ids)
      expect(documents.map(({ value }) => value !== unreadable)).to.deep.equal(isReadable)
      const many = await right(singleReads(store).getMany('things', 1, ids, detail))
      const values = new Map(many.map(({ id, value }) => [id, value]))
      expect(ids.map((id) => values.get(id) !== unreadable)).to.deep.equal(isReadable)
    }
    expect((await right(store.get('things', 1, 'b')))?.value).to.equal(unreadable)
    await store.close()
  })

  it('do not end a walk through pages, or a migration', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const ids = ['a', 'b', 'c', 'd']
    for (const title of ids)
      await right(changes(store).insert('things', 1, { id: title, unique: title, value: { title } }))
    const database = new Database(file)
    damage(database, 'b', 'substr(light, 1, 5)')
    database.close()
    const order = [{ key: 'title', direction: 'asc' }] as const
    const first = await right(store.find('things', 1, { ...all, order, limit: 2 }))
    expect(first.documents.map(({ id }) => id)).to.deep.equal(['a', 'b'])
    const second = await right(store.find('things', 1, { ...all, order, after: first.next ?? '' }))
    expect(second.documents.map(({ id }) => id)).to.deep.equal(['c', 'd'])
    await store.close()
    const searched = [{ name: 'title', level: 'title', isMarkup: false }] as const
    const later = await sqliteDocumentStore({ file, collections: [{ ...things, searched }] })
    const words = { terms: [{ readings: [['c']], isPrefix: false }] }
    const { documents } = await right(later.find('things', 1, { ...all, words }))
    expect(documents.map(({ id }) => id)).to.deep.equal(['c'])
    expect((await right(later.get('things', 1, 'b')))?.value).to.equal(unreadable)
    await later.close()
  })
})
