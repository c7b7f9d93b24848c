import { changes } from '@publishing-service/conformance'
import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { Database } from './better-sqlite3.js'
import type { Change } from '@publishing-service/ports'
import { E } from '@publishing-service/domain/fp'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { sqliteFailure } from './sqlite-failure.js'
import { things } from './test-support/fixture-collection.js'
import { all, failure, rejection, right, temporaryFolders } from './test-support/fixture.js'

describe('sqliteDocumentStore when its environment fails', () => {
  const folder = temporaryFolders()
  const fileIn = async () => join(await folder(), 'documents.sqlite')
  const collections = [things]

  it('fails writes with PortFailure on a full disk, loses nothing, and writes again when there is space', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections, largestFile: 2 * 1024 * 1024 })
    const insert = (id: string) =>
      changes(store).insert('things', 1, { id, unique: id, value: { content: id.repeat(4000) } })()
    const kept: string[] = []
    const reasons = new Set<string>()
    for (let batch = 0; reasons.size === 0 && batch < 100; batch++) {
      const ids = Array.from({ length: 8 }, (_, i) => `${1000 + batch * 8 + i}`)
      for (const [i, outcome] of (await Promise.all(ids.map(insert))).entries()) {
        if (E.isRight(outcome)) kept.push(ids[i] ?? '')
        else reasons.add('reason' in outcome.left ? outcome.left.reason : outcome.left._tag)
      }
    }
    expect([...reasons].join()).to.match(/^SQLITE_FULL/)
    expect(kept.length).to.be.above(20)
    expect(
      (await right(store.find('things', 1, { ...all, detail: 'light' }))).documents.map(({ id }) => id),
    ).to.have.members(kept)
    // A removal in one batch with inserts that do not fit.
    const outcomes = await Promise.all([
      insert('late'),
      ...kept.slice(0, 10).map((id) => changes(store).remove('things', 1, id, 1)()),
    ])
    expect(outcomes.slice(1).map(({ _tag }) => _tag)).to.deep.equal(Array.from({ length: 10 }, () => 'Right'))
    expect((await insert('there'))._tag).to.equal('Right')
    await store.close()
    const database = new Database(file, { readonly: true })
    expect(database.pragma('integrity_check', { simple: true })).to.equal('ok')
    database.close()
  })

  it('fails writes while a read of another program keeps the log above its limit, but no removal', async () => {
    const file = await fileIn()
    const largestLog = 1024 * 1024
    const mayUseReserve = (change: Change) =>
      change.kind === 'remove' || (change.kind === 'insert' && change.document.id === 'urgent')
    const store = await sqliteDocumentStore({ file, collections, largestLog, mayUseReserve })
    const insert = (id: string) =>
      changes(store).insert('things', 1, { id, unique: null, value: { content: 'x'.repeat(50_000) } })
    await right(insert('first'))
    const other = new Database(file, { readonly: true })
    other.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    let inserted = 0
    while (inserted < 200 && E.isRight(await insert(`${inserted}`)())) inserted++
    expect(inserted).to.be.within(5, 30)
    expect(await failure(insert('refused'))).to.match(/^PortFailure the write-ahead log/)
    expect((await stat(`${file}-wal`)).size).to.be.within(largestLog, largestLog * 1.2)
    expect(await store.check()()).to.nested.include({
      'left.storageFull': true,
      'left.removalsWork': true,
    })
    await right(insert('urgent'))
    await right(changes(store).remove('things', 1, 'first', 1))
    other.close()
    // The next attempt to empty the log is up to a second later.
    await setTimeout(1000)
    await right(insert('late'))
    expect((await stat(`${file}-wal`)).size).to.be.below(largestLog / 2)
    await store.close()
  })

  it('fails a write that waits too long for another process; reads and later writes succeed', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections, busyTimeout: 20 })
    await right(changes(store).insert('things', 1, { id: 'a', unique: null, value: {} }))
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    expect(await failure(changes(store).insert('things', 1, { id: 'b', unique: null, value: {} }))).to.match(
      /^PortFailure SQLITE_BUSY/,
    )
    expect(await failure(store.check())).to.match(/^PortFailure SQLITE_BUSY/)
    expect(await right(store.get('things', 1, 'a'))).to.include({ version: 1 })
    other.exec('ROLLBACK')
    other.close()
    await right(store.check())
    await right(changes(store).insert('things', 1, { id: 'b', unique: null, value: {} }))
    await store.close()
  })

  it('fails reads and writes with PortFailure on damaged pages', async () => {
    const file = await fileIn()
    const before = await sqliteDocumentStore({ file, collections })
    await right(changes(before).insert('things', 1, { id: 'a', unique: null, value: {} }))
    await before.close()
    const database = new Database(file, { readonly: true })
    const pages = database
      .prepare<[], number>(
        "SELECT rootpage FROM sqlite_schema WHERE tbl_name GLOB 'things_*' AND rootpage > 0",
      )
      .pluck()
      .all()
    database.close()
    const handle = await open(file, 'r+')
    for (const page of pages) await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
    await handle.close()
    const store = await sqliteDocumentStore({ file, collections })
    expect(await failure(store.get('things', 1, 'a'))).to.match(/^PortFailure SQLITE_CORRUPT/)
    expect(await failure(store.find('things', 1, all))).to.match(/^PortFailure SQLITE_CORRUPT/)
    expect(await failure(changes(store).insert('things', 1, { id: 'b', unique: null, value: {} }))).to.match(
      /^PortFailure SQLITE_CORRUPT/,
    )
    await store.close()
  })

  it('names a file that is not a database, or a folder that can’t be created, when it does not open', async () => {
    const file = await fileIn()
    await writeFile(file, 'no database at all, but a text of some length '.repeat(100))
    expect(await rejection(sqliteDocumentStore({ file, collections })))
      .to.include(file)
      .and.include('not a database')
    const below = join(file, 'documents.sqlite')
    expect(await rejection(sqliteDocumentStore({ file: below, collections }))).to.include(below)
  })

  it('rejects the database of another program or a later version, and leaves it unchanged', async () => {
    for (const sql of ['CREATE TABLE anything (a)', 'PRAGMA application_id = 7', 'PRAGMA user_version = 3']) {
      const file = await fileIn()
      new Database(file).exec(sql).close()
      const bytes = await readFile(file)
      expect(await rejection(sqliteDocumentStore({ file, collections }))).to.include('another program')
      expect(bytes.equals(await readFile(file))).to.equal(true)
    }
    const file = await fileIn()
    await (await sqliteDocumentStore({ file, collections })).close()
    new Database(file).exec('PRAGMA user_version = 99').close()
    expect(await rejection(sqliteDocumentStore({ file, collections }))).to.include('later version')
  })

  it('distinguishes a file that can’t be written from a wrong statement', async () => {
    const file = await fileIn()
    new Database(file).exec('CREATE TABLE a (b)').close()
    const database = new Database(file, { readonly: true })
    const errorOf = (sql: string): unknown => {
      try {
        return database.exec(sql)
      } catch (error) {
        return error
      }
    }
    expect(sqliteFailure(errorOf('INSERT INTO a VALUES (1)'))?.reason).to.match(/^SQLITE_READONLY/)
    expect(sqliteFailure(errorOf('INSERT INTO a VALUES (1, 2)'))).to.equal(null)
    expect(sqliteFailure(errorOf('INSERT INTO nowhere VALUES (1)'))?.reason).to.include('another version')
    expect(sqliteFailure(new Error('SQLITE_BUSY'))).to.equal(null)
    database.close()
  })
})
