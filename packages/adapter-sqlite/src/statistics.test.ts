import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { analyse, dueAnalyses } from './statistics.js'
import { things } from './test-support/fixture-collection.js'
import { right, temporaryFolders } from './test-support/fixture.js'

describe('Statistics', () => {
  const folder = temporaryFolders()

  const fill = (database: Database.Database, from: number, to: number): void => {
    const insert = database.prepare(
      "INSERT INTO documents_things (instance, id, version, light, key_title, key_kind, key_tags) VALUES (1, ?, 1, json_object('title', ?, 'kind', 'x', 'tags', json_array('a')), ?, 'x', json_array('a'))",
    )
    database.transaction(() => {
      for (let i = from; i < to; i++) insert.run(`${i}`, `${i}`, `${i}`)
    })()
  }

  it('are due at 500 documents, when these have doubled, and when an index is new', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await (await sqliteDocumentStore({ file, collections: [things] })).close()
    const database = new Database(file)
    const tables = () => [...new Set(dueAnalyses(database).map(({ table }) => table))]
    const bring = () => dueAnalyses(database).forEach((due) => analyse(database, due))
    fill(database, 0, 499)
    expect(tables()).to.deep.equal([])
    fill(database, 499, 500)
    expect(tables()).to.deep.equal(['documents_things'])
    bring()
    expect(tables()).to.deep.equal([])
    const indexes = database
      .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'documents_things_by*' ORDER BY name")
      .pluck()
    const analysed = database
      .prepare(
        "SELECT idx FROM sqlite_stat1 WHERE stat GLOB '500 *' AND idx GLOB 'documents_things_by*' ORDER BY idx",
      )
      .pluck()
    expect(analysed.all()).to.deep.equal(indexes.all())
    const ofTexts = database
      .prepare("SELECT tbl FROM sqlite_stat1 WHERE tbl = 'documents_things.texts.tags'")
      .all()
    // The primary key, and the indexes that are declared.
    expect(ofTexts.length).to.equal(3)
    fill(database, 500, 999)
    expect(tables()).to.deep.equal([])
    fill(database, 999, 1000)
    expect(tables()).to.deep.equal(['documents_things'])
    bring()
    database.close()
    const wider = {
      ...things,
      keys: { ...things.keys, created: 'text' as const },
      indexes: [...things.indexes, ['created']],
    }
    await (await sqliteDocumentStore({ file, collections: [wider] })).close()
    const again = new Database(file)
    expect(dueAnalyses(again).length).to.be.above(0)
    again.close()
  })

  it('are used by connections that are open already', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await (await sqliteDocumentStore({ file, collections: [things] })).close()
    const [writer, reader] = [new Database(file), new Database(file)]
    fill(writer, 0, 600)
    // Every title is in this range: with statistics the order's index is worth more than the filter's.
    const sql =
      "EXPLAIN QUERY PLAN SELECT id FROM documents_things WHERE instance = 1 AND key_title >= '0' ORDER BY key_rank, sequence LIMIT 10"
    const plan = (): string => {
      // EXPLAIN alone does not check whether the schema has changed; a read does.
      reader.prepare('SELECT count(*) FROM probes').get()
      return JSON.stringify(reader.prepare(sql).all())
    }
    const versions: unknown[] = []
    expect(plan()).to.include('documents_things_by_title')
    for (let round = 0; round < 2; round++) {
      for (const due of dueAnalyses(writer)) analyse(writer, due)
      expect(plan()).to.include('documents_things_by_rank')
      // The schema's version is what makes the other connection read the statistics again.
      versions.push(reader.pragma('schema_version', { simple: true }))
      if (round === 0) fill(writer, 600, 1300)
    }
    expect(versions[0]).not.to.equal(versions[1])
    writer.close()
    reader.close()
  })

  it('are gathered by the store, after its writes', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const values = Array.from({ length: 1200 }, (_, i) => ({
      id: `${i}`,
      unique: null,
      value: { title: `${i}` },
    }))
    await Promise.all(values.map((document) => right(store.insert('things', 1, document))))
    const reader = new Database(file, { readonly: true })
    const analysed = reader.prepare<[], number>('SELECT count(*) FROM analyses').pluck()
    for (let turn = 0; analysed.get() === 0 && turn < 2000; turn++) await right(store.check())
    expect(analysed.get()).to.equal(1)
    reader.close()
    await store.close()
  })
})
