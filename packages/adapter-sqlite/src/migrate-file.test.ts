import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { Database } from './better-sqlite3.js'
import { changes } from '@publishing-service/conformance'
import { type Collection, singleReads } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { formerFile } from './test-support/former-file.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

describe('A file of the former version', () => {
  const folder = temporaryFolders()
  const searched = [{ name: 'title', level: 'title', isMarkup: false }] as const
  const others: Collection = { name: 'others', heavy: [], keys: {}, indexes: [], groupCounts: [] }
  const collections = [{ ...things, searched }, others]

  it('is migrated once, with progress, and keeps documents, positions, versions, words and counts', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await writeFile(file, formerFile())
    const former = new Database(file, { readonly: true })
    const names = former.prepare<[], string>('SELECT name FROM sqlite_schema ORDER BY name').pluck()
    const tablesBefore = names.all()
    former.close()
    const copies: string[] = []
    const progress: (readonly [string, number, number])[] = []
    const open = () =>
      sqliteDocumentStore({
        file,
        collections,
        onCopy: (path) => copies.push(path),
        onMigration: ({ collection, done, total }) => progress.push([collection, done, total]),
      })
    await (await open()).close()
    const reported = [...progress]
    const store = await open()
    try {
      expect(reported).to.have.deep.members([
        ['things', 5, 5],
        ['others', 1, 1],
      ])
      expect(copies, 'copied before it was migrated').to.deep.equal([`${file}-before-migration`])
      const copy = new Database(copies[0] ?? '', { readonly: true })
      expect(
        copy.prepare<[], string>('SELECT name FROM sqlite_schema ORDER BY name').pluck().all(),
      ).to.deep.equal(tablesBefore)
      copy.close()
      expect(progress, 'not migrated again').to.deep.equal(reported)
      const found = async (instance: number) => (await right(store.find('things', instance, all))).documents
      expect(await found(1)).to.deep.equal([
        {
          id: 'id 0',
          version: 1,
          position: 1,
          value: {
            title: 'word t0',
            kind: 'x',
            rank: 0,
            open: true,
            tags: ['a', 't0'],
            places: ['2026-01-01 2026-01-02'],
            content: 'long',
          },
        },
        { id: 'id 2', version: 2, position: 3, value: { title: 'other', tags: ['a'] } },
      ])
      expect((await found(2)).map(({ id }) => id)).to.deep.equal(['id 1', 'id 3', 'id 5'])
      expect((await right(store.get('others', 3, 'o')))?.value).to.deep.equal({ a: 1 })
      const words = { terms: [{ readings: [['word']], isPrefix: false }] }
      const withWord = await right(store.find('things', 1, { ...all, words }))
      expect(withWord.documents.map(({ id }) => id)).to.deep.equal(['id 0'])
      expect(await right(singleReads(store).countGroups('things', 1, 'tags', {}))).to.have.deep.members([
        { text: 'a', count: 2 },
        { text: 't0', count: 1 },
      ])
      const taken = changes(store).insert('things', 1, { id: 'new', unique: 'u0', value: {} })
      expect(await taken()).to.deep.include({ left: { _tag: 'UniqueConflict', change: 0 } })
      const tables = new Database(file, { readonly: true })
      const left = tables
        .prepare<[], string>(
          "SELECT name FROM sqlite_schema WHERE name GLOB 'documents_*' OR name GLOB '*search*' OR type = 'trigger'",
        )
        .pluck()
        .all()
      tables.close()
      expect(left).to.deep.equal([])
    } finally {
      await store.close()
    }
  })
})
