/** Tests of the documents that are appended with a change. */
import { changes, nextPosition } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { maxAppendedBytes, maxKeyTextBytes } from '@publishing-service/ports'
import type {
  Appended,
  DocumentChange,
  Document,
  DocumentStore,
  NewDocument,
} from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { groupCountsOf } from './expect-group-counts.js'
import { sentences } from './sentences.js'
import { longestNames } from './sizes.js'
import { all, failureTags, idsOf, type OpenSubject, others, soon, type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

type Write = { readonly change: DocumentChange; readonly appended: readonly Appended[] }

const inserted = (id: string, value: JsonObject = {}, unique: string | null = null): DocumentChange => ({
  kind: 'insert',
  document: { id, position: nextPosition(), unique, value },
})
const replaced = (id: string, version: number, value: JsonObject = {}): DocumentChange => ({
  kind: 'replace',
  document: { id, unique: null, version, value },
})
const removed = (id: string, version: number): DocumentChange => ({ kind: 'remove', id, version })

export const append = (
  collection: string,
  instance: number,
  id: string,
  value: JsonObject = {},
): Appended => ({ collection, instance, document: { id, position: nextPosition(), unique: null, value } })

/** A new document as it is stored. */
const stored = ({
  document: { id, position, version = 1, value },
}: {
  readonly document: NewDocument
}): Document => {
  if (typeof position !== 'number') throw new Error('The position of this document is not known')
  return { id, version, position, value }
}

const documentsIn = async (store: DocumentStore, collection: string, instance: number) =>
  (await valueOf(store.find(collection, instance, all))).documents

/** Exactly these documents are in the collection, soon and in the order of their positions. */
const expectSoon = (
  store: DocumentStore,
  collection: string,
  instance: number,
  expected: readonly Appended[],
): Promise<unknown> =>
  soon(async () => expect(await documentsIn(store, collection, instance)).to.deep.equal(expected.map(stored)))

const withEachChange = ({ store, newInstance }: Stage, maxBytes: number | null): void => {
  const make = ({ change, appended }: Write, instance: number) =>
    valueOf(changes(store()).change('things', instance, change, appended))

  it('an insert, a replace and a removal, in another collection and instance', async () => {
    const instance = newInstance()
    const there = newInstance()
    const value = (n: number) => ({ kind: 'x', rank: n, tags: ['a', `${n}`], content: 'long' })
    const appended = [1, 2, 3].map((n) => append('others', there, `${n}`, value(n)))
    const [first, second, third] = appended.map((each) => [each])
    const insertion = await make({ change: inserted('a', { title: 'a' }), appended: first ?? [] }, instance)
    expect(insertion?.value).to.deep.equal({ title: 'a' })
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(insertion)
    const replacement = { ...insertion, version: 2, value: { title: 'b' } }
    expect(
      await make({ change: replaced('a', 1, { title: 'b' }), appended: second ?? [] }, instance),
    ).to.deep.equal(replacement)
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(replacement)
    expect(await documentsIn(store(), 'things', instance)).to.deep.equal([replacement])
    expect(await make({ change: removed('a', 2), appended: third ?? [] }, instance)).to.equal(null)
    await expectSoon(store(), 'others', there, appended)
    expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
    expect(await documentsIn(store(), 'things', instance)).to.deep.equal([])
    expect(await documentsIn(store(), 'others', instance)).to.deep.equal([])
    expect(await valueOf(store().get('others', there, '2'))).to.include({ id: '2', version: 1 })
    const found = async (where: (typeof all)['where']) =>
      idsOf((await valueOf(store().find('others', there, { ...all, where }))).documents)
    expect(await found([{ key: 'kind', equals: 'x' }])).to.deep.equal(['1', '2', '3'])
    expect(await found([{ key: 'rank', above: 1 }])).to.deep.equal(['2', '3'])
    expect(await found([{ key: 'tags', has: '2' }])).to.deep.equal(['2'])
    expect(await groupCountsOf(store(), there, 'tags', { kind: 'x' }, 'others')).to.deep.equal([
      { text: '1', count: 1 },
      { text: '2', count: 1 },
      { text: '3', count: 1 },
      { text: 'a', count: 3 },
    ])
  })

  it('several with one change, also in the instance 0 and in the collection of the change', async () => {
    const instance = newInstance()
    const change = inserted('a', { title: 'a' })
    const appended = [
      append('things', instance, 'b', { title: 'b' }),
      append('others', 0, `${instance}-0`, { title: 'b' }),
      append('others', instance, 'a', { title: 'b' }),
    ]
    const written = await make({ change, appended }, instance)
    await expectSoon(store(), 'others', instance, appended.slice(2))
    await soon(async () =>
      expect(await documentsIn(store(), 'things', instance)).to.deep.equal([
        written,
        ...appended.slice(0, 1).map(stored),
      ]),
    )
    await soon(async () =>
      expect((await valueOf(store().get('others', 0, `${instance}-0`)))?.value).to.deep.equal({ title: 'b' }),
    )
  })

  it('with the version that it comes with, and then with the next', async () => {
    const instance = newInstance()
    const { document, ...at } = append('others', instance, 'a', { title: 'a' })
    const appended = [{ ...at, document: { ...document, version: 7 } }]
    await make({ change: inserted('a'), appended }, instance)
    await expectSoon(store(), 'others', instance, appended)
    const replacement = { id: 'a', unique: null, version: 7, value: { title: 'b' } }
    const replacedOnce = await valueOf(changes(store()).replace('others', instance, replacement))
    expect(replacedOnce).to.include({ version: 8 })
  })

  it('many changes of one document in sequence, which is removed and inserted again', async () => {
    const instance = newInstance()
    const appended: Appended[] = []
    const step = async (change: DocumentChange): Promise<void> => {
      const each = append('others', instance, `${appended.length}`, { rank: appended.length })
      appended.push(each)
      await make({ change, appended: [each] }, instance)
    }
    for (let round = 0; round < 3; round++) {
      await step(inserted('a', { rank: round }))
      for (let version = 1; version < 6; version++) await step(replaced('a', version, { rank: round }))
      await step(removed('a', 6))
      expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
    }
    const last = inserted('a', { title: 'last' })
    await step(last)
    await expectSoon(store(), 'others', instance, appended)
    expect((await valueOf(store().get('things', instance, 'a')))?.value).to.deep.equal({ title: 'last' })
  })

  it('20 concurrent writes of one version, of which one succeeds', async () => {
    for (const changeOf of [
      (i: number) => replaced('a', 1, { rank: i }),
      () => removed('a', 1),
      (i: number) => inserted('b', { rank: i }),
    ]) {
      const instance = newInstance()
      await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value: {} }))
      const writes = Array.from({ length: 20 }, (_, i) => ({
        change: changeOf(i),
        appended: [append('others', instance, `${i}`, { rank: i })],
      }))
      const tags = await failureTags(
        writes.map(({ change, appended }) => changes(store()).change('things', instance, change, appended)),
      )
      expect(tags.filter((tag) => tag === 'VersionConflict')).to.have.length(19)
      const barrier = append('others', instance, 'barrier')
      await make({ change: inserted('c'), appended: [barrier] }, instance)
      const winner = writes.filter((_, i) => tags[i] === null).flatMap(({ appended }) => appended)
      expect(winner).to.have.length(1)
      await expectSoon(store(), 'others', instance, [...winner, barrier])
    }
  })

  it('one as large as they may be together', async () => {
    const instance = newInstance()
    for (const change of [inserted('a'), replaced('a', 1), removed('a', 2)]) {
      const left = maxAppendedBytes - '{"content":""}'.length
      const appended = append('others', newInstance(), 'a', { content: 'x'.repeat(left) })
      await make({ change, appended: [appended] }, instance)
      await expectSoon(store(), 'others', appended.instance, [appended])
    }
  })

  it('with a replace of the largest size with the longest id and unique text, as large as they may be together', async () => {
    const instance = newInstance()
    const content = (bytes: number) => ({ content: 'x'.repeat(bytes - '{"content":""}'.length) })
    const { id } = longestNames
    await valueOf(changes(store()).insert('things', instance, { ...longestNames, value: {} }))
    const appended = [1, 2].map((n) =>
      append('others', instance, `${n}`, content(maxAppendedBytes / 2 - 200)),
    )
    const value = content(maxBytes ?? 1024 * 1024)
    const document = { ...longestNames, version: 1, value }
    await make({ change: { kind: 'replace', document }, appended }, instance)
    await expectSoon(store(), 'others', instance, appended)
    const read = await valueOf(store().get('things', instance, id))
    // A failed comparison of texts of this size would print them.
    expect(read !== null && jsonEqual(read.value, value), 'the document is read back equal').to.equal(true)
    await valueOf(changes(store()).remove('things', instance, id, 2))
  })
}

