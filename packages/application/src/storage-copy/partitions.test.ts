import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import { countOf, hasDocuments, pagesOf, partitionOf, partitionsOf } from './partitions.js'
import { memoryDocuments } from '../test-support/memory-documents.js'

const partition = partitionOf(1, 'content')

const filled = async (count: number, length: number) => {
  const store = memoryDocuments()
  for (let number = 0; number < count; number += 1)
    await store.insert('content', 1, {
      id: `${number}`,
      unique: null,
      value: { content: 'x'.repeat(length), title: 't' },
    })()
  return store
}

const pageLengths = async (count: number, length: number): Promise<readonly number[]> => {
  const found: number[] = []
  for await (const documents of pagesOf(await filled(count, length), partition)) found.push(documents.length)
  return found
}

describe('partitions', () => {
  it('are all collections of the instances and of the service itself, except what only running processes use', () => {
    const uncopied = ['presences', 'rate_counts', 'rights_changes']
    const names = partitionsOf([7]).map(({ instance, target }) => `${instance}/${target.collection}`)
    const wanted = collections.map(({ name }) => name).filter((name) => !uncopied.includes(name))
    expect(names).to.have.members([0, 7].flatMap((instance) => wanted.map((name) => `${instance}/${name}`)))
    for (const name of uncopied) expect(() => partitionOf(1, name)).to.throw(name)
  })

  it('are read in pages that are larger for short documents than for long ones', async () => {
    expect(await pageLengths(600, 10)).to.deep.equal([256, 256, 88])
    expect(await pageLengths(20, 1_000_000)).to.deep.equal([5, 5, 5, 5])
    expect(await pageLengths(0, 0)).to.deep.equal([0])
  })

  it('are counted, even more than a thousand documents', async () => {
    expect(await countOf(await filled(2001, 1), partition)).to.equal(2001)
  })

  it('have a document or not', async () => {
    expect(await hasDocuments(await filled(1, 1), partition)).to.equal(true)
    expect(await hasDocuments(await filled(0, 1), partition)).to.equal(false)
  })
})
