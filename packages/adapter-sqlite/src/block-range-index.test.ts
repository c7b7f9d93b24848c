/** The block range index: after any writes, the values of every document are within the bounds of its block. */
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import Database from 'better-sqlite3'
import type { Collection, DocumentStore, Query } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { blockLength } from './block-range-index.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

const unranged: Collection = {
  name: 'notes',
  heavy: [],
  keys: { day: 'text', rank: 'number' },
  indexes: [],
  groupCounts: [],
}
const notes: Collection = { ...unranged, ranged: ['day', 'rank'] }

const days = ['', '2024-01-01', '2024-06-01', '2025-01-01', 'ü', null]
const ranks = [Number.MIN_SAFE_INTEGER, -1.5, 0, 7, 2 ** 60, null]
const value = fc.record({ day: fc.constantFrom(...days), rank: fc.constantFrom(...ranks) })
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fc.nat(2), value }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), at: fc.nat(), value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), value }) },
)

describe('The block range index', () => {
  const folder = temporaryFolders()

  const inFile = <A>(file: string, read: (database: Database.Database) => A): A => {
    const database = new Database(file)
    try {
      return read(database)
    } finally {
      database.close()
    }
  }

  /** Documents that are in no block, or whose values lie outside of its bounds. */
  const outside = `SELECT count(*) FROM documents_notes AS d LEFT JOIN "documents_notes.blocks" AS s
    ON s.instance = d.instance AND d.sequence BETWEEN s.first AND s.first + ${blockLength - 1}
    WHERE s.first IS NULL OR d.key_day < s.least_day OR d.key_day > s.most_day OR d.key_rank < s.least_rank OR d.key_rank > s.most_rank`

  const expectRight = (file: string): void => {
    expect(inFile(file, (database) => database.prepare(outside).pluck().get())).to.equal(0)
  }

  const fill = async (store: DocumentStore, count: number): Promise<void> => {
    const written = Array.from({ length: count }, (_, number) =>
      store.insert('notes', 1 + (number % 2), {
        id: `first ${number}`,
        unique: null,
        value: { day: days[number % days.length] ?? null, rank: number },
      })(),
    )
    await Promise.all(written)
  }

  it('has every document within its bounds after inserts, replacements and removals', () =>
    fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const file = join(await folder(), 'documents.sqlite')
        const store = await sqliteDocumentStore({ file, collections: [notes] })
        await fill(store, blockLength - 10)
        const made: { instance: number; id: string; version: number }[] = []
        for (const [number, each] of operations.entries()) {
          if (each.kind === 'insert') {
            const [instance, id] = [each.at + 1, `${number}`]
            await right(store.insert('notes', instance, { id, unique: null, value: each.value }))
            made.push({ instance, id, version: 0 })
            continue
          }
          const index = made.length === 0 ? -1 : each.at % made.length
          const found = made[index]
          if (found === undefined) continue
          const stored = await right(store.get('notes', found.instance, found.id))
          const version = stored?.version ?? 0
          if (each.kind === 'remove') {
            await right(store.remove('notes', found.instance, found.id, version))
            made.splice(index, 1)
          } else {
            const next = { id: found.id, version, unique: null, value: each.value }
            await right(store.replace('notes', found.instance, next))
          }
        }
        await store.close()
        expectRight(file)
      }),
      { numRuns: 4 },
    )).timeout(30_000)

  it('is filled from the stored documents if a range is declared later', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const before = await sqliteDocumentStore({ file, collections: [unranged] })
    await fill(before, 5 * blockLength)
    await before.close()
    const store = await sqliteDocumentStore({ file, collections: [notes] })
    const query: Query = { ...all, where: [{ key: 'rank', atLeast: 1000 }], limit: 5 }
    const { documents } = await right(store.find('notes', 1, query))
    expect(documents.map(({ id }) => id)).to.deep.equal(
      [1000, 1002, 1004, 1006, 1008].map((number) => `first ${number}`),
    )
    await store.close()
    expectRight(file)
    expect(
      inFile(file, (database) =>
        database.prepare('SELECT count(*) FROM "documents_notes.blocks"').pluck().get(),
      ),
    ).to.equal(11)
  })

  it('does not add to the cost of a write whose values are within the bounds', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [notes] })
    await fill(store, 20)
    await store.close()
    inFile(file, (database) => {
      const before = database.prepare('SELECT * FROM "documents_notes.blocks"').all()
      const written = database
        .prepare('UPDATE documents_notes SET key_rank = 10 WHERE instance = 1')
        .run().changes
      const total = database.prepare('SELECT total_changes()').pluck()
      const after = Number(total.get())
      database.prepare('UPDATE documents_notes SET key_rank = 11 WHERE instance = 1').run()
      expect(Number(total.get()) - after, 'the documents alone').to.equal(written)
      expect(database.prepare('SELECT * FROM "documents_notes.blocks"').all()).to.deep.equal(before)
    })
  })
})
