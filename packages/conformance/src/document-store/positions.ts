/** Tests of the positions of documents, which are their places in the order of insertion. */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Cursor, DocumentStore, Query, TextsQuery } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { all, idsOf, type Stage, things, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'

const directions = ['asc', 'desc'] as const

/** Inserts a document at a position; its id says the position. */
const insertAt = (
  store: DocumentStore,
  instance: number,
  position: number,
  value: JsonObject = {},
  id = `${position}`,
) =>
  valueOf(
    changes(store).change(
      'things',
      instance,
      { kind: 'insert', document: { id, position, unique: null, value } },
      [],
    ),
  )

const byPosition = ({ store, insert, newInstance }: Stage): void => {
  it('with filters, and page by page', async () => {
    const instance = newInstance()
    const ids: string[] = []
    for (let i = 0; i < 20; i += 1) {
      const value = { kind: i % 2 === 0 ? 'x' : 'y', rank: i % 5, tags: [`t${i % 3}`] }
      ids.push((await insert(instance, value)).id)
    }
    const found = async (where: Query['where']): Promise<readonly string[]> => {
      const query = { ...all, where, insertion: 'desc', limit: 3, skip: 0 } as const
      const pages = await walk((each) => store().find('things', instance, each), query)
      const first = await valueOf(store().find('things', instance, { ...query, skip: 1 }))
      const returned = pages.flatMap(({ documents }) => idsOf(documents))
      expect(idsOf(first.documents)).to.deep.equal(returned.slice(1, 4))
      return returned
    }
    const expected = (isMet: (i: number) => boolean) => ids.filter((_, i) => isMet(i)).toReversed()
    expect(await found([])).to.deep.equal(ids.toReversed())
    expect(await found([{ key: 'kind', equals: 'x' }])).to.deep.equal(expected((i) => i % 2 === 0))
    expect(await found([{ key: 'rank', atLeast: 3 }])).to.deep.equal(expected((i) => i % 5 >= 3))
    expect(await found([{ key: 'kind', oneOf: ['x', 'y'] }])).to.deep.equal(ids.toReversed())
    expect(await found([{ key: 'tags', has: 't1' }])).to.deep.equal(expected((i) => i % 3 === 1))
  })

  it('positions that are not in the sequence of the calls, and the smallest and the largest', async () => {
    const instance = newInstance()
    const positions = [
      50,
      10,
      Number.MAX_SAFE_INTEGER,
      30,
      1,
      1_800_000_000_000_001,
      1_800_000_000_000_000,
      40,
    ]
    const value = { title: 'same', tags: ['a'] }
    for (const position of positions) {
      const inserted = await insertAt(store(), instance, position, value)
      expect(inserted).to.include({ position })
      expect(await valueOf(store().get('things', instance, `${position}`))).to.deep.equal(inserted)
    }
    const sorted = positions.toSorted((a, b) => a - b)
    for (const direction of directions) {
      const expected = direction === 'asc' ? sorted : sorted.toReversed()
      for (const query of [
        { insertion: direction },
        { order: [{ key: 'title', direction }] },
        { order: [{ key: 'rank', direction }], where: [{ key: 'tags', has: 'a' }] },
      ]) {
        const pages = await walk((each) => store().find('things', instance, each), {
          ...all,
          ...query,
          limit: 3,
        })
        expect(pages.flatMap(({ documents }) => documents.map(({ position }) => position))).to.deep.equal(
          expected,
        )
      }
    }
    const texts = { key: 'tags', range: { atLeast: '', below: 'z' }, where: [], skip: 0, limit: 100 }
    const found = await valueOf(store().findTexts('things', instance, { ...texts, detail: 'light' }))
    expect(found.texts.map(({ document: { position } }) => position)).to.deep.equal(sorted)
  })

  it('documents that were given one position, each once', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: 12 }, (_, i) => `${i}`)
    const value = { title: 'same', tags: ['a', 'b'] }
    const inserted = await Promise.all(
      ids.map((id) => insertAt(store(), instance, Number(id) < 2 ? 8 : 7, value, id)),
    )
    for (const document of inserted) expect(document?.position).to.be.at.least(7)
    const find = (query: Query) => store().find('things', instance, query)
    for (const direction of directions)
      for (const query of [{ insertion: direction }, { order: [{ key: 'title', direction }] }])
        for (const limit of [1, 5]) {
          const pages = await walk(find, { ...all, ...query, limit })
          const found = pages.flatMap(({ documents }) => documents)
          expect(found).to.have.deep.members(inserted)
          const positions = found.map(({ position }) => position)
          expect(positions).to.deep.equal(positions.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)))
        }
    const texts: string[] = []
    const query = { key: 'tags', range: { atLeast: '', below: 'z' }, where: [], skip: 0, limit: 5 }
    for (let after: Cursor | null | undefined; after !== null;) {
      const from: Partial<TextsQuery> = after === undefined ? {} : { after }
      const page = await valueOf(
        store().findTexts('things', instance, { ...query, ...from, detail: 'light' }),
      )
      texts.push(...page.texts.map(({ text, document: { id } }) => `${text} ${id}`))
      after = page.next
    }
    expect(texts).to.have.members(['a', 'b'].flatMap((text) => ids.map((id) => `${text} ${id}`)))
    // A position is free again once its document is removed.
    await valueOf(changes(store()).remove('things', instance, '0', 1))
    const again = await insertAt(store(), instance, inserted[0]?.position ?? 0, { title: 'again' }, 'again')
    const { documents } = await valueOf(find({ ...all, detail: 'light' }))
    expect(idsOf(documents)).to.have.members([...ids.slice(1), 'again'])
    expect(documents).to.deep.include(again)
    const tagged = await valueOf(find({ ...all, where: [{ key: 'tags', has: 'a' }] }))
    expect(idsOf(tagged.documents), 'without the texts of the removed document').to.have.members(ids.slice(1))
  })
}

