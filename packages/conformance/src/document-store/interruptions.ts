/** Tests of calls whose connections are reset at every stage: no call rejects, and each failure of a write is true. */
import { changes, inserted, nextPosition, removed, replaced } from './changes.js'
import { append } from './appended.js'
import { expect } from 'chai'
import { it } from 'mocha'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  type DocumentChange,
  type DocumentStore,
  type WriteFailure,
  singleReads,
} from '@publishing-service/ports'
import { idsOf, type OutageSubject, others, soon, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** More pieces of requests than a call has. */
const mostPieces = 60

/** The outcome of a call; the test fails if the call rejects. */
const outcomeOf = <L, A>(call: TaskEither<L, A>, pieces: number): Promise<Either<L, A>> =>
  call().catch((error: unknown) =>
    expect.fail(`the call rejected after ${pieces} pieces of its requests: ${String(error)}`),
  )

/**
 * Makes a call whose connections are reset once this many pieces of its requests have passed. Returns its outcome, and
 * whether it was interrupted. `meanwhile` runs before the reset, while the call waits for a response.
 */
const interrupted = async <L, A>(
  { connection }: OutageSubject,
  pieces: number,
  call: TaskEither<L, A>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<{ readonly outcome: Either<L, A>; readonly isInterrupted: boolean }> => {
  let hasEnded = false
  connection.stallAfter(pieces)
  const ending = outcomeOf(call, pieces).finally(() => (hasEnded = true))
  // Awaited at the end; a rejection before must not be unhandled.
  ending.catch(() => {})
  while (!hasEnded && !connection.isStalled()) await new Promise(setImmediate)
  const isInterrupted = !hasEnded
  if (isInterrupted) {
    // The server carries out what it has received.
    await new Promise((resolve) => setTimeout(resolve, 5))
    await meanwhile()
  }
  connection.reset()
  connection.restore()
  return { outcome: await ending, isInterrupted }
}

const value = (title: string) => ({ title, tags: [title], content: 'long' })

/** A change of the document with this id, for each kind. The document exists before all but an insert. */
const changesOf: Readonly<Record<DocumentChange['kind'], (id: string) => DocumentChange>> = {
  insert: (id) => ({
    kind: 'insert',
    document: { id, position: nextPosition(), unique: id, value: value('new') },
  }),
  replace: (id) => ({ kind: 'replace', document: { id, unique: id, version: 1, value: value('new') } }),
  remove: (id) => ({ kind: 'remove', id, version: 1 }),
}

type Made = {
  readonly id: string
  readonly outcome: Either<WriteFailure, unknown>
  readonly wasSeen: boolean
}

/** Some calls of a store. */
export type Calls = (store: DocumentStore) => readonly TaskEither<{ readonly _tag: string }, unknown>[]

/** Declares the tests of connections that are reset. `recovered` resolves once the store works again. */
export const interruptions = (
  opened: () => OutageSubject,
  recovered: () => Promise<void>,
  everyRead: Calls,
  everyCall: Calls,
): void => {
  it('at every stage of every call that changes nothing: none rejects', async () => {
    for (const index of everyRead(opened().store).keys())
      for (let pieces = 0; pieces < mostPieces; pieces++) {
        await recovered()
        const call = everyRead(opened().store)[index] ?? expect.fail('no call')
        if (!(await interrupted(opened(), pieces, call)).isInterrupted) break
      }
  })

  it('during many concurrent calls: none rejects, and acknowledged writes exist', async () => {
    const { store } = opened()
    for (let round = 0; round < 10; round++) {
      const ids = Array.from({ length: 10 }, (_, i) => `${round}-${i}`)
      const acknowledged: string[] = []
      const writes = ids.map((id): TaskEither<WriteFailure, unknown> => async () => {
        const outcome = await changes(store).change('things', 1, changesOf.insert(id), [])()
        if (E.isRight(outcome)) acknowledged.push(id)
        return outcome
      })
      const calls = [...writes, ...everyCall(store)]
      await interrupted(opened(), 4 * round, () => Promise.all(calls.map((call) => call())).then(E.right))
      await recovered()
      const read = await valueOf(singleReads(store).getMany('things', 1, acknowledged, 'full'))
      expect(idsOf(read)).to.have.members(acknowledged)
    }
  })

  for (const [kind, changeOf] of Object.entries(changesOf))
    it(`at every stage of the change ${kind}: it fails with what is true, and what another store saw stays`, async () => {
      const subject = opened()
      const direct = await subject.reopen([things, others])
      try {
        /** Whether another store finds the document as the change leaves it. */
        const isMade = async (id: string): Promise<boolean | null> => {
          const found = await direct.get('things', 1, id)()
          if (E.isLeft(found)) return null
          const title = found.right?.value['title'] ?? null
          return kind === 'remove' ? title === null : title === 'new'
        }
        const made: Made[] = []
        for (let pieces = 0; pieces < mostPieces; pieces++) {
          const id = `${pieces}`
          if (kind !== 'insert') {
            const document = { id, position: nextPosition(), unique: id, value: value('old') }
            await valueOf(changes(direct).change('things', 1, { kind: 'insert', document }, []))
          }
          await recovered()
          const write = changes(subject.store).change('things', 1, changeOf(id), [append('others', 1, id)])
          let wasSeen = false
          const { outcome, isInterrupted } = await interrupted(subject, pieces, write, async () => {
            wasSeen = (await isMade(id)) === true
          })
          made.push({ id, outcome, wasSeen })
          if (!isInterrupted) break
        }
        await recovered()
        const appended: string[] = []
        for (const { id, outcome, wasSeen } of made) {
          const isThere = await isMade(id)
          if (isThere === true) appended.push(id)
          const after = `after ${id} pieces of requests`
          if (wasSeen) expect(isThere, `made, as another store saw it ${after}`).to.equal(true)
          if (E.isRight(outcome)) expect(isThere, `made, as it succeeded ${after}`).to.equal(true)
          else {
            expect(outcome.left, after).to.include({ _tag: 'PortFailure' })
            if (isThere === true)
              expect(outcome.left, `made though it failed ${after}`).to.include({ mayYetApply: true })
          }
        }
        await soon(async () =>
          expect(
            idsOf(
              await valueOf(
                singleReads(direct).getMany(
                  'others',
                  1,
                  made.map(({ id }) => id),
                  'light',
                ),
              ),
            ),
          ).to.have.members(appended),
        )
      } finally {
        await direct.close()
      }
    })

  it('at every stage of a write of three documents: it is made whole, or not at all', async () => {
    const subject = opened()
    const direct = await subject.reopen([things, others])
    try {
      /** Which of the changes another store finds. */
      const madeOf = async (id: string): Promise<readonly boolean[]> => {
        const [a, b] = await Promise.all([id, `${id}b`].map((each) => valueOf(direct.get('things', 1, each))))
        const other = await valueOf(direct.get('others', 1, id))
        return [a?.version === 2, b === null, other !== null]
      }
      const made: { readonly id: string; readonly outcome: Either<WriteFailure, unknown> }[] = []
      for (let pieces = 0; pieces < mostPieces; pieces++) {
        const id = `${pieces}`
        for (const each of [id, `${id}b`])
          await valueOf(changes(direct).insert('things', 1, { id: each, unique: each, value: value('old') }))
        await recovered()
        const several = [
          replaced('things', id, 1, value('new'), `new ${id}`),
          inserted('others', id, value('new'), id),
          removed('things', `${id}b`, 1),
        ]
        const write = subject.store.write(1, several, [append('others', 1, `${id} appended`)])
        const { outcome, isInterrupted } = await interrupted(subject, pieces, write)
        made.push({ id, outcome })
        if (!isInterrupted) break
      }
      await recovered()
      for (const { id, outcome } of made) {
        const after = `after ${id} pieces of requests`
        await soon(async () => expect(new Set(await madeOf(id)), after).to.have.property('size', 1))
        const [isMade = false] = await madeOf(id)
        if (E.isRight(outcome)) expect(isMade, `made, as it succeeded ${after}`).to.equal(true)
        else {
          expect(outcome.left, after).to.include({ _tag: 'PortFailure' })
          if (isMade) expect(outcome.left, `made though it failed ${after}`).to.include({ mayYetApply: true })
        }
        await soon(async () =>
          expect((await valueOf(direct.get('others', 1, `${id} appended`))) !== null, after).to.equal(isMade),
        )
        // What is left of a write that was not made keeps nobody from its documents.
        if (!isMade) await valueOf(changes(direct).remove('things', 1, `${id}b`, 1))
      }
    } finally {
      await direct.close()
    }
  })

  it('during two writes of the same documents in opposite sequences: none is made in part', async () => {
    const subject = opened()
    const direct = await subject.reopen([things, others])
    try {
      for (let pieces = 0; pieces < mostPieces; pieces += 4) {
        const ids = [`${pieces}a`, `${pieces}b`]
        for (const id of ids)
          await valueOf(changes(direct).insert('things', 1, { id, unique: id, value: value('old') }))
        await recovered()
        const several = ids.map((id) => replaced('things', id, 1, value('new'), id))
        const other = direct.write(1, several.toReversed(), [])()
        const { outcome, isInterrupted } = await interrupted(
          subject,
          pieces,
          subject.store.write(1, several, []),
        )
        const outcomes = [outcome, await other]
        await recovered()
        await soon(async () => {
          const versions = (await valueOf(singleReads(direct).getMany('things', 1, ids, 'light'))).map(
            ({ version }) => version,
          )
          expect(new Set(versions).size, `versions after ${pieces} pieces: ${versions.join()}`).to.equal(1)
          const isMade = versions[0] === 2
          expect(outcomes.filter(E.isRight).length, 'acknowledged writes').to.be.at.most(isMade ? 1 : 0)
        })
        if (!isInterrupted) break
      }
    } finally {
      await direct.close()
    }
  })
}
