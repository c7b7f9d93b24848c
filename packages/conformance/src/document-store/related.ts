/** Tests of documents by their ids, and of group counts with them. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { singleReads } from '@publishing-service/ports'
import { valueOf } from '../task-outcome.js'
import { changes } from './changes.js'
import { sentences } from './sentences.js'
import { idsOf, type Stage } from './stage.js'

const documentsById = ({ store, newInstance }: Stage): void => {
  it('no ids, no documents', async () => {
    expect(await valueOf(singleReads(store()).getMany('things', newInstance(), [], 'full'))).to.deep.equal([])
  })
  it('ids that do not exist, or are passed twice', async () => {
    const instance = newInstance()
    const [first, second, third] = await Promise.all(
      ['a/b', 'a', 'c'].map((id) =>
        valueOf(changes(store()).insert('things', instance, { id, unique: null, value: { title: id } })),
      ),
    )
    expect(second).to.include({ id: 'a' })
    const found = await valueOf(
      singleReads(store()).getMany('things', instance, ['c', 'none', 'a/b', 'c', '', 'C'], 'full'),
    )
    expect(found).to.have.deep.members([first, third])
  })
  it('a thousand ids of each of several collections', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: 1000 }, (_, i) => `document-${i}`)
    const half = ids.filter((_, i) => i % 2 === 0)
    await Promise.all(
      half.map((id) =>
        valueOf(changes(store()).insert('things', instance, { id, unique: id, value: { title: id } })),
      ),
    )
    const { documents } = await valueOf(
      store().getRelated(instance, {
        documents: [
          { collection: 'things', ids: ids.slice(0, 3), detail: 'full' },
          { collection: 'others', ids, detail: 'light' },
          { collection: 'things', ids, detail: 'light' },
          { collection: 'things', ids: ids.toReversed(), detail: 'full' },
        ],
        counts: [],
      }),
    )
    expect(documents).to.have.lengthOf(4)
    for (const [index, expected] of [half.slice(0, 2), [], half, half].entries())
      expect(idsOf(documents[index] ?? []), `${index}`).to.have.members(expected)
  })
}

/** Ids of two collections, and texts that are counted in both. */
const several = ({ store, newInstance }: Stage): void => {
  const filled = async (): Promise<number> => {
    const instance = newInstance()
    for (const [collection, kinds] of [
      ['things', ['x', 'x', 'y']],
      ['others', ['y', 'x']],
    ] as const)
      for (const [index, kind] of kinds.entries())
        await valueOf(
          changes(store()).insert(collection, instance, {
            id: `id-${index}`,
            unique: null,
            value: { kind, title: `${collection} ${index}`, content: 'long', tags: ['a', `${index}`] },
          }),
        )
    return instance
  }

  const titles = (documents: readonly { readonly value: object }[]): readonly unknown[] =>
    documents.map(({ value }) => value).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

  it('nothing of nothing', async () => {
    expect(await valueOf(store().getRelated(newInstance(), { documents: [], counts: [] }))).to.deep.equal({
      documents: [],
      counts: [],
    })
  })
  it('the same ids of several collections, in both details, with counts', async () => {
    const instance = await filled()
    const ids = ['id-1', 'none', 'id-0', 'id-2', 'id-1']
    const found = await valueOf(
      store().getRelated(instance, {
        documents: [
          { collection: 'others', ids, detail: 'light' },
          { collection: 'things', ids: [], detail: 'full' },
          { collection: 'things', ids: ['id-2'], detail: 'full' },
          { collection: 'others', ids: ['none'], detail: 'full' },
          { collection: 'things', ids, detail: 'light' },
        ],
        counts: [
          { collection: 'things', key: 'tags', within: { kind: 'x' } },
          { collection: 'others', key: 'tags', within: { kind: 'none' } },
          { collection: 'others', key: 'tags', within: {} },
          { collection: 'things', key: 'tags', within: { kind: 'y' } },
        ],
      }),
    )
    const light = (collection: string, kind: string, index: number) => ({
      kind,
      title: `${collection} ${index}`,
      tags: ['a', `${index}`],
    })
    expect(found.documents.map(titles)).to.deep.equal([
      titles([{ value: light('others', 'y', 0) }, { value: light('others', 'x', 1) }]),
      [],
      [{ ...light('things', 'y', 2), content: 'long' }],
      [],
      titles([
        { value: light('things', 'x', 0) },
        { value: light('things', 'x', 1) },
        { value: light('things', 'y', 2) },
      ]),
    ])
    const byText = (text: string, count: number) => ({ text, count })
    expect(found.counts).to.have.lengthOf(4)
    for (const [index, expected] of [
      [byText('a', 2), byText('0', 1), byText('1', 1)],
      [],
      [byText('a', 2), byText('0', 1), byText('1', 1)],
      [byText('a', 1), byText('2', 1)],
    ].entries())
      expect(found.counts[index], `${index}`).to.have.deep.members(expected)
  })
  it('counts without documents, and the same group twice', async () => {
    const instance = await filled()
    const group = { collection: 'things', key: 'tags', within: { kind: 'y' } }
    const { documents, counts } = await valueOf(
      store().getRelated(instance, { documents: [], counts: [group, group] }),
    )
    expect(documents).to.deep.equal([])
    for (const each of counts)
      expect(each).to.have.deep.members([
        { text: 'a', count: 1 },
        { text: '2', count: 1 },
      ])
    expect(counts).to.have.lengthOf(2)
  })
  it('more groups than a statement of some databases has branches', async function () {
    this.timeout(120_000)
    const instance = await filled()
    const counts = Array.from({ length: 510 }, (_, i) => ({
      collection: i % 3 === 0 ? 'others' : 'things',
      key: 'tags',
      within: i % 5 === 0 ? { rank: i, open: true } : { kind: i % 2 === 0 ? 'y' : `none ${i}` },
    }))
    const found = await valueOf(store().getRelated(instance, { documents: [], counts }))
    expect(found.counts.map((each) => each.length)).to.deep.equal(
      counts.map(({ within }) => (within.kind === 'y' ? 2 : 0)),
    )
  })
  it('several reads that begin at the same time', async () => {
    const instances = [await filled(), await filled()]
    for (const [index, kind] of ['', 'one'].entries())
      await valueOf(
        changes(store()).insert('things', instances[index] ?? 0, {
          id: `of ${kind}`,
          unique: null,
          value: { kind, tags: [`as ${kind}`] },
        }),
      )
    const reads = instances.flatMap((instance, other) =>
      Array.from({ length: 12 }, async (_, i) => {
        const id = `id-${i % 4}`
        const got = await valueOf(store().get(i % 2 === 0 ? 'things' : 'others', instance, id))
        const kind = ['x', 'y', '', 'one'][i % 4] ?? ''
        const found = await valueOf(
          store().getRelated(instance, {
            documents: [
              { collection: 'others', ids: [id, 'id-0'], detail: i % 3 === 0 ? 'light' : 'full' },
              { collection: 'things', ids: ['of ', 'of one'], detail: 'full' },
            ],
            counts: [{ collection: 'things', key: 'tags', within: { kind } }],
          }),
        )
        return { i, other, kind, got, found }
      }),
    )
    for (const { i, other, kind, got, found } of await Promise.all(reads)) {
      const [named = [], own = []] = found.documents
      const exists = i % 2 === 0 ? i % 4 < 3 : i % 4 < 2
      expect(got?.id ?? null, `${i}`).to.equal(exists ? `id-${i % 4}` : null)
      expect(got?.value['content']).to.equal(exists ? 'long' : undefined)
      expect(idsOf(named)).to.have.members(i % 4 === 1 ? ['id-0', 'id-1'] : ['id-0'])
      for (const { value } of named) expect(value['content']).to.equal(i % 3 === 0 ? undefined : 'long')
      expect(idsOf(own)).to.deep.equal([other === 0 ? 'of ' : 'of one'])
      const texts: Readonly<Record<string, readonly string[]>> = {
        x: ['a', '0', '1'],
        y: ['a', '2'],
        '': other === 0 ? ['as '] : [],
        one: other === 0 ? [] : ['as one'],
      }
      expect(found.counts[0]?.map(({ text }) => text)).to.have.members(texts[kind] ?? [])
    }
  })
  it('nothing of a group that no document can be in', async () => {
    const instance = await filled()
    const { counts } = await valueOf(
      store().getRelated(instance, {
        documents: [{ collection: 'things', ids: ['id-0'], detail: 'light' }],
        counts: [
          { collection: 'things', key: 'tags', within: { kind: ['x'] } },
          { collection: 'things', key: 'tags', within: { kind: 'y' } },
        ],
      }),
    )
    expect(counts[0]).to.deep.equal([])
    expect(counts[1]).to.have.lengthOf(2)
  })
}

/** Declares the tests of related documents and counts. */
export const related = (stage: Stage): void => {
  describe(sentences.related, () => {
    documentsById(stage)
    several(stage)
  })
}
