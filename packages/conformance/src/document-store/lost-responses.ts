/** Tests of writes whose responses are lost: the failure states whether the write may still be applied. */
import { append } from './appended.js'
import { changes, inserted, nextPosition, removed, replaced } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import { E } from '@publishing-service/domain/fp'
import type { DocumentChange, Collection, Document, DocumentStore } from '@publishing-service/ports'
import { type LostResponsesSubject, others, soon, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** The document, once the store responds again. */
const eventually = async (store: DocumentStore, id: string): Promise<Document | null> => {
  const end = performance.now() + 20_000
  for (;;) {
    const found = await store.get('things', 1, id)()
    if (E.isRight(found)) return found.right
    if (performance.now() > end) return expect.fail('the store has not recovered')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Write = {
  readonly id: string
  readonly change: DocumentChange
  /** What the document is once the write has been applied. */
  readonly expected: Partial<Document> | null
}

const value = { title: 'written', content: 'long' }
const position = nextPosition()

const writes: readonly Write[] = [
  {
    id: 'replaced',
    change: { kind: 'replace', document: { id: 'replaced', unique: null, version: 1, value } },
    expected: { version: 2, value },
  },
  {
    id: 'inserted',
    change: { kind: 'insert', document: { id: 'inserted', position, unique: 'u', value } },
    expected: { id: 'inserted', version: 1, position, value },
  },
  { id: 'removed', change: { kind: 'remove', id: 'removed', version: 1 }, expected: null },
]

/** Waits some seconds for a write that failed: it may be applied late. */
const appliedLate = async (isApplied: () => Promise<unknown>): Promise<void> => {
  await soon(isApplied, 3000).catch(() => undefined)
}

/** Whether a write of three documents was applied; null if it was applied in part. */
const isWhole = async (store: DocumentStore): Promise<boolean | null> => {
  const a = await eventually(store, 'a')
  const b = await eventually(store, 'b')
  const other = await valueOf(store.get('others', 1, 'a'))
  const made = [a?.version === 2, b === null, other !== null]
  return made.every(Boolean) || (made.some(Boolean) ? null : false)
}

/** Declares the tests of lost responses. */
export const lostResponses = (
  open: (collections: readonly Collection[]) => Promise<LostResponsesSubject>,
): void => {
  it('a connection that is lost while a write commits', async () => {
    const subject = await open([things, others])
    const { store } = subject
    try {
      for (const id of ['replaced', 'removed'])
        await valueOf(changes(store).insert('things', 1, { id, unique: null, value: { title: id } }))
      let lost = 0
      for (const { id, change, expected } of writes) {
        const before = await eventually(store, id)
        subject.loseResponses()
        const outcome = await changes(store).change('things', 1, change, [append('others', 1, id)])()
        subject.restore()
        const isWritten = (found: Document | null): boolean => found?.version === expected?.version
        if (E.isLeft(outcome))
          await appliedLate(async () => expect(isWritten(await eventually(store, id))).to.equal(true))
        await soon(async () => {
          const isApplied = isWritten(await eventually(store, id))
          const isAppended = (await valueOf(store.get('others', 1, id))) !== null
          expect(isAppended, `appended with ${id}`).to.equal(isApplied)
        })
        const found = await eventually(store, id)
        const isApplied = isWritten(found)
        expect(found, `the document ${id}, either completely written or unchanged`).to.deep.equal(
          isApplied ? expected && { ...before, ...expected } : before,
        )
        if (E.isRight(outcome)) {
          expect(isApplied, `${id}, as the write succeeded`).to.equal(true)
          continue
        }
        expect(outcome.left, id).to.include({ _tag: 'PortFailure' })
        if (!isApplied) continue
        expect(outcome.left, `${id}, which was applied though the write failed`).to.include({
          mayYetApply: true,
        })
        lost++
      }
      expect(lost, 'number of writes that were applied although they failed').to.be.above(0)
    } finally {
      subject.restore()
      await subject.dispose()
    }
  })

  it('a connection that is lost while a write of several documents commits', async () => {
    const subject = await open([things, others])
    const { store } = subject
    try {
      for (const id of ['a', 'b'])
        await valueOf(changes(store).insert('things', 1, { id, unique: id, value: { title: id } }))
      const several = [replaced('things', 'a', 1, value), inserted('others', 'a'), removed('things', 'b', 1)]
      subject.loseResponses()
      const outcome = await store.write(1, several, [])()
      subject.restore()
      await appliedLate(async () => expect(await isWhole(store)).to.equal(true))
      await soon(async () => expect(await isWhole(store), 'whole or not at all').not.to.equal(null))
      const isApplied = await isWhole(store)
      if (E.isRight(outcome)) expect(isApplied, 'as it succeeded').to.equal(true)
      else expect(outcome.left).to.include({ _tag: 'PortFailure' })
      if (E.isLeft(outcome) && isApplied) expect(outcome.left).to.include({ mayYetApply: true })
      // A write that is not applied keeps nobody from its documents.
      if (!isApplied) await valueOf(store.write(1, several, []))
    } finally {
      subject.restore()
      await subject.dispose()
    }
  })
}
