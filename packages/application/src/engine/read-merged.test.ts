import { controlledClock } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import type { Order } from '@publishing-service/domain/lists'
import { placeOf, unreadable, type Query } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { documentsIn, type InstanceDocuments } from '../instance-store.js'
import { right, start } from '../test-support/stage.js'
import { createMergedReader, type MergedReader, type Source } from './read-merged.js'
import { blockSize, documentsMeeting } from './read-page.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const instance = 1
const sizes = { content: 2 * blockSize + 300, files: blockSize + 7, tags: 500, blogs: 0 } as const
const names = ['content', 'files', 'tags', 'blogs'] as const
const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)

/** Spread over the numbers below the modulus, with duplicates within and between collections. */
const titleOf = (collection: number, number: number): string =>
  String((number * 7919 + collection * 31) % 3001).padStart(5, '0')

type Entry = { readonly id: string; readonly title: string; readonly source: number }

const entries: readonly Entry[] = names.flatMap((name, source) =>
  Array.from({ length: sizes[name] }, (_, number) => ({
    id: `${name}-${number}`,
    title: titleOf(source, number),
    source,
  })),
)

describe('a page of merged results', () => {
  let documents: Documents
  let queries: Query[]
  let returned: number
  let damaged: ReadonlySet<string>
  let inInstance: InstanceDocuments
  let merged: MergedReader
  before(async () => {
    documents = memoryDocuments()
    for (const { id, title, source } of entries)
      await right(
        documents.insert(names[source] ?? '', instance, { id, unique: null, value: { title_order: title } }),
      )
  })
  const clock = controlledClock(start)
  const restart = (): void => {
    queries = []
    returned = 0
    merged = createMergedReader(clock)
  }
  beforeEach(() => {
    damaged = new Set()
    inInstance = documentsIn(
      {
        ...documents,
        find: (collection, number, query) => async () => {
          queries.push(query)
          const found = await documents.find(collection, number, query)()
          if (E.isLeft(found)) return found
          returned += found.right.documents.length
          return E.right({
            ...found.right,
            documents: found.right.documents.map((each) =>
              damaged.has(each.id) ? { ...each, value: unreadable } : each,
            ),
          })
        },
      },
      instance,
    )
    restart()
  })

  const sourcesBy = (order: readonly Order[]): readonly Source[] =>
    names.map((name, index) => {
      const collection = collections.find((each) => each.name === name)
      if (collection === undefined) throw new Error(`no collection ${name}`)
      return {
        result: {
          find: documentsMeeting(inInstance, name, { where: [], order }),
          key: `${name} ${JSON.stringify(order)}`,
        },
        detail: 'light',
        placeOf: ({ value }) => placeOf(collection, order, { value, position: index }),
      }
    })
  const page = async (order: readonly Order[], skip: number, limit: number) => {
    const ids: string[] = []
    const result = { sources: sourcesBy(order), order }
    const hasNext = await merged.read(result, { skip, limit }, async (found) => {
      ids.push(...found.map(({ document }) => document.id))
    })
    return { ids, hasNext }
  }
  const expected = ([order]: readonly Order[]): readonly string[] => {
    const sign = order?.direction === 'desc' ? -1 : 1
    // The sort is stable, and the entries are in the order of their collections.
    return (sign === 1 ? entries : entries.toReversed())
      .toSorted((a, b) =>
        order === undefined || a.title === b.title ? 0 : sign * (a.title < b.title ? -1 : 1),
      )
      .map(({ id }) => id)
  }

  const orders = {
    'without an order': [],
    'in ascending order': [{ key: 'title_order', direction: 'asc' }],
    'in descending order': [{ key: 'title_order', direction: 'desc' }],
  } as const satisfies Readonly<Record<string, readonly Order[]>>

  for (const [name, order] of Object.entries(orders)) {
    it(`is exact at any position ${name}`, async () => {
      const all = expected(order)
      for (const skip of [
        0,
        1,
        20,
        499,
        500,
        blockSize - 1,
        blockSize,
        blockSize + 1,
        4 * blockSize - 1,
        total - 101,
        total - 100,
        total - 20,
        total - 1,
        total,
        total + 1,
      ])
        for (const fresh of [true, false]) {
          if (fresh) restart()
          const { ids, hasNext } = await page(order, skip, 100)
          expect(ids, `${skip}`).to.deep.equal(all.slice(skip, skip + 100))
          expect(hasNext, `${skip}`).to.equal(skip + 100 < total)
        }
    })

    it(`neither repeats nor leaves out a row page by page ${name}`, async () => {
      const seen: string[] = []
      for (let skip = 0; ; skip += 331) {
        const { ids, hasNext } = await page(order, skip, 331)
        seen.push(...ids)
        if (!hasNext) break
      }
      expect(seen).to.deep.equal(expected(order))
    })

    it(`is empty after the end ${name}`, async () => {
      for (const skip of [total + 5, 10 * total, 100_000_000_000])
        expect(await page(order, skip, 20)).to.deep.equal({ ids: [], hasNext: false })
    })
  }

  it('reads few documents before it, and none from a cached position', async () => {
    const order = orders['in ascending order']
    await page(order, total - 300, 20)
    expect(returned).to.be.below(500)
    expect(Math.max(...queries.map(({ skip }) => skip))).to.be.at.most(blockSize)
    returned = 0
    await page(order, total - 280, 20)
    expect(returned).to.be.at.most(names.length * 21)
    returned = 0
    queries.length = 0
    await page([], 0, 20)
    expect([returned, queries.length], 'without an order').to.deep.equal([21, 1])
  })

  it('has a damaged document after the one before it in its collection', async () => {
    const order = orders['in descending order']
    const all = expected(order)
    const ofFiles = all.filter((id) => id.startsWith('files'))
    const [previous = '', victim = ''] = ofFiles.slice(blockSize - 2)
    damaged = new Set([victim])
    const others = all.filter((id) => id !== victim)
    const index = others.indexOf(previous) + 1
    const wanted = others.toSpliced(index, 0, victim)
    for (const skip of [index - 50, index, 0]) {
      restart()
      expect((await page(order, skip, 100)).ids).to.deep.equal(wanted.slice(skip, skip + 100))
    }
  })
})
