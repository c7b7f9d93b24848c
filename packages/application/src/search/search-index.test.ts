import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import { isPortFailure, type DocumentStore, type SearchIndex } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import { listObjects } from '../engine/list.js'
import { createStage, right, unavailable } from '../test-support/stage.js'
import type { IndexingProgress } from './search-index.js'
import { searchObjects } from './search-objects.js'

const steps = 3

/** An index that is complete after some calls for each collection. */
const indexInSteps = (): SearchIndex => {
  const done = new Map<string, number>()
  const progressOf = (collection: string) => {
    const count = done.get(collection) ?? 0
    return { isCurrent: count >= steps, done: count, total: steps }
  }
  return {
    isComplete: (collection) => TE.right(progressOf(collection).isCurrent),
    index: (collection) => async () => {
      done.set(collection, Math.min(steps, (done.get(collection) ?? 0) + 1))
      return E.right(progressOf(collection))
    },
    remove: (collection) => async () => {
      done.delete(collection)
      return E.right(undefined)
    },
  }
}

const withIndex = (searchIndex: SearchIndex): DocumentStore => ({
  ...memoryDocumentStore(collections),
  searchIndex,
})

describe('the search index', () => {
  it('is completed in steps, and lists report that it is incomplete until then', async () => {
    const stage = await createStage({ documents: withIndex(indexInSteps()) })
    const { searchIndex } = stage.useCases
    const lists = async (q?: string) => {
      const parameters = q === undefined ? {} : { q }
      const found = await Promise.all([
        right(stage.run(listObjects(content), stage.as('reader'), { parameters })),
        right(stage.run(searchObjects, stage.as('reader'), { parameters })),
      ])
      return found.map(({ isIncomplete = false }) => isIncomplete)
    }
    expect(await lists('x')).to.deep.equal([true, true])
    expect(await lists()).to.deep.equal([false, false])
    const shown: IndexingProgress[] = []
    expect(await searchIndex.complete((progress) => shown.push(progress))).to.equal(4)
    expect(shown.at(0)).to.deep.equal({ step: 'index words', done: 4, total: 4 * steps })
    expect(shown.at(-1)).to.deep.equal({ step: 'index words', done: 4 * steps, total: 4 * steps })
    expect(await lists('x')).to.deep.equal([false, false])
    expect(await searchIndex.complete()).to.equal(0)
    expect(await searchIndex.rebuild(() => undefined)).to.equal(4)
  })

  it('is complete if the store needs none', async () => {
    const stage = await createStage({ documents: memoryDocumentStore(collections) })
    const { searchIndex } = stage.useCases
    expect(searchIndex.isSeparate).to.equal(false)
    expect(await searchIndex.complete()).to.equal(0)
    expect(await searchIndex.rebuild(() => undefined)).to.equal(0)
  })

  it('stops if the store fails', async () => {
    const stage = await createStage({
      documents: withIndex({ ...indexInSteps(), index: () => TE.left(unavailable) }),
    })
    const outcome = await stage.useCases.searchIndex.complete().catch((error: unknown) => error)
    expect(isPortFailure(outcome)).to.equal(true)
  })
})
