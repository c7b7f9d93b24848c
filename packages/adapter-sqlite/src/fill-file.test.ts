import { changes } from '@publishing-service/conformance'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { Database } from './better-sqlite3.js'
import { countTextsInMemory, singleReads } from '@publishing-service/ports'
import type { FilledDocument } from '@publishing-service/sql-kit'
import { fillSqliteFile } from './fill-file.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { dueAnalyses } from './statistics.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'
import { articles, segments } from './test-support/searched-articles.js'

describe('A file that fillSqliteFile has filled', () => {
  const folder = temporaryFolders()
  const options = async () => ({ file: join(await folder(), 'documents.sqlite'), collections: [things] })
  const documents: readonly FilledDocument['document'][] = Array.from({ length: 2500 }, (_, i) => ({
    id: `${i}`,
    position: i + 1,
    unique: i % 2 === 0 ? `text ${i}` : null,
    value: {
      title: `t${i % 100}`,
      kind: 'xyz'[i % 3] ?? '',
      rank: i % 7,
      open: i % 2 === 0,
      tags: [`tag ${i % 5}`],
      content: 'long',
    },
  }))
  const filled = documents.map((document) => ({ collection: 'things', instance: 1, document }))
  const schemaOf = (file: string): readonly unknown[] => {
    const database = new Database(file)
    try {
      return database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()
    } finally {
      database.close()
    }
  }

  it('has the words of its documents in one segment, which a search reads', async () => {
    const { file } = await options()
    const titles = Array.from({ length: 4000 }, (_, i) => Array.from({ length: 30 }, (__, n) => `w${i * n}`))
    fillSqliteFile(
      { file, collections: [articles] },
      titles.map((words, i) => ({
        collection: 'articles',
        instance: 1,
        document: { id: `${i}`, position: i + 1, unique: null, value: { title: words.join(' ') } },
      })),
    )
    expect(segments(file)).to.equal(1)
    const store = await sqliteDocumentStore({ file, collections: [articles] })
    const words = { terms: [{ readings: [['w87']], isPrefix: false }] }
    const page = await right(store.find('articles', 1, { ...all, words }))
    expect(page.documents.map(({ id }) => id)).to.deep.equal(['3', '29', '87'])
    await store.close()
  })

  it('counts the texts of many documents as those of few', async () => {
    const made = await options()
    const many = Array.from({ length: 3 }, (_, copy) =>
      documents.map(({ id, unique: _unique, value, position }) => ({
        id: `${id}-${copy}`,
        position: position + copy * documents.length,
        unique: null,
        value,
      })),
    ).flat()
    fillSqliteFile(
      made,
      many.map((document) => ({ collection: 'things', instance: 1, document })),
    )
    const store = await sqliteDocumentStore(made)
    const stored = many.map((document) => ({ ...document, version: 1 }))
    for (const where of [
      [],
      [{ key: 'kind', oneOf: ['x', 'y', 'z'] }],
      [
        { key: 'open', oneOf: [true, false] },
        { key: 'kind', above: '' },
      ],
      [{ anyOf: [[{ key: 'kind', equals: 'x' }], [{ key: 'tags', hasNone: ['tag 1'] }]] }],
    ])
      for (const selection of [{ where }, { where, notIds: ['0-0', '7-2'] }])
        for (const most of [10_000, 1000]) {
          const counted = await right(store.countTexts('things', 1, ['tags', 'kind'], selection, most))
          const expected = countTextsInMemory(things, stored, ['tags', 'kind'], selection, most)
          expect(counted.oneIn).to.equal(expected.oneIn)
          for (const [i, texts] of counted.texts.entries())
            expect(texts).to.have.deep.members([...(expected.texts[i] ?? [])])
        }
    await store.close()
  })

  it('serves the same as a store into which the documents were inserted one by one', async () => {
    const [fast, slow] = [await options(), await options()]
    fillSqliteFile(fast, filled)
    const before = schemaOf(fast.file)
    const quick = await sqliteDocumentStore(fast)
    const usual = await sqliteDocumentStore(slow)
    await Promise.all(
      documents.map((document) =>
        right(usual.write(1, [{ collection: 'things', kind: 'insert', document }], [])),
      ),
    )
    const query = { ...all, where: [{ key: 'tags', has: 'tag 3' }] }
    for (const each of [
      all,
      query,
      { ...query, order: [{ key: 'title', direction: 'desc' as const }] },
      { ...all, where: [{ key: 'kind', equals: 'y' }], order: [{ key: 'rank', direction: 'asc' as const }] },
    ])
      expect((await right(quick.find('things', 1, each))).documents).to.deep.equal(
        (await right(usual.find('things', 1, each))).documents,
      )
    const groupCount = { kind: 'x', open: true }
    expect(await right(singleReads(quick).countGroups('things', 1, 'tags', groupCount))).to.have.deep.members(
      [...(await right(singleReads(usual).countGroups('things', 1, 'tags', groupCount)))],
    )
    await Promise.all([quick.close(), usual.close()])
    expect(schemaOf(fast.file), 'the store found everything made').to.deep.equal(before)
  })

  it('has statistics, and accepts writes', async () => {
    const settings = await options()
    fillSqliteFile(settings, filled)
    const database = new Database(settings.file)
    expect(dueAnalyses(database)).to.deep.equal([])
    database.close()
    const store = await sqliteDocumentStore(settings)
    const taken = await changes(store).insert('things', 1, { id: 'a', unique: 'text 2', value: {} })()
    expect(taken).to.deep.include({ left: { _tag: 'UniqueConflict', change: 0 } })
    await right(changes(store).insert('things', 1, { id: 'a', unique: null, value: { tags: ['tag 3'] } }))
    const counts = await right(singleReads(store).countGroups('things', 1, 'tags', {}))
    expect(counts.find(({ text }) => text === 'tag 3')?.count).to.equal(501)
    await store.close()
  })

  it('is not created if the file exists, or where documents conflict', async () => {
    const settings = await options()
    const twice = filled.slice(0, 1).flatMap((each) => [each, each])
    expect(() => fillSqliteFile(settings, twice)).to.throw('UNIQUE')
    expect(() => fillSqliteFile(settings, [])).to.throw('exists already')
  })
})
