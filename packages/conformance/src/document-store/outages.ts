/**
 * Tests that calls of a document store fail within its deadline if the server is unreachable or does not respond, that
 * the store works again without a restart, and that it loses no acknowledged write.
 */
import { changes, inserted, replaced } from './changes.js'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { type Collection, singleReads } from '@publishing-service/ports'
import { killsOf } from '../extent.js'
import { type Calls, interruptions } from './interruptions.js'
import { all, idsOf, type OutageSubject, others, soon, things, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'

export type Outages = {
  readonly open: (collections: readonly Collection[]) => Promise<OutageSubject>
  /** Milliseconds in which every call of the store fails if its server does not respond. */
  readonly deadline: number
  /** Milliseconds in which the store works again once its server does; 15 000 by default. */
  readonly recovery?: number
}

const insertion = (id: string) => ({ id, unique: id, value: { title: id, tags: ['x'] } })

/** The calls that change no document. */
const everyRead: Calls = (store) => [
  store.get('things', 1, 'a'),
  singleReads(store).getMany('things', 1, ['a'], 'light'),
  store.find('things', 1, all),
  store.findTexts('things', 1, {
    key: 'tags',
    range: { atLeast: '', below: 'z' },
    where: [],
    skip: 0,
    limit: 10,
    detail: 'light',
  }),
  singleReads(store).countGroups('things', 1, 'tags', {}),
  store.count('things', 1, { where: [] }, 10),
  store.countTexts('things', 1, ['tags'], { where: [] }, 10),
  store.check(),
]

/** Its writes use separate documents, since a write that failed without a response may still be applied. */
const everyCall: Calls = (store) => [
  ...everyRead(store),
  changes(store).insert('things', 1, insertion('new')),
  changes(store).replace('things', 1, { ...insertion('changed'), version: 1 }),
  changes(store).remove('things', 1, 'removed', 1),
  store.write(1, [inserted('things', 'one'), inserted('others', 'one'), replaced('things', 'two', 1)], []),
]

/** Milliseconds of a server that is killed and started again, at most. */
const killTimeout = 180_000

/** Declares the tests of an unavailable server. */
export const outages = ({ open, deadline, recovery = 15_000 }: Outages): void => {
  let subject: OutageSubject | undefined
  const opened = (): OutageSubject => subject ?? expect.fail('the store is not open')
  beforeEach(async () => {
    subject = await open([things, others])
  })
  afterEach(async () => {
    subject?.connection.restore()
    await subject?.dispose()
    subject = undefined
  })

  /** All calls, made concurrently, fail within the deadline, with a tolerance for a busy machine. */
  const expectFailures = async (): Promise<void> => {
    const start = performance.now()
    const outcomes = await Promise.all(everyCall(opened().store).map((call) => call()))
    for (const outcome of outcomes)
      expect(E.isLeft(outcome) ? outcome.left._tag : 'success').to.equal('PortFailure')
    expect(performance.now() - start, 'milliseconds until every call had failed').to.be.below(
      deadline * 2 + 5000,
    )
  }

  const recovered = async (): Promise<void> => {
    const start = performance.now()
    while (E.isLeft(await opened().store.check()())) {
      expect(performance.now() - start, 'milliseconds without recovery').to.be.below(recovery)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('unreachable: every call fails within the deadline, and works again without a restart', async () => {
    const { store, connection } = opened()
    await valueOf(changes(store).insert('things', 1, insertion('a')))
    connection.cut()
    await expectFailures()
    connection.restore()
    await recovered()
    expect(await valueOf(store.get('things', 1, 'a'))).to.include({ id: 'a', version: 1 })
    await valueOf(changes(store).insert('things', 1, insertion('b')))
  })

  it('no response: every call fails within the deadline, and works again without a restart', async () => {
    const { store, connection } = opened()
    await valueOf(changes(store).insert('things', 1, insertion('a')))
    connection.stall()
    await expectFailures()
    await expectFailures()
    connection.restore()
    await recovered()
    await valueOf(changes(store).insert('things', 1, insertion('c')))
  })

  it('no response to writes until after the deadline: each fails with what is true', async () => {
    const { store, connection } = opened()
    const ids = Array.from({ length: 6 }, (_, i) => `${i}`)
    // On connections that are open, so that the server gets the writes once there is no failure.
    await Promise.all(ids.map((id) => valueOf(changes(store).insert('things', 1, insertion(id)))))
    connection.stall()
    const outcomes = await Promise.all(
      ids.map((id) => changes(store).replace('things', 1, { ...insertion(id), version: 1 })()),
    )
    connection.restore()
    await recovered()
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const [i, outcome] of outcomes.entries()) {
      const found = await valueOf(store.get('things', 1, `${i}`))
      expect(E.isLeft(outcome) && outcome.left).to.include({ _tag: 'PortFailure' })
      if (found?.version !== 1) expect(E.isLeft(outcome) && outcome.left).to.include({ mayYetApply: true })
    }
  })

  describe('connections that are reset', () => interruptions(opened, recovered, everyRead, everyCall))

  it('no response while the store closes: closing ends', async () => {
    const { store, connection } = opened()
    connection.stall()
    const write = changes(store).insert('things', 1, insertion('a'))()
    const start = performance.now()
    await store.close()
    expect(performance.now() - start, 'milliseconds of closing').to.be.below(4 * deadline + 5000)
    expect((await write)._tag).to.equal('Left')
  })

  const kills = killsOf(1)
  it(`killed under load, ${kills} times in sequence: no acknowledged write is lost`, async function () {
    this.timeout(kills * killTimeout)
    const { store, restartServer } = opened()
    if (restartServer === undefined) return this.skip()
    const acknowledged: string[] = []
    const failures = new Set<string>()
    let writing = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; writing; i++) {
        const id = `${writer}-${i}`
        const pair = ['things', 'others'].map((name) => inserted(name, id, { title: id }, id))
        const outcome = await store.write(2, writer % 2 === 0 ? pair.slice(0, 1) : pair, [])()
        if (E.isRight(outcome)) acknowledged.push(id)
        else {
          failures.add(outcome.left._tag)
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
    })
    const acknowledges = async (count: number): Promise<void> => {
      while (acknowledged.length < count) await new Promise(setImmediate)
    }
    for (let kill = 1; kill <= kills; kill++) {
      await acknowledges(acknowledged.length + 40)
      await restartServer()
    }
    await acknowledges(acknowledged.length + 40)
    writing = false
    await Promise.all(writers)
    failures.delete('PortFailure')
    expect([...failures], 'other failures').to.deep.equal([])
    for (let from = 0; from < acknowledged.length; from += 1000) {
      const some = acknowledged.slice(from, from + 1000)
      expect(await valueOf(singleReads(store).getMany('things', 2, some, 'light'))).to.have.lengthOf(
        some.length,
      )
    }
    await soon(async () => {
      const [first = [], second = []] = await Promise.all(
        ['things', 'others'].map(async (name) =>
          (await walk((query) => store.find(name, 2, query), { ...all, detail: 'light' })).flatMap(
            ({ documents }) => idsOf(documents),
          ),
        ),
      )
      const ofPairs = first.filter((id) => Number(id.split('-')[0]) % 2 === 1)
      expect(ofPairs, 'pairs').to.have.members(second)
      const lost = acknowledged.filter((id) => Number(id.split('-')[0]) % 2 === 1 && !second.includes(id))
      expect(lost, 'lost pairs').to.deep.equal([])
    })
  })
}
