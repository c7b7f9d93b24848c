/** Tests of a process that writes with older declarations than another process on the same data. */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import { E } from '@publishing-service/domain/fp'
import type { Collection } from '@publishing-service/ports'
import { asc } from './insert-all.js'
import { expectedResult, expectedGroupCount, type StoredValue } from './query-model.js'
import { all, idsOf, type OpenSubject } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { groupCountsOf } from './expect-group-counts.js'

const older: Collection = {
  name: 'things',
  heavy: [],
  keys: { title: 'text' },
  indexes: [['title']],
  groupCounts: [],
}

const newer: Collection = {
  name: 'things',
  heavy: ['content'],
  keys: { title: 'text', kind: 'text', rank: 'number', tags: 'texts' },
  indexes: [['title'], ['rank'], ['tags'], ['kind', 'rank'], ['tags', 'rank']],
  groupCounts: [{ key: 'tags', within: ['kind'] }],
}

/** Declares the test of a process with older declarations. */
export const olderProcesses = (open: OpenSubject): void => {
  it('inserts and replaces while the newer process is open', async () => {
    const subject = await open([older])
    try {
      const expected = new Map<string, StoredValue>()
      const later = await subject.reopen([newer])
      const add = (id: string, rank: number) => ({
        id,
        unique: id,
        value: { title: id, kind: 'x', rank, tags: ['a', id], content: 'long' },
      })
      for (const [i, id] of ['first', 'second'].entries()) {
        await valueOf(changes(later).insert('things', 1, add(id, i)))
        expected.set(id, add(id, i))
      }
      for (const document of [add('third', 5), add('first', 9)]) {
        const { id } = document
        const before = await valueOf(later.get('things', 1, id))
        const outcome =
          before === null
            ? await changes(subject.store).insert('things', 1, document)()
            : await changes(subject.store).replace('things', 1, { ...document, version: before.version })()
        if (E.isRight(outcome)) expected.set(id, document)
        else {
          expect(outcome.left).to.include({ _tag: 'PortFailure' })
          expect(outcome.left, 'it is not applied later').not.to.have.property('mayYetApply')
        }
        expect((await valueOf(later.get('things', 1, id)))?.value).to.deep.equal(expected.get(id)?.value)
        const read = await subject.store.get('things', 1, id)()
        if (E.isRight(read)) expect(read.right?.value).to.deep.equal(expected.get(id)?.value)
        else expect(read.left).to.include({ _tag: 'PortFailure' })
      }
      await Promise.all([subject.store.close(), later.close()])

      const documents = [...expected.values()]
      const last = await subject.reopen([newer])
      try {
        for (const where of [
          [{ key: 'kind', equals: 'x' }],
          [{ key: 'tags', has: 'a' }],
          [{ key: 'rank', above: 2 }],
        ]) {
          const query = { ...all, where, order: [asc('rank')] }
          expect(idsOf((await valueOf(last.find('things', 1, query))).documents)).to.deep.equal(
            expectedResult(newer, documents, query).map(({ id }) => id),
          )
        }
        expect(await groupCountsOf(last, 1, 'tags', { kind: 'x' })).to.deep.equal(
          expectedGroupCount(newer, documents, 'tags', { kind: 'x' }),
        )
      } finally {
        await last.close()
      }
    } finally {
      await subject.dispose()
    }
  })
}
