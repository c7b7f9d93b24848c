/** The scenarios on embedded stores, and tests of the chaos test: it writes all kinds and detects lost writes. */
import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { incomingFiles, makeDataFolder } from '../durability/data-folder.js'
import { seededRandom } from '../durability/random.js'
import {
  adminApi,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from '../durability/service-process.js'
import { walk } from '../durability/written-objects.js'
import { embeddedStores } from './chaos-stores.js'
import { describeScenario, seed } from './describe-scenario.js'
import { readOptions, scenarioNames } from './options.js'
import { createWriters, type ServiceClient, type Writers } from './writers.js'

describeScenario('kills', embeddedStores, 4)
describeScenario('power-cuts', embeddedStores, 4)
describeScenario('two-processes', embeddedStores, 3)

describe('the command line of the chaos test', () => {
  it('has defaults, selects scenarios and stores, and rejects unknown options', () => {
    const defaults = { only: scenarioNames, stores: 'embedded', kills: 200, powerCuts: 60 }
    expect(readOptions([])).to.deep.include(defaults)
    const args = '--only kills,power-cuts --stores both --kills 3 --power-cuts 4 --seed 5'
    const options = { only: ['kills', 'power-cuts'], stores: 'both', kills: 3, powerCuts: 4, seed: 5 }
    expect(readOptions(args.split(' '))).to.deep.equal(options)
    for (const wrong of ['--only floods', '--stores tape', '--kills 0', '--seed x', '--fast'])
      expect(() => readOptions(wrong.split(' ')), wrong).to.throw(Error)
  })
})

describe('a service that is killed while it starts', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('has its complete sample after several kills of its first start', async () => {
    const random = seededRandom(seed)
    const sampleAfter = async (kills: number): Promise<readonly string[]> => {
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
    expect(await sampleAfter(4)).to.deep.equal(await sampleAfter(0))
  })
})

/** The minimum number of kinds of acknowledged writes. They are chosen at random. */
const minKinds = 30

const clientOf = async (service: ServiceProcess): Promise<ServiceClient> => ({
  url: service.url,
  api: await adminApi(service),
})

/** Writes at least this number of writes, and all kinds. */
const write = async (writers: Writers, service: ServiceProcess, count: number): Promise<void> => {
  const wanted = writers.acknowledged() + count
  const isEnough = (): boolean => writers.acknowledged() >= wanted && writers.kinds() >= minKinds
  const loads = await writers.run([await clientOf(service)], isEnough)
  expect(loads).to.deep.equal([{ broken: 0, refused: 0, faults: [] }])
}

describe('the writers of the chaos test', function () {
  this.timeout(120_000)
  after(killRemaining)

  it(`send at least ${minKinds} kinds of writes, and detect an older copy of the stores`, async () => {
    const [folder, copy] = [await makeDataFolder(), await makeDataFolder()]
    const first = await startServiceProcess(folder.path)
    const writers = await createWriters(await clientOf(first), seededRandom(seed))
    await write(writers, first, 0)
    expect(await writers.verify(await clientOf(first))).to.deep.equal([])
    expect(await first.stop()).to.equal(0)
    await cp(folder.path, copy.path, { recursive: true })

    const second = await startServiceProcess(folder.path)
    await write(writers, second, 40)
    expect(await second.stop()).to.equal(0)
    await rm(folder.path, { recursive: true })
    await cp(copy.path, folder.path, { recursive: true })
    const third = await startServiceProcess(folder.path)
    expect((await writers.verify(await clientOf(third))).join('\n')).to.include('lost or half-written')
    await killRemaining()
    await folder.remove()
    await copy.remove()
  })
})
