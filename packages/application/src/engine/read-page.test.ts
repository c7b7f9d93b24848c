import type { Document, DocumentStore, Query } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { documentsIn } from '../instance-store.js'
import { right } from '../test-support/stage.js'
import {
  blockSize,
  documentsMeeting,
  maxReadBytes,
  readPage,
  type FindPage,
  type PageLinks,
  type PageRequest,
} from './read-page.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const instance = 1
const count = 2 * blockSize + 500
const rpp = 20

describe('a page', () => {
  let documents: Documents
  let queries: Query[]
  let find: FindPage
  before(async () => {
    documents = memoryDocuments()
    for (let number = 0; number < count; number += 1)
      await right(
        documents.insert('blogs', instance, {
          id: `${number}`,
          unique: null,
          value: { title: `B${number}` },
        }),
      )
  })
  beforeEach(() => {
    queries = []
    const recorded: DocumentStore['find'] = (collection, number, query) => {
      queries.push(query)
      return documents.find(collection, number, query)
    }
    const inInstance = documentsIn({ ...documents, find: recorded }, instance)
    find = documentsMeeting(inInstance, 'blogs', { where: [], order: [] })
  })

  const read = async (
    page: number,
    after: PageRequest['after'] = null,
  ): Promise<PageLinks & { readonly ids: readonly string[] }> => {
    const found: Document[] = []
    const links = await readPage(find, { page, rpp, after }, 'light', (each) => void found.push(...each))
    return { ...links, ids: found.map(({ id }) => id) }
  }
  const numbers = (page: number): readonly string[] =>
    Array.from({ length: rpp }, (_, index) => (page - 1) * rpp + index)
      .filter((number) => number < count)
      .map(String)

  it('is found by its number, without skipping more than a block in one read', async () => {
    const pages = [
      1,
      2,
      blockSize / rpp,
      blockSize / rpp + 1,
      (2 * blockSize) / rpp,
      count / rpp,
      count / rpp + 1,
    ]
    for (const page of pages) expect((await read(page)).ids, String(page)).to.deep.equal(numbers(page))
    for (const far of [(3 * blockSize) / rpp, 1_000_000, 1_000_000_000])
      expect(await read(far)).to.deep.include({ ids: [], next: null })
    expect(Math.max(...queries.map(({ skip }) => skip))).to.be.at.most(blockSize)
  })

  it('is found by the link of the page before it, in one read that skips nothing', async () => {
    let [links, page] = [await read(1), 1]
    while (links.next !== null) {
      queries = []
      expect(links.next.page).to.equal(page + 1)
      links = await read(links.next.page, links.next.after)
      page += 1
      expect(links.ids).to.deep.equal(numbers(page))
      expect(queries.map(({ skip }) => skip)).to.deep.equal([0])
    }
    expect(page).to.equal(count / rpp)
  })

  it('is found by the link of the page after it', async () => {
    const second = await read(2, (await read(1)).next?.after)
    const third = await read(3, second.next?.after)
    expect(third.previous?.page).to.equal(2)
    queries = []
    expect((await read(2, third.previous?.after)).ids).to.deep.equal(numbers(2))
    expect(queries.map(({ skip }) => skip)).to.deep.equal([0])
    expect((await read(1)).previous).to.equal(null)
  })

  it('of a cursor that no page has is a fault', async () => {
    for (const start of ['x', 1, [1, 2, 3, 4], [{}]]) {
      const outcome = await read(2, [start, null]).catch((error: unknown) => error)
      expect(outcome, JSON.stringify(start)).to.have.property('_tag', 'BadParameters')
    }
  })

  it('of long documents is read in batches of bounded size', async () => {
    const long = 'x'.repeat(maxReadBytes / 2)
    for (let number = 0; number < 5; number += 1)
      await right(
        documents.insert('tags', instance, { id: `${number}`, unique: null, value: { title: long } }),
      )
    const steps: number[] = []
    const tags = documentsMeeting(documentsIn(documents, instance), 'tags', { where: [], order: [] })
    const request = { page: 1, rpp: 4, after: null }
    const links = await readPage(tags, request, 'full', (found) => void steps.push(found.length))
    expect(links.next?.page).to.equal(2)
    expect(steps).to.deep.equal([2, 2])
  })
})
