/** How a process learns what others have written to its file. */
import { join } from 'node:path'
import { growingPositions, singleChanges } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { Database } from './better-sqlite3.js'
import { sqliteDocumentStore, type SqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { right, temporaryFolders } from './test-support/fixture.js'

describe('changes of others on the file', function () {
  this.timeout(30_000)
  const folder = temporaryFolders()
  let file: string
  let reported: string[]
  let opened: SqliteDocumentStore[]
  const nextPosition = growingPositions(Date.now)
  beforeEach(async () => {
    file = join(await folder(), 'documents.sqlite')
    reported = []
    opened = []
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
  })

  const open = async (): Promise<SqliteDocumentStore> => {
    const store = await sqliteDocumentStore({
      file,
      collections: [things],
      foreignChanges: {
        onChange: (collection, instance) => reported.push(`${collection} ${instance}`),
        onMissed: () => reported.push('missed'),
      },
    })
    opened.push(store)
    return store
  }

  const insert = (store: SqliteDocumentStore, id: string, instance = 1) =>
    right(
      singleChanges(store, nextPosition).insert('things', instance, { id, unique: id, value: { title: id } }),
    )

  it('are reported once, by collection and instance, as soon as they are committed', async () => {
    const [one, other] = [await open(), await open()]
    one.reportForeignChanges()
    expect(reported).to.deep.equal([])
    await insert(other, 'a1')
    await insert(other, 'a2', 7)
    one.reportForeignChanges()
    expect(reported).to.deep.equal(['things 1', 'things 7'])
    one.reportForeignChanges()
    expect(reported).to.have.length(2)
    // A conflict changes nothing.
    await singleChanges(other, nextPosition).insert('things', 1, { id: 'b', unique: 'a1', value: {} })()
    one.reportForeignChanges()
    expect(reported).to.have.length(2)
  })

  it('may be any after more commits than the file has', async () => {
    const [one, other] = [await open(), await open()]
    // One after the other, so that each is a commit.
    for (let number = 1; number <= 1400; number += 1) await insert(other, `n${number}`)
    one.reportForeignChanges()
    expect(reported).to.deep.equal(['missed'])
    reported = []
    await insert(other, 'x1500')
    one.reportForeignChanges()
    expect(reported).to.deep.equal(['things 1'])
  })

  it('are reported on a file of an earlier release', async () => {
    await (await open()).close()
    opened = []
    const database = new Database(file)
    database.exec('DROP TABLE commits')
    database.close()
    const [one, other] = [await open(), await open()]
    await insert(other, 'a1')
    one.reportForeignChanges()
    expect(reported).to.deep.equal(['things 1'])
  })
})
