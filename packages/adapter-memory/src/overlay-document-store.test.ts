import { documentStoreConformance, searchConformance } from '@publishing-service/conformance'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { type Change, type Collection, type DocumentStore, type NewDocument } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { memoryDocumentStore } from './memory-document-store.js'
import { overlayDocumentStore, type UniqueTexts } from './overlay-document-store.js'

/** What was written to a store, by its unique texts. */
class KnownTexts implements UniqueTexts {
  readonly #texts = new WeakMap<JsonObject, string>()
  readonly #ids = new Map<string, Set<string>>()

  add(collection: string, { id, unique }: Pick<NewDocument, 'id' | 'unique'>, stored: JsonObject): void {
    if (unique === null) return
    this.#texts.set(stored, unique)
    const key = `${collection}/${unique}`
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id))
  }

  readonly of: UniqueTexts['of'] = (_collection, { value }) => this.#texts.get(value) ?? null

  readonly sharing: UniqueTexts['sharing'] = (collection, { unique }) => ({
    where: [],
    ids: [...(this.#ids.get(`${collection}/${unique}`) ?? [])],
  })
}

/** The writes of each instance that are made to the store below. */
const writesBelow = 4

/** A store over another one, which has what was written first to each instance. */
const open = async (collections: readonly Collection[]) => {
  const below = memoryDocumentStore(collections)
  const texts = new KnownTexts()
  const overlay = overlayDocumentStore(below, collections, texts)
  const counts = new Map<number, number>()
  const writeBelow =
    (...[instance, changes, appended]: Parameters<DocumentStore['write']>) =>
    async () => {
      const written = await below.write(instance, changes, appended)()
      if (E.isRight(written))
        for (const [index, stored] of written.right.entries()) {
          const change: Change | undefined = changes[index]
          if (stored !== null && change !== undefined && 'document' in change)
            texts.add(change.collection, change.document, stored.value)
        }
      return written
    }
  const store: DocumentStore = {
    ...overlay,
    write: (instance, changes, appended) => {
      const count = (counts.get(instance) ?? 0) + 1
      counts.set(instance, count)
      for (const each of appended) if (each.instance !== instance) counts.set(each.instance, writesBelow)
      return (count <= writesBelow ? writeBelow : overlay.write)(instance, changes, appended)
    },
    close: async () => {
      await overlay.close()
      await below.close()
    },
  }
  return { store, reopen: async () => store, dispose: store.close }
}

const deviations = { volatile: 'It is for trials, in the memory of its process.' }

documentStoreConformance({
  name: 'overlayDocumentStore',
  open,
  deviations: {
    ...deviations,
    blurredSnapshots: 'Its snapshots are read from two stores.',
    crashes: 'It ends with its process.',
    outages: 'It has no server.',
    lostResponses: 'It has no connection and no disk.',
    fullStorage: 'Its process ends when memory is full.',
  },
  maxDocumentBytes: null,
})

searchConformance({ name: 'overlayDocumentStore', open, deviations })

const things: Collection = {
  name: 'things',
  heavy: [],
  keys: { kind: 'text', tags: 'texts' },
  indexes: [['kind']],
  groupCounts: [{ key: 'tags', within: [] }],
}

const all = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' } as const

const right = async <A>(task: () => Promise<Either<unknown, A>>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return expect.fail(JSON.stringify(outcome.left))
  return outcome.right
}

const insert = (id: string, value: JsonObject = {}, unique: string | null = null): Change => ({
  collection: 'things',
  kind: 'insert',
  document: { id, unique, position: Number(id), value },
})

describe('overlayDocumentStore', () => {
  /** A store with two things of one kind, over which there is another one. */
  const overTwo = async () => {
    const below = memoryDocumentStore([things])
    await right(below.write(1, [insert('1', { kind: 'a', tags: ['x'] }), insert('2', { kind: 'a' })], []))
    const overlay = overlayDocumentStore(below, [things], {
      of: (_collection, { id }) => `name ${id}`,
      sharing: (_collection, { unique }) => ({ where: [], ids: [unique.replace('name ', '')] }),
    })
    return { below, overlay }
  }

  it('never writes to the store below, nor closes it', async () => {
    const { below, overlay } = await overTwo()
    const before = await right(below.find('things', 1, all))
    await right(
      overlay.write(
        1,
        [
          insert('3'),
          {
            collection: 'things',
            kind: 'replace',
            document: { id: '1', unique: null, version: 1, value: {} },
          },
          { collection: 'things', kind: 'remove', id: '2', version: 1 },
        ],
        [],
      ),
    )
    const { documents } = await right(overlay.find('things', 1, all))
    expect(documents.map(({ id, version }) => [id, version])).to.deep.equal([
      ['1', 2],
      ['3', 1],
    ])
    expect(await right(below.find('things', 1, all))).to.deep.equal(before)
    await overlay.close()
    await right(below.check())
  })

  it('is in conflict with what the store below has', async () => {
    const { overlay } = await overTwo()
    const tagOf = async (change: Change) => {
      const written = await overlay.write(1, [change], [])()
      return E.isLeft(written) ? written.left._tag : null
    }
    const none = (kind: string): Change => ({
      collection: 'things',
      kind: 'expect none',
      selection: { where: [{ key: 'kind', equals: kind }] },
    })
    expect(await tagOf(insert('1'))).to.equal('VersionConflict')
    expect(await tagOf(insert('3', {}, 'name 2'))).to.equal('UniqueConflict')
    expect(await tagOf(none('a'))).to.equal('VersionConflict')
    expect(await tagOf(none('b'))).to.equal(null)
    expect(await tagOf({ collection: 'things', kind: 'expect', id: '2', version: 2 })).to.equal(
      'VersionConflict',
    )
    for (const id of ['1', '2'])
      expect(await tagOf({ collection: 'things', kind: 'remove', id, version: 1 })).to.equal(null)
    expect(await tagOf(none('a'))).to.equal(null)
    expect(await tagOf(insert('3', {}, 'name 2'))).to.equal(null)
  })

  it('reads what others write to the store below, unless it has written the same document', async () => {
    const { below, overlay } = await overTwo()
    const replace = (store: DocumentStore, id: string, kind: string) =>
      right(
        store.write(
          1,
          [
            {
              collection: 'things',
              kind: 'replace',
              document: { id, unique: null, version: 1, value: { kind } },
            },
          ],
          [],
        ),
      )
    await replace(overlay, '1', 'b')
    await replace(below, '1', 'c')
    await replace(below, '2', 'c')
    const kindOf = async (id: string) => (await right(overlay.get('things', 1, id)))?.value['kind']
    expect([await kindOf('1'), await kindOf('2')]).to.deep.equal(['b', 'c'])
  })
})
