/**
 * Each scenario for a few rounds: no acknowledged write is lost and no write is applied in part. Also tests the chaos
 * test itself: it writes all kinds and reports lost writes.
 */
import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import { after, afterEach, describe, it } from 'mocha'
import { incomingFiles, makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { seededRandom } from '../durability/random.js'
import {
  adminApi,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from '../durability/service-process.js'
import { walk } from '../durability/written-objects.js'
import { embeddedStores } from './chaos-stores.js'
import { readOptions, scenarioNames } from './options.js'
import { scenarios } from './run-chaos-test.js'
import { createWriters, type ServiceClient, type Writers } from './writers.js'

const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

const rounds = { kills: 4, 'power-cuts': 4, 'two-processes': 3 } as const

/** What a run must have acknowledged at least; kinds of writes are chosen at random. */
const leastKinds = 30

const clientOf = async (service: ServiceProcess): Promise<ServiceClient> => ({
  url: service.url,
  api: await adminApi(service),
})

describe('a chaos test', function () {
  this.timeout(900_000)
  afterEach(killRemaining)

  for (const name of scenarioNames)
    it(`of ${name}: no acknowledged write is lost and none is applied in part (CHAOS_SEED=${seed})`, async () => {
      const stores = await embeddedStores()
      const result = await scenarios[name]({
        stores,
        rounds: rounds[name],
        random: seededRandom(seed),
        progress: () => undefined,
      })
      expect(result.findings).to.deep.equal([])
      expect(result.faults).to.deep.equal([])
      expect(result.rounds).to.equal(rounds[name])
      await stores.remove()
    })
})

describe('the command line of the chaos test', () => {
  it('has defaults, selects scenarios and stores, and rejects unknown options', () => {
    const defaults = { only: scenarioNames, stores: 'embedded', kills: 200, powerCuts: 60 }
    expect(readOptions([])).to.deep.include(defaults)
    const chosen = [
      '--only',
      'kills,power-cuts',
      '--stores',
      'both',
      '--kills',
      '3',
      '--power-cuts',
      '4',
      '--seed',
      '5',
    ]
    const options = { only: ['kills', 'power-cuts'], stores: 'both', kills: 3, powerCuts: 4, seed: 5 }
    expect(readOptions(chosen)).to.deep.equal(options)
    for (const wrong of [
      ['--only', 'floods'],
      ['--stores', 'tape'],
      ['--kills', '0'],
      ['--seed', 'x'],
      ['--fast'],
    ])
      expect(() => readOptions(wrong), wrong.join(' ')).to.throw(Error)
  })
})

describe('a service that is killed while it starts', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('for the first time, again and again, has its whole sample in the end', async () => {
    const random = seededRandom(seed)
    const sampleOf = async (kills: number): Promise<readonly string[]> => {
      const stores = await embeddedStores()
      for (let kill = 0; kill < kills; kill += 1) await stores.startAndKill(200 + random.below(600))
      const service = await stores.start(0)
      const sample = await walk(await adminApi(service), 'content', 'title')
      expect(await incomingFiles({ path: stores.folder })).to.deep.equal([])
      expect(await service.stop()).to.equal(0)
      expect(service.defects()).to.deep.equal([])
      await stores.remove()
      return sample
    }
    expect(await sampleOf(4)).to.deep.equal(await sampleOf(0))
  })
})

describe('the writers of a chaos test', function () {
  this.timeout(120_000)
  let folder: DataFolder
  after(killRemaining)
  after(() => folder.remove())

  /** Runs until the writers have made so many writes and kinds of writes. */
  const write = async (
    writers: Writers,
    service: ServiceClient,
    count: number,
    kinds: number,
  ): Promise<void> => {
    const wanted = writers.acknowledged() + count
    const isEnough = (): boolean => writers.acknowledged() >= wanted && writers.kinds().size >= kinds
    const loads = await writers.run([service], isEnough)
    expect(loads).to.deep.equal([{ broken: 0, refused: 0, faults: [] }])
  }

  it(`write in at least ${leastKinds} services, and report what an older copy of the stores lacks`, async () => {
    folder = await makeDataFolder()
    const copy = await makeDataFolder()
    const first = await startServiceProcess(folder.path)
    const writers = await createWriters(await clientOf(first), seededRandom(seed))
    await write(writers, await clientOf(first), 0, leastKinds)
    expect(await writers.verify(await clientOf(first))).to.deep.equal([])
    expect(await first.stop()).to.equal(0)
    await cp(folder.path, copy.path, { recursive: true })

    const second = await startServiceProcess(folder.path)
    await write(writers, await clientOf(second), 40, leastKinds)
    expect(await second.stop()).to.equal(0)
    await rm(folder.path, { recursive: true })
    await cp(copy.path, folder.path, { recursive: true })
    const third = await startServiceProcess(folder.path)
    const findings = await writers.verify(await clientOf(third))
    expect(findings.some(({ kind }) => kind === 'lost')).to.equal(true)
    await copy.remove()
  })
})