const withoutTheChange = ({ store, newInstance }: Stage, maxBytes: number | null): void => {
  it('none with a change that fails', async () => {
    const instance = newInstance()
    for (const id of ['a', 'b'])
      await valueOf(changes(store()).insert('things', instance, { id, unique: id, value: {} }))
    const long = 'x'.repeat(maxKeyTextBytes + 1)
    const failing: readonly (readonly [tag: string, change: DocumentChange])[] = [
      ...[inserted('a'), replaced('a', 2), removed('a', 2), replaced('none', 1), removed('none', 1)].map(
        (change) => ['VersionConflict', change] as const,
      ),
      ['UniqueConflict', inserted('c', {}, 'a')],
      ['UniqueConflict', { kind: 'replace', document: { id: 'b', unique: 'a', version: 1, value: {} } }],
      ['DocumentTooLarge', inserted('c', { title: long })],
      ['DocumentTooLarge', replaced('a', 1, { tags: [long] })],
      ...(maxBytes === null
        ? []
        : [['DocumentTooLarge', inserted('c', { content: 'x'.repeat(maxBytes) })] as const]),
    ]
    const value = { tags: ['a'] }
    const writes = failing.map(([, change], i) =>
      changes(store()).change('things', instance, change, [append('others', instance, `${i}`, value)]),
    )
    expect(await failureTags(writes)).to.deep.equal(failing.map(([tag]) => tag))
    const last = append('others', instance, 'last', value)
    await valueOf(changes(store()).change('things', instance, removed('a', 1), [last]))
    await expectSoon(store(), 'others', instance, [last])
    expect(await groupCountsOf(store(), instance, 'tags', {}, 'others')).to.deep.equal([
      { text: 'a', count: 1 },
    ])
  })

  it('one that concurrent changes with new unique texts append, and different ones', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
    for (const id of ids)
      await valueOf(changes(store()).insert('things', instance, { id, unique: id, value: {} }))
    const own = ids.map((id) => append('others', instance, id))
    const tags = await failureTags(
      own.map((each, i) => {
        const id = each.document.id
        const change: DocumentChange = {
          kind: 'replace',
          document: { id, unique: `new ${i}`, version: 1, value: {} },
        }
        return changes(store()).change('things', instance, change, [
          append('others', instance, 'shared'),
          each,
        ])
      }),
    )
    expect(tags).to.deep.equal(ids.map(() => null))
    await soon(async () =>
      expect(idsOf(await documentsIn(store(), 'others', instance))).to.have.members([...ids, 'shared']),
    )
  })

  it('one whose id exists already changes nothing, while the others are appended', async () => {
    const instance = newInstance()
    const first = append('others', instance, 'a', { title: 'first', tags: ['first'] })
    await valueOf(changes(store()).change('things', instance, inserted('a'), [first]))
    await expectSoon(store(), 'others', instance, [first])
    const second = [
      append('others', instance, 'a', { title: 'second', tags: ['second'] }),
      append('others', instance, 'b', { tags: ['b'] }),
    ]
    await valueOf(changes(store()).change('things', instance, replaced('a', 1), second))
    await expectSoon(store(), 'others', instance, [first, ...second.slice(1)])
    expect(await groupCountsOf(store(), instance, 'tags', {}, 'others')).to.deep.equal([
      { text: 'b', count: 1 },
      { text: 'first', count: 1 },
    ])
  })
}

