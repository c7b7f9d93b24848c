import { controlledClock } from '@publishing-service/adapter-memory'
import type { Document, DocumentStore, Query } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { documentsIn } from '../instance-store.js'
import { right, start } from '../test-support/stage.js'
import {
  createPageReader,
  documentsMeeting,
  maxReadBytes,
  blockSize,
  type PageReader,
  type PagedQuery,
} from './read-page.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const instance = 1
const count = 2 * blockSize + 500

describe('a page', () => {
  let documents: Documents
  let queries: Query[]
  let clock: ReturnType<typeof controlledClock>
  let result: PagedQuery
  let pages: PageReader
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
    clock = controlledClock(start)
    const find: DocumentStore['find'] = (collection, number, query) => {
      queries.push(query)
      return documents.find(collection, number, query)
    }
    const inInstance = documentsIn({ ...documents, find }, instance)
    result = { find: documentsMeeting(inInstance, 'blogs', { where: [], order: [] }), key: 'all blogs' }
    pages = createPageReader(clock)
  })

  const ids = async (skip: number, limit: number): Promise<readonly string[]> => {
    const found: Document[] = []
    const position = await pages.seek(result, skip)
    await pages.read(result, position, { skip, limit, detail: 'light' }, (each) => void found.push(...each))
    return found.map(({ id }) => id)
  }
  const numbers = (from: number, to: number): readonly string[] =>
    Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, index) => `${from + index}`)

  it('is found at any position, without skipping more than a block in one read', async () => {
    for (const skip of [
      0,
      1,
      blockSize - 1,
      blockSize,
      blockSize + 1,
      2 * blockSize,
      2 * blockSize + 499,
      count,
      count + 1,
    ])
      expect(await ids(skip, 20), String(skip)).to.deep.equal(numbers(skip, skip + 20))
    for (const far of [3 * blockSize, 1_000_000, 100_000_000_000])
      expect(await ids(far, 20)).to.deep.equal([])
    expect(Math.max(...queries.map(({ skip }) => skip))).to.be.at.most(blockSize)
  })

  it('is found from a cached position the next time, and the page after it from its end', async () => {
    await ids(2 * blockSize + 7, 20)
    expect(queries).to.have.lengthOf(3)
    queries.length = 0
    expect(await ids(2 * blockSize + 100, 20)).to.deep.equal(
      numbers(2 * blockSize + 100, 2 * blockSize + 120),
    )
    expect(await ids(2 * blockSize + 120, 20)).to.deep.equal(
      numbers(2 * blockSize + 120, 2 * blockSize + 140),
    )
    expect(queries.map(({ skip }) => skip)).to.deep.equal([100, 0])
  })

  it('is located again after a minute, since other processes write too', async () => {
    await ids(2 * blockSize, 20)
    clock.advance(60_000)
    queries.length = 0
    await ids(2 * blockSize + 1, 20)
    expect(queries).to.have.lengthOf(3)
  })

  it('of long documents is read in batches of bounded size', async () => {
    const long = 'x'.repeat(maxReadBytes / 2)
    for (let number = 0; number < 5; number += 1)
      await right(
        documents.insert('tags', instance, { id: `${number}`, unique: null, value: { title: long } }),
      )
    const steps: number[] = []
    const inInstance = documentsIn(documents, instance)
    const tags = { find: documentsMeeting(inInstance, 'tags', { where: [], order: [] }), key: 'all tags' }
    const read = pages.read(
      tags,
      { after: null, offset: 0 },
      { skip: 0, limit: 4, detail: 'full' },
      (found) => void steps.push(found.length),
    )
    expect(await read).to.equal(true)
    expect(steps).to.deep.equal([2, 2])
  })
})
