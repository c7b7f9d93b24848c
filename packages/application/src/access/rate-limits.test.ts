import { controlledClock, recordingLog } from '@publishing-service/adapter-memory'
import { E, TE } from '@publishing-service/domain/fp'
import type { RateLimits } from '@publishing-service/access'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { systemCollections, systemInstance } from '../collections.js'
import { unavailable, start, storedIn } from '../test-support/stage.js'
import { principalWith, type Principal } from './principals.js'
import { createRateLimits, type ReadRate } from './rate-limits.js'
import { createSharedRates, type SharedRates } from './shared-rates.js'
import { changing, memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const limits: RateLimits = { key: 100, address: 10, public: 50, comments: 5 }
const address = '192.0.2.1'
const holder = (id: string, key = `key of ${id}`): Principal =>
  principalWith({ id, user: 'of any name', key }, { operator: false, roles: [] })

const ids = (name: string) => ({ uuid: () => name, secret: () => name, name: () => name })

type Process = { readonly rate: ReadRate; readonly shared: SharedRates }

const startedProcess = (
  clock: ReturnType<typeof controlledClock>,
  documents: DocumentStore,
  name: string,
  log = recordingLog(),
): Process => {
  const shared = createSharedRates({ documents, clock, ids: ids(name), log })
  const rate = createRateLimits(clock, limits, shared)
  return { rate, shared }
}

describe('rate limits', () => {
  let clock: ReturnType<typeof controlledClock>
  let documents: Documents
  beforeEach(() => {
    clock = controlledClock(start)
    documents = memoryDocuments()
  })

  const aloneIn = (): ReadRate => startedProcess(clock, documents, 'alone').rate

  const times = (rate: ReadRate, principal: Principal | null, count: number): number => {
    let allowed = 0
    for (let request = 0; request < count; request += 1)
      if (rate(principal ?? 'address', address).isAllowed) allowed += 1
    return allowed
  }

  it('allow a number of requests of an address in a window, then report when the next begins', () => {
    const rate = aloneIn()
    expect(rate('address', address)).to.deep.equal({
      policy: 'address',
      isAllowed: true,
      limit: 10,
      remaining: 9,
      seconds: 60,
    })
    clock.advance(20_500)
    expect(times(rate, null, 20)).to.equal(9)
    expect(rate('address', address)).to.deep.include({ isAllowed: false, remaining: 0, seconds: 40 })
    expect(rate('address', '192.0.2.2')).to.deep.include({ isAllowed: true, remaining: 9 })
    clock.advance(39_500)
    expect(times(rate, null, 20)).to.equal(10)
  })

  it('count a valid token for its user, from any address, whichever key it is of', () => {
    const rate = aloneIn()
    expect(times(rate, null, 20)).to.equal(10)
    expect(times(rate, holder('one', 'first key'), 60)).to.equal(60)
    expect(times(rate, holder('one', 'second key'), 200)).to.equal(40)
    expect(rate(holder('two'), address)).to.deep.include({
      policy: 'key',
      isAllowed: true,
      remaining: 99,
    })
    expect(rate('address', '192.0.2.2').remaining).to.equal(9)
    // A user is never an address, even with such a name.
    expect(rate(holder('192.0.2.3'), address).remaining).to.equal(99)
    expect(rate('address', '192.0.2.3').remaining).to.equal(9)
  })

  it('count what a setting opens apart from other requests of an address without a token', () => {
    const rate = aloneIn()
    for (let image = 0; image < 50; image += 1)
      expect(rate('public', address)).to.deep.include({ policy: 'public', isAllowed: true, limit: 50 })
    expect(rate('public', address).isAllowed).to.equal(false)
    expect(rate('address', address)).to.deep.include({ policy: 'address', isAllowed: true, remaining: 9 })
    expect(rate(holder('one'), address)).to.deep.include({ policy: 'key', remaining: 99 })
  })

  it('count the addresses of an IPv6 network as one', () => {
    const rate = aloneIn()
    for (let host = 1; host <= 10; host += 1)
      expect(rate('address', `2001:db8::${host}`).isAllowed).to.equal(true)
    expect(rate('address', '2001:db8::ff').isAllowed).to.equal(false)
    expect(rate('address', '2001:db8:0:1::1').isAllowed).to.equal(true)
  })

  it('do not depend on the wall clock', () => {
    const rate = aloneIn()
    times(rate, null, 20)
    clock.advance(-3_600_000)
    expect(rate('address', address)).to.deep.include({ isAllowed: false, seconds: 60 })
    clock.advance(60_000)
    expect(rate('address', address)).to.deep.include({ isAllowed: true, seconds: 60 })
  })

  describe('of several processes', () => {
    const allowedOf = ({ rate }: Process, count: number): number => times(rate, null, count)

    /** A second passes, and every process exchanges counts. */
    const exchange = async (...processes: readonly Process[]): Promise<void> => {
      clock.advance(1000)
      for (const { shared } of processes) await shared.exchange()
    }

    const started = async (count: number): Promise<readonly Process[]> => {
      const processes = Array.from({ length: count }, (_, index) =>
        startedProcess(clock, documents, `p${index}`),
      )
      for (const process of [...processes, ...processes]) await process.shared.exchange()
      return processes
    }

    it('are shared: requests to one process count in the others', async () => {
      const [one, other] = (await started(2)) as readonly [Process, Process]
      expect(allowedOf(one, 5)).to.equal(5)
      await exchange(one, other)
      expect(other.rate('address', address)).to.deep.include({ isAllowed: true, remaining: 4 })
      expect(allowedOf(other, 9)).to.equal(2)
      expect(other.rate('address', address)).to.deep.include({ isAllowed: false, remaining: 0 })
    })

    it('are not exceeded by a burst to all of them', async () => {
      const processes = await started(5)
      const allowed = processes.map((process) => allowedOf(process, 100))
      expect(allowed).to.deep.equal([2, 2, 2, 2, 2])
      expect(processes[0]?.rate('address', address)).to.deep.include({ isAllowed: false })
    })

    it('allow the complete limit to a client of one process, after a few exchanges', async () => {
      const [one, other] = (await started(2)) as readonly [Process, Process]
      expect(allowedOf(one, 5)).to.equal(5)
      for (let request = 0; request < 50; request += 1)
        expect(one.rate('address', address)).to.deep.include({ isAllowed: false, seconds: 1 })
      let allowed = 5
      for (let second = 0; second < 10; second += 1) {
        await exchange(one, other)
        allowed += allowedOf(one, 1)
      }
      expect(allowed).to.be.within(9, 10)
    })

    it('are never exceeded twofold in a window, at any time and with any distribution of requests', async () => {
      const processes = await started(4)
      let allowed = 0
      for (let second = 0; second < 50; second += 1) {
        // Each process exchanges at another moment of the second.
        for (const [index, { shared }] of processes.entries()) {
          for (const each of processes) allowed += allowedOf(each, 1 + ((second + index) % 3))
          clock.advance(250)
          await shared.exchange()
        }
      }
      expect(allowed).to.be.within(limits.address, 2 * limits.address)
    })

    it('last until the latest window of a process ends', async () => {
      const [one, other] = (await started(2)) as readonly [Process, Process]
      for (let second = 0; second < 59; second += 1) {
        allowedOf(one, 100)
        await exchange(one, other)
      }
      expect(other.rate('address', address)).to.deep.include({ isAllowed: false })
      await exchange(one, other)
      expect(one.rate('address', address)).to.deep.include({ isAllowed: true })
    })

    /** The same store, and how many writes it has received. */
    const counting = () => {
      let count = 0
      const store: DocumentStore = {
        ...documents,
        write: (...call) => ((count += 1), documents.write(...call)),
      }
      return { store, writes: () => count }
    }

    it('write nothing for a request, nor for clients that have used little', async () => {
      const { store, writes } = counting()
      const busy = startedProcess(clock, store, 'busy')
      await busy.shared.exchange()
      expect(writes()).to.equal(1)
      for (let client = 0; client < 500; client += 1) busy.rate(holder(`key ${client}`), address)
      expect(writes()).to.equal(1)
      clock.advance(1000)
      await busy.shared.exchange()
      expect(writes()).to.equal(1)
    })

    it('write nothing for a single process that is idle, which the next one finds all the same', async () => {
      const { store, writes } = counting()
      const single = startedProcess(clock, store, 'single')
      for (let second = 0; second < 600; second += 1) await exchange(single)
      expect(writes()).to.equal(1)
      const next = startedProcess(clock, documents, 'next')
      await exchange(next, single)
      expect(allowedOf(next, 100)).to.equal(5)
      for (let second = 0; second < 300; second += 1) await exchange(next, single)
      expect(writes()).to.be.within(12, 16)
      expect([single, next].map((process) => allowedOf(process, 100))).to.deep.equal([5, 5])
    })

    it('are counted by each process while the store fails, which is logged once', async () => {
      let isAway = true
      const away = changing(documents, 'insert', 'rate_counts', (...call) =>
        isAway ? TE.left(unavailable) : documents.write(...call),
      )
      const log = recordingLog()
      const process = startedProcess(clock, away, 'one', log)
      await process.shared.exchange()
      await process.shared.exchange()
      expect(allowedOf(process, 100)).to.equal(10)
      expect(log.entries().map(({ event }) => event)).to.deep.equal(['rate counts not exchanged'])
      isAway = false
      await process.shared.exchange()
      const other = startedProcess(clock, documents, 'other')
      await other.shared.exchange()
      expect(other.rate('address', address).isAllowed).to.equal(false)
    })

    it('ignore counts that another version of the service has written in another format', async () => {
      const [one, other] = (await started(2)) as readonly [Process, Process]
      const value = { key: 'more', address: [['a', 1, 1000]] }
      const written = documents.insert(systemCollections.rateCounts.name, systemInstance, {
        id: 'newer',
        unique: null,
        value,
      })
      expect(E.isRight(await written())).to.equal(true)
      const allowed = allowedOf(other, 100)
      await exchange(other, one)
      expect(one.rate('address', address)).to.deep.include({ remaining: limits.address - allowed - 1 })
      // The other version counts as a process, so each has a third.
      let alone = 0
      while (one.rate('address', '192.0.2.9').isAllowed) alone += 1
      expect(alone).to.equal(Math.ceil(limits.address / 3))
    })

    it('ignore a process that has left immediately, a killed one after a minute, and remove its document after an hour', async () => {
      const [one, other, killed] = (await started(3)) as readonly [Process, Process, Process]
      for (let second = 0; second < 10; second += 1) {
        allowedOf(killed, 100)
        await exchange(killed, one, other)
      }
      expect(one.rate('address', address).isAllowed).to.equal(false)
      for (let second = 0; second < 61; second += 1) await exchange(one, other)
      expect(allowedOf(one, 100)).to.equal(5)
      await other.shared.leave()
      clock.advance(60_000)
      await one.shared.exchange()
      expect(allowedOf(one, 100)).to.equal(10)
      clock.advance(3_600_000)
      await one.shared.exchange()
      const left = await storedIn(documents, systemCollections.rateCounts.name)
      expect(left.map(({ id }) => id)).to.deep.equal(['p0'])
    })
  })
})