const never = (stage: Stage, open: OpenSubject, { volatile }: Deviations<'documentStore'>): void => {
  it('one that is changed or removed stays so', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const appended = ['a', 'b'].map((id) => append('others', instance, id, { title: id }))
    await valueOf(changes(store()).change('things', instance, inserted('a'), appended))
    await expectSoon(store(), 'others', instance, appended)
    const { replace, remove } = changes(store())
    const value = { title: 'changed' }
    const changed = await valueOf(replace('others', instance, { id: 'a', unique: 'a', version: 1, value }))
    await valueOf(remove('others', instance, 'b', 1))
    await valueOf(changes(store()).change('things', instance, replaced('a', 1), []))
    await valueOf(changes(store()).change('things', instance, removed('a', 2), []))
    expect(await documentsIn(store(), 'others', instance)).to.deep.equal([changed])
    if (volatile !== undefined) return
    const second = await stage.subject().reopen([things, others])
    try {
      expect(await documentsIn(second, 'others', instance)).to.deep.equal([changed])
    } finally {
      await second.close()
    }
  })

  if (volatile !== undefined) return
  it('is not lost when the store closes, and another store finds it', async () => {
    const subject = await open([things, others])
    try {
      const appended = Array.from({ length: 10 }, (_, i) => append('others', 0, `${i}`, { rank: i }))
      const write = (i: number, change: DocumentChange) =>
        valueOf(changes(subject.store).change('things', 1, change, appended.slice(i, i + 1)))
      const second = await subject.reopen([things, others])
      await write(0, inserted('first'))
      await expectSoon(second, 'others', 0, appended.slice(0, 1))
      await second.close()
      await Promise.all(appended.slice(2).map((_, i) => write(i + 2, inserted(`${i}`))))
      const removal = write(1, removed('first', 1))
      await subject.store.close()
      await removal
      const later = await subject.reopen([things, others])
      try {
        await expectSoon(later, 'others', 0, appended)
        expect(await documentsIn(later, 'things', 1)).to.have.length(8)
      } finally {
        await later.close()
      }
    } finally {
      await subject.dispose()
    }
  })
}

/** Declares the tests of appended documents. `maxBytes` is the limit of a document, or null. */
export const appending = (
  stage: Stage,
  open: OpenSubject,
  deviations: Deviations<'documentStore'> & { readonly maxBytes: number | null },
): void => {
  describe(sentences.appended, () => {
    withEachChange(stage, deviations.maxBytes)
    withoutTheChange(stage, deviations.maxBytes)
    never(stage, open, deviations)
  })
}
