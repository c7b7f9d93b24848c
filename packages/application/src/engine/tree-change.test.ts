import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { section } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  aSection,
  createStage,
  faultsOf,
  left,
  unavailable,
  right,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import { changeObject } from './write.js'

describe('moving in the tree of sections', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const move = (useCases: Process, id: string, parent: string | null): Outcome<string> =>
    useCases.run(changeObject(section), stage.as('editor'), { id, body: { parent_uuid: parent } })

  const made = async (...names: readonly string[]): Promise<readonly string[]> => {
    const ids: string[] = []
    for (const name of names) ids.push(await stage.create(section, aSection(name)))
    return ids
  }

  const parentOf = async (id: string): Promise<string | null> => {
    const found = await documents.get('sections', 1, id)()
    if (E.isLeft(found)) throw new Error('no section')
    const parent = found.right?.value['parent_uuid']
    return typeof parent === 'string' ? parent : null
  }

  const expectNoCircle = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      let above: string | null = id
      for (let depth = 0; above !== null; depth += 1) {
        expect(depth).to.be.below(ids.length)
        above = await parentOf(above)
      }
    }
  }

  it('moves below another section', async () => {
    const [a = '', b = ''] = await made('a', 'b')
    await right(move(stage.useCases, a, b))
    expect(await parentOf(a)).to.equal(b)
  })

  it('rejects a move below itself or its subtree', async () => {
    const [a = '', b = '', c = ''] = await made('a', 'b', 'c')
    await right(move(stage.useCases, b, a))
    await right(move(stage.useCases, c, b))
    for (const parent of [a, b, c])
      expect(await faultsOf(move(stage.useCases, a, parent))).to.have.keys(['parent_uuid'])
    expect(await parentOf(a)).to.equal(null)
    await right(move(stage.useCases, c, null))
    await right(move(stage.useCases, a, c))
  })

  it('rejects a move beyond the maximum depth', async () => {
    let parent: string | null = null
    for (let depth = 0; depth < maxSectionDepth; depth += 1)
      parent = await stage.create(section, aSection(`s${depth}`, parent))
    const [leaf = ''] = await made('leaf')
    expect(await faultsOf(move(stage.useCases, leaf, parent))).to.have.keys(['parent_uuid'])
  })

  const chain = async (name: string, length: number): Promise<readonly [top: string, bottom: string]> => {
    const top = await stage.create(section, aSection(`${name}0`))
    let bottom = top
    for (let depth = 1; depth < length; depth += 1)
      bottom = await stage.create(section, aSection(`${name}${depth}`, bottom))
    return [top, bottom]
  }

  it('counts the depth of its subtree, even among many other sections', async () => {
    const [top] = await chain('moved', 4)
    for (let sibling = 0; sibling < 250; sibling += 1)
      await stage.create(section, aSection(`sibling${sibling}`, top))
    const [, tooDeep] = await chain('deep', maxSectionDepth - 3)
    const [, deep] = await chain('fits', maxSectionDepth - 4)
    expect(await faultsOf(move(stage.useCases, top, tooDeep))).to.have.keys(['parent_uuid'])
    expect(await parentOf(top)).to.equal(null)
    await right(move(stage.useCases, top, deep))
    expect(await parentOf(top)).to.equal(deep)
  })

  it('counts moves of other processes into its subtree', async () => {
    const [, deep] = await chain('deep', maxSectionDepth - 1)
    const [moved = '', below = ''] = await made('moved', 'below')
    const held = documents.hold('replace', 'sections')
    const first = faultsOf(move(stage.useCases, below, moved))
    await held.reached
    await right(move(stage.anotherProcess(), moved, deep))
    held.release()
    expect(await first).to.have.keys(['parent_uuid'])
    expect(await parentOf(below)).to.equal(null)
  })

  it('rejects one of two moves of different processes that would form a cycle', async () => {
    const [a = '', b = ''] = await made('a', 'b')
    const held = documents.hold('replace', 'sections')
    const first = faultsOf(move(stage.useCases, a, b))
    await held.reached
    await right(move(stage.anotherProcess(), b, a))
    held.release()
    expect(await first).to.have.keys(['parent_uuid'])
    expect(await parentOf(a)).to.equal(null)
    expect(await parentOf(b)).to.equal(a)
  })

  it('fails if its store fails, and moves nothing', async () => {
    const [a = '', b = ''] = await made('a', 'b')
    for (const call of ['get', 'insert'] as const) {
      documents.fail(call, 'moves')
      expect(await left(move(stage.useCases, a, b))).to.deep.equal(unavailable)
    }
    documents.fail('replace', 'sections')
    expect(await left(move(stage.useCases, a, b))).to.deep.equal(unavailable)
    expect(await parentOf(a)).to.equal(null)
  })

  it('concurrent moves of several processes form no cycle, in any order', () => {
    /** Each call runs when the scheduler allows it. */
    const scheduled = (store: DocumentStore, scheduler: fc.Scheduler): DocumentStore => ({
      ...store,
      get:
        (...call) =>
        () =>
          scheduler.schedule(Promise.resolve(), 'get').then(store.get(...call)),
      write:
        (...call) =>
        () =>
          scheduler.schedule(Promise.resolve(), call[1][0]?.kind ?? '').then(store.write(...call)),
    })
    const moves = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 2, maxLength: 5 })
    return fc.assert(
      fc.asyncProperty(fc.scheduler(), moves, async (scheduler, wanted) => {
        documents = controllableStore(memoryDocumentStore(collections))
        stage = await createStage({ documents })
        const ids = await made('a', 'b', 'c', 'd')
        const slow = scheduled(documents, scheduler)
        const running = wanted.map(([from, to]) =>
          move(stage.anotherProcess({ documents: slow }), String(ids[from]), String(ids[to]))(),
        )
        await scheduler.waitFor(Promise.all(running))
        await expectNoCircle(ids)
      }),
      { numRuns: 100 },
    )
  }).timeout(20_000)
})
