/** Tests of single writes and reads: round trips, detail and atomicity. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { type Filter, singleReads } from '@publishing-service/ports'
import { testSentence } from '../contract.js'
import { expectGroupCounts } from './expect-group-counts.js'
import { sentences } from './sentences.js'
import { sizes } from './sizes.js'
import { all, idsOf, failureTags, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { anyText, fragileTexts, numbersInOrder } from './texts.js'

const expectEqual = (found: JsonObject | undefined, expected: JsonObject): void => {
  if (found === undefined || !jsonEqual(found, expected)) expect(found).to.deep.equal(expected)
}

const text = anyText(12)

const { json } = fc.letrec<{ json: JsonObject[string] }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,8}$/), tie('json'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}))

const document = fc.record({ title: text, content: json, more: json }, { noNullPrototype: true })

const roundTrips = (stage: Stage): void => {
  const { store, newInstance } = stage
  const roundTrip = async (value: JsonObject): Promise<void> => {
    const instance = newInstance()
    const inserted = await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value }),
    )
    expect(inserted).to.include({ id: 'a', version: 1 })
    expectEqual(inserted.value, value)
    expectEqual((await valueOf(store().get('things', instance, 'a')))?.value, value)
    const replaced = await valueOf(
      changes(store()).replace('things', instance, { id: 'a', unique: null, version: 1, value: { value } }),
    )
    expect(replaced).to.include({ id: 'a', version: 2 })
    expectEqual(replaced.value, { value })
    const read = await valueOf(store().get('things', instance, 'a'))
    expect(read).to.include({ id: 'a', version: 2 })
    expectEqual(read?.value, { value })
    expectEqual((await valueOf(store().find('things', instance, all))).documents[0]?.value, { value })
    expectEqual((await valueOf(singleReads(store()).getMany('things', instance, ['a'], 'full')))[0]?.value, {
      value,
    })
    await valueOf(changes(store()).remove('things', instance, 'a', 2))
  }

  it('an empty document', () => roundTrip({}))
  it('texts that some stores change', () =>
    roundTrip({ title: 'a', content: fragileTexts, texts: fragileTexts }))
  it('numbers, exactly', () =>
    roundTrip({ rank: -0, numbers: [...numbersInOrder, -0], content: [0.1, 1e21] }))
  it('booleans, null, lists and objects, also empty', () =>
    roundTrip({
      open: false,
      yes: true,
      none: null,
      list: [[], {}, [null, [true]]],
      object: { a: { b: {} } },
      content: null,
    }))
  it('attributes with names that stores use internally', () =>
    roundTrip({
      id: 'b',
      version: 7,
      instance: 3,
      sequence: 1,
      light: 'l',
      heavy: 'h',
      value: null,
      unique: 'u',
      key: 1,
    }))
  it('a long text', () => roundTrip({ content: 'ä😀b'.repeat(100_000), note: 'x'.repeat(2000) }))
  it('any JSON', () => fc.assert(fc.asyncProperty(document, roundTrip), { numRuns: 40 }))

  it('any id: up to 200 characters, slashes, case, spaces and normal forms', async () => {
    const instance = newInstance()
    const ids = [
      'a',
      'A',
      'a ',
      ' a',
      'a\t',
      'A  ',
      'a/b',
      '/',
      '../a',
      'a b',
      'é',
      'e\u0301',
      '%2F',
      '$id',
      'a.b',
      '__proto__',
      'constructor',
      '😀'.repeat(100),
      'x'.repeat(200),
      `${'x'.repeat(199)}y`,
    ]
    for (const id of ids)
      await valueOf(changes(store()).insert('things', instance, { id, unique: id, value: { title: id } }))
    for (const id of ids)
      expect((await valueOf(store().get('things', instance, id)))?.value).to.deep.equal({ title: id })
    expect(idsOf((await valueOf(store().find('things', instance, all))).documents)).to.deep.equal(ids)
    for (const id of ids) await valueOf(changes(store()).remove('things', instance, id, 1))
    expect(await valueOf(store().find('things', instance, all))).to.deep.equal({ documents: [], next: null })
  })

  it('a removed id that is inserted again, with other attributes', async () => {
    const instance = newInstance()
    const before = { title: 'first', kind: 'x', rank: 1, tags: ['a', 'b'], places: ['a'], content: 'long' }
    const { insert, remove } = changes(store())
    const first = await valueOf(insert('things', instance, { id: 'a', unique: 'u', value: before }))
    await valueOf(remove('things', instance, 'a', 1))
    const after = { title: 'second', tags: ['b', 'c'], note: 'light' }
    const second = await valueOf(insert('things', instance, { id: 'a', unique: null, value: after }))
    expect(second).to.deep.include({ id: 'a', version: 1, value: after })
    expect(second.position).to.be.above(first.position)
    const found = async (filter: Filter) =>
      (await valueOf(store().find('things', instance, { ...all, where: [filter] }))).documents
    for (const filter of [
      { key: 'title', equals: 'second' },
      { key: 'kind', equals: null },
    ])
      expect(await found(filter)).to.deep.equal([second])
    expect(await found({ key: 'tags', has: 'c' })).to.deep.equal([second])
    for (const filter of [
      { key: 'title', equals: 'first' },
      { key: 'rank', equals: 1 },
    ])
      expect(await found(filter)).to.deep.equal([])
    expect(await found({ key: 'tags', has: 'a' })).to.deep.equal([])
    expect(await found({ key: 'places', has: 'a' })).to.deep.equal([])
    await expectGroupCounts(store(), instance, [second])
    await valueOf(insert('things', instance, { id: 'b', unique: 'u', value: {} }))
  })

  it('a get of an id that is not there answers null', async () => {
    const instance = newInstance()
    expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
    await valueOf(changes(store()).insert('others', instance, { id: 'a', unique: null, value: {} }))
    expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
  })

  it('nobody can change it through a value that was handed in or out', async () => {
    const instance = newInstance()
    const value = { title: 'a', list: [{ deep: 'a' }] }
    const change = (target: unknown): void => {
      try {
        Object.assign((target as typeof value).list[0] ?? {}, { deep: 'changed' })
        Object.assign(target as typeof value, { title: 'changed' })
      } catch (error) {
        expect(error, 'the error of a write to a frozen object').to.be.instanceOf(TypeError)
      }
    }
    const inserted = await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value }),
    )
    change(value)
    change(inserted.value)
    change((await valueOf(store().get('things', instance, 'a')))?.value)
    change((await valueOf(store().find('things', instance, all))).documents[0]?.value)
    expectEqual((await valueOf(store().get('things', instance, 'a')))?.value, {
      title: 'a',
      list: [{ deep: 'a' }],
    })
  })
}

const detail = (stage: Stage): void => {
  const { store, newInstance, insert } = stage
  it('in find and getMany; get returns all', async () => {
    const instance = newInstance()
    const value = { title: 'a', content: 'long', kind: null, more: { content: 'stays' } }
    const { content, ...light } = value
    const { id, position } = await insert(instance, value)
    const read = async (wanted: 'light' | 'full') => [
      (await valueOf(store().find('things', instance, { ...all, detail: wanted }))).documents,
      await valueOf(singleReads(store()).getMany('things', instance, [id], wanted)),
    ]
    expect(content).to.equal('long')
    for (const documents of await read('full'))
      expect(documents).to.deep.equal([{ id, version: 1, position, value }])
    for (const documents of await read('light'))
      expect(documents).to.deep.equal([{ id, version: 1, position, value: light }])
    expect((await valueOf(store().get('things', instance, id)))?.value).to.deep.equal(value)
  })
  it('if the heavy attribute is null, absent or added later', async () => {
    const instance = newInstance()
    const { id } = await insert(instance, { title: 'a', content: null })
    await insert(instance, { title: 'b' })
    const values = async (wanted: 'light' | 'full') =>
      (await valueOf(store().find('things', instance, { ...all, detail: wanted }))).documents.map(
        ({ value }) => value,
      )
    expect(await values('light')).to.deep.equal([{ title: 'a' }, { title: 'b' }])
    expect(await values('full')).to.deep.equal([{ title: 'a', content: null }, { title: 'b' }])
    await valueOf(
      changes(store()).replace('things', instance, {
        id,
        unique: null,
        version: 1,
        value: { content: 'new' },
      }),
    )
    expect(await values('light')).to.deep.equal([{}, { title: 'b' }])
    expect(await values('full')).to.deep.equal([{ content: 'new' }, { title: 'b' }])
  })
}

const atomicWrites = (stage: Stage): void => {
  const { store, newInstance } = stage
  it('concurrent readers never see a partial write', async () => {
    const instance = newInstance()
    const written = (n: number): JsonObject => ({
      title: `${n}`,
      rank: n,
      content: `${n}`.repeat(5000),
    })
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value: written(0) }))
    const versions = 10
    let writing = true
    const readers = Array.from({ length: 3 }, async () => {
      let reads = 0
      for (; writing || reads === 0; reads++) {
        const read = await valueOf(store().get('things', instance, 'a'))
        expectEqual(read?.value, written((read?.version ?? 0) - 1))
        const [found] = (
          await valueOf(
            store().find('things', instance, { ...all, order: [{ key: 'rank', direction: 'asc' }] }),
          )
        ).documents
        expectEqual(found?.value, written((found?.version ?? 0) - 1))
        await new Promise(setImmediate)
      }
    })
    for (let version = 1; version <= versions; version++) {
      await valueOf(
        changes(store()).replace('things', instance, {
          id: 'a',
          unique: null,
          version,
          value: written(version),
        }),
      )
    }
    writing = false
    await Promise.all(readers)
  })
  it('a write that fails changes nothing, also among many that succeed', async () => {
    const instance = newInstance()
    await valueOf(
      changes(store()).insert('things', instance, { id: 'stored', unique: 'u', value: { title: 'first' } }),
    )
    const tasks = Array.from({ length: 20 }, (_, i) =>
      changes(store()).insert('things', instance, {
        id: `d${i}`,
        unique: i % 2 === 0 ? null : 'u',
        value: { title: `${i}` },
      }),
    )
    expect(await failureTags(tasks)).to.deep.equal(
      tasks.map((_, i) => (i % 2 === 0 ? null : 'UniqueConflict')),
    )
    const { documents } = await valueOf(store().find('things', instance, all))
    expect(idsOf(documents)).to.have.members([
      'stored',
      ...tasks.flatMap((_, i) => (i % 2 === 0 ? [`d${i}`] : [])),
    ])
  })
}

/** Declares the tests of reading and writing single documents. */
export const writing = (
  stage: Stage,
  {
    maxDocumentBytes,
    restrictedNames,
  }: { readonly maxDocumentBytes: number | null; readonly restrictedNames?: string | undefined },
): void => {
  describe(sentences.readBack, () => {
    roundTrips(stage)
    testSentence('nested attributes of any name', restrictedNames, async () => {
      const names = [
        '',
        ' ',
        '.',
        'a.b',
        '$set',
        '$',
        '__proto__',
        'constructor',
        'toString',
        'ä',
        '😀',
        '"',
        "'",
        '\\',
        '0',
      ]
      const value = {
        object: Object.fromEntries(names.map((name, i) => [name, i])),
        content: { 'a.b': { $gt: 1 } },
      }
      const instance = stage.newInstance()
      await valueOf(changes(stage.store()).insert('things', instance, { id: 'a', unique: null, value }))
      expectEqual((await valueOf(stage.store().get('things', instance, 'a')))?.value, value)
    })
  })
  describe(sentences.detail, () => detail(stage))
  describe(sentences.whole, () => atomicWrites(stage))
  sizes(stage, maxDocumentBytes)
}
