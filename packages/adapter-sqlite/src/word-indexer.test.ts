import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { soon } from '@publishing-service/conformance'
import type { DocumentStore } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'
import { articles, segments, unindexed } from './test-support/searched-articles.js'

const insert = (store: DocumentStore, position: number, title: string) =>
  right(
    store.write(
      1,
      [
        {
          collection: 'articles',
          kind: 'insert',
          document: { id: `${position}`, position, unique: null, value: { title } },
        },
      ],
      [],
    ),
  )

const found = async (store: DocumentStore, text: string): Promise<readonly string[]> => {
  const words = { terms: [{ readings: [[text]], isPrefix: false }] }
  return (await right(store.find('articles', 1, { ...all, words }))).documents.map(({ id }) => id)
}

describe('Words of written documents', () => {
  const folder = temporaryFolders()
  const open = (file: string) => sqliteDocumentStore({ file, collections: [articles] })

  it('are indexed before a search, in any process', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const [writer, reader] = [await open(file), await open(file)]
    await insert(writer, 1, 'harbour')
    expect(unindexed(file)).to.equal(1)
    expect(await found(reader, 'harbour')).to.deep.equal(['1'])
    expect(unindexed(file)).to.equal(0)
    await Promise.all([writer.close(), reader.close()])
  })

  it('are indexed before the first search after a process that has ended before', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const ended = await open(file)
    await insert(ended, 1, 'lighthouse')
    await ended.close()
    expect(unindexed(file)).to.equal(1)
    const store = await open(file)
    expect(await found(store, 'lighthouse')).to.deep.equal(['1'])
    await store.close()
  })

  it('are indexed soon after the write, and at once after many', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await open(file)
    await Promise.all(Array.from({ length: 100 }, (_, i) => insert(store, i + 1, `quay ${i}`)))
    await soon(async () => expect(unindexed(file)).to.be.lessThan(64), 900)
    await soon(async () => expect(unindexed(file)).to.equal(0))
    expect(await found(store, 'quay')).to.have.length(100)
    await store.close()
  })

  it('are merged to fewer segments when there are few writes', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await open(file)
    let written = 0
    let most = 0
    // A second of writes ends in a merge, so on a slow machine it takes several until there are so many segments.
    while (written < 30 || (most <= 4 && written < 300)) {
      written += 1
      await insert(store, written, `jetty ${written}`)
      expect(await found(store, `${written}`)).to.deep.equal([`${written}`])
      most = Math.max(most, segments(file))
    }
    expect(most).to.be.greaterThan(4)
    await soon(async () => expect(segments(file)).to.be.lessThan(most / 2))
    expect(await found(store, 'jetty')).to.have.length(written)
    await store.close()
  })
})
