import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { section } from '@publishing-service/domain'
import type { Cursor } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { before, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { aSection, createStage } from '../test-support/stage.js'
import { documentsMeeting, type FindPage } from './read-page.js'
import { documentsIn } from '../instance-store.js'
import { filteredInMemory } from './filter-in-memory.js'

describe('filteredInMemory', () => {
  let find: FindPage
  let names: readonly string[]
  before(async () => {
    const stage = await createStage({ documents: memoryDocumentStore(collections) })
    names = Array.from({ length: 350 }, (_, number) => `s${number}`)
    for (const name of names) await stage.create(section, aSection(name))
    find = documentsMeeting(documentsIn(stage.documents, 1), section.collection, { where: [], order: [] })
  })

  it('returns the documents that pass the test, however they are read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 150 }),
        fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
        async (every, limit, skip, bytes) => {
          const passes = (name: string): boolean => Number(name.slice(1)) % every === 0
          const expected = names.filter(passes).slice(skip)
          const tested = filteredInMemory(find, ({ urlname }) => passes(String(urlname)))
          const read: string[] = []
          let after: Cursor | null = null
          let first = true
          do {
            const page: {
              readonly items: readonly { readonly value: object }[]
              readonly next: Cursor | null
            } = await tested({
              ...(after === null ? {} : { after }),
              skip: first ? skip : 0,
              limit,
              detail: 'light',
              ...(bytes === undefined ? {} : { bytes }),
            })
            expect(page.items.length).to.be.at.most(limit)
            // More is promised only if there is more.
            if (page.next !== null) expect(page.items).not.to.have.length(0)
            read.push(...page.items.map(({ value }) => String('urlname' in value ? value.urlname : '')))
            ;[after, first] = [page.next, false]
          } while (after !== null)
          expect(read).to.deep.equal(expected)
        },
      ),
      { numRuns: 60 },
    )
  })
})