const concurrentInsertions = (stage: Stage): void => {
  it('a thousand in four batches, of short and long documents', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const ids = Array.from({ length: 1000 }, (_, i) => `${(i * 7 + 3) % 1000}`)
    const write = (id: string) => ({
      id,
      unique: Number(id) % 3 === 0 ? `one/${id}` : null,
      value: { title: 'same', content: 'x'.repeat((Number(id) % 40) * 200) },
    })
    for (let at = 0; at < ids.length; at += 250)
      await Promise.all(
        ids.slice(at, at + 250).map((id) => valueOf(changes(store()).insert('things', instance, write(id)))),
      )
    const { documents } = await valueOf(store().find('things', instance, { ...all, detail: 'light' }))
    expect(idsOf(documents)).to.deep.equal(ids)
  })
}

const acrossStores = (stage: Stage): void => {
  it('documents that two stores insert alternately', async () => {
    const second = await stage.subject().reopen([things])
    try {
      const instance = stage.newInstance()
      const stores = [stage.store(), second]
      const inserted = []
      for (let i = 0; i < 9; i++)
        inserted.push(
          await valueOf(
            changes(stores[i % 2] ?? second).insert('things', instance, {
              id: `${i}`,
              unique: null,
              value: { title: 'same' },
            }),
          ),
        )
      for (const store of stores) {
        expect((await valueOf(store.find('things', instance, all))).documents).to.deep.equal(inserted)
        const order = [{ key: 'title', direction: 'desc' } as const]
        const { documents } = await valueOf(store.find('things', instance, { ...all, order }))
        expect(documents).to.deep.equal(inserted.toReversed())
      }
    } finally {
      await second.close()
    }
  })
}

/** Declares the tests of queries without an order. */
export const positions = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  byPosition(stage)
  concurrentInsertions(stage)
  if (volatile === undefined) acrossStores(stage)
}
