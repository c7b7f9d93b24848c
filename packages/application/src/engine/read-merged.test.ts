import { E } from '@publishing-service/domain/fp'
import type { Order } from '@publishing-service/domain/filters'
import { placeOf, unreadable, type Document, type Query } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { documentsIn, type InstanceDocuments } from '../instance-store.js'
import { right } from '../test-support/stage.js'
import { readMerged, type Source } from './read-merged.js'
import { documentsMeeting, type PageLinks, type PageRequest } from './read-page.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const instance = 1
const sizes = { content: 2300, files: 1007, tags: 500, blogs: 0 } as const
const names = ['content', 'files', 'tags', 'blogs'] as const
const total = Object.values(sizes).reduce((sum: number, size) => sum + size, 0)

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
  before(async () => {
    documents = memoryDocuments()
    for (const { id, title, source } of entries)
      await right(
        documents.insert(names[source] ?? '', instance, { id, unique: null, value: { title_order: title } }),
      )
  })
  beforeEach(() => {
    damaged = new Set()
    queries = []
    returned = 0
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
  })

  const sourcesBy = (order: readonly Order[]): readonly Source[] =>
    names.map((name, index) => {
      const collection = collections.find((each) => each.name === name)
      if (collection === undefined) throw new Error(`no collection ${name}`)
      return {
        find: documentsMeeting(inInstance, name, { where: [], order }),
        detail: 'light',
        placeOf: ({ value }) =>
          value === unreadable ? null : placeOf(collection, order, { value, position: index }),
      }
    })
  const read = async (
    order: readonly Order[],
    request: Pick<PageRequest, 'page' | 'rpp'> & Partial<PageRequest>,
  ): Promise<PageLinks & { readonly ids: readonly string[] }> => {
    const ids: string[] = []
    const result = { sources: sourcesBy(order), order }
    const links = await readMerged<Document, Source>(result, { after: null, ...request }, async (found) => {
      ids.push(...found.map(({ item }) => item.id))
    })
    return { ...links, ids }
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
    it(`is found by its number ${name}`, async () => {
      const all = expected(order)
      const rpp = 100
      for (const page of [1, 2, 5, 6, 10, 20, Math.floor(total / rpp), Math.floor(total / rpp) + 1]) {
        const { ids, next } = await read(order, { page, rpp })
        expect(ids, `${page}`).to.deep.equal(all.slice((page - 1) * rpp, page * rpp))
        expect(next !== null, `${page}`).to.equal(page * rpp < total)
      }
    })

    it(`neither repeats nor leaves out a row page by page ${name}, and reads few others`, async () => {
      const seen: string[] = []
      const rpp = 31
      let most = 0
      for (let link: PageLinks['next'] = { page: 1, after: null }; link !== null;) {
        returned = 0
        const { ids, next } = await read(order, { ...link, rpp })
        seen.push(...ids)
        link = next
        most = Math.max(most, returned)
      }
      expect(seen).to.deep.equal(expected(order))
      expect(most).to.be.at.most(names.length * (rpp + 2))
    })

    it(`is empty after the end ${name}`, async () => {
      const { ids, next } = await read(order, { page: total, rpp: 20 })
      expect([ids, next]).to.deep.equal([[], null])
    })
  }

  it('reads one result at a time without an order', async () => {
    await read([], { page: 1, rpp: 20 })
    expect([returned, queries.length]).to.deep.equal([21, 1])
  })

  it('of a cursor that no page has is a fault', async () => {
    const order = orders['in ascending order']
    const start = { after: null, skip: 0 }
    for (const starts of [
      [],
      [start],
      'x',
      names.map(() => ({ ...start, skip: -1 })),
      names.map(() => ({ after: 'x', skip: 0 })),
    ]) {
      const outcome = await read(order, { page: 2, rpp: 20, after: [starts, null] }).catch(
        (error: unknown) => error,
      )
      expect(outcome, JSON.stringify(starts)).to.have.property('_tag', 'BadParameters')
    }
  })

  it('has a damaged document after the one before it in its collection', async () => {
    const order = orders['in descending order']
    const all = expected(order)
    const ofFiles = all.filter((id) => id.startsWith('files'))
    const [previous = '', victim = ''] = ofFiles.slice(700)
    damaged = new Set([victim])
    const others = all.filter((id) => id !== victim)
    const wanted = others.toSpliced(others.indexOf(previous) + 1, 0, victim)
    const seen: string[] = []
    for (let link: PageLinks['next'] = { page: 1, after: null }; link !== null;) {
      const { ids, next } = await read(order, { ...link, rpp: 100 })
      seen.push(...ids)
      link = next
    }
    expect(seen).to.deep.equal(wanted)
  })
})
