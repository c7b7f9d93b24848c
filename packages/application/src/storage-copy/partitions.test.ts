import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import { countOf, documentsAfter, pagesOf, partitionOf, partitionsOf } from './partitions.js'

const partition = partitionOf(1, 'content')

const filled = async (count: number, length: number) => {
  const store = memoryDocumentStore(collections)
  for (let number = 0; number < count; number += 1)
    await store.insert('content', 1, {
      id: `${number}`,
      unique: null,
      value: { content: 'x'.repeat(length), title: 't' },
    })()
  return store
}

const lengths = async (count: number, length: number): Promise<readonly number[]> => {
  const found: number[] = []
  for await (const { documents } of pagesOf(await filled(count, length), partition))
    found.push(documents.length)
  return found
}

describe('partitions', () => {
  it('are all collections of the instances and of the service itself, but the marks of copies and the counts of running processes', () => {
    const names = partitionsOf([7]).map(({ instance, target }) => `${instance}/${target.collection}`)
    const wanted = collections
      .map(({ name }) => name)
      .filter((name) => name !== 'copies' && name !== 'rate_counts')
    expect(names).to.have.members([0, 7].flatMap((instance) => wanted.map((name) => `${instance}/${name}`)))
    for (const name of ['copies', 'rate_counts']) expect(() => partitionOf(1, name)).to.throw(name)
  })

  it('come in pages that grow while documents are short, and stay small where they are long', async () => {
    expect(await lengths(600, 10)).to.deep.equal([8, 32, 128, 256, 176])
    expect(await lengths(20, 1_000_000)).to.deep.equal([8, 8, 4])
    expect(await lengths(0, 0)).to.deep.equal([0])
  })

  it('say the same whatever order attributes were read in', async () => {
    const store = memoryDocumentStore(collections)
    await store.insert('content', 1, { id: 'a', unique: null, value: { b: 1, a: { d: 1, c: 2 } } })()
    const { value: page } = await pagesOf(store, partition).next()
    expect(page?.texts).to.deep.equal(['["a",[["a",{"d":1,"c":2}],["b",1]]]'])
  })

  it('are counted, also past a thousand', async () => {
    expect(await countOf(await filled(2001, 1), partition)).to.equal(2001)
  })

  it('show what lies behind a number of documents', async () => {
    const store = await filled(300, 1)
    expect((await documentsAfter(store, partition, 298)).map(({ id }) => id)).to.deep.equal(['298', '299'])
    expect(await documentsAfter(store, partition, 300)).to.deep.equal([])
  })
})
