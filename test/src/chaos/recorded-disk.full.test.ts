/** Simulated power cuts: synchronized data survives each of them, other data is lost in some. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { seededRandom } from '../durability/random.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { embeddedStores } from './chaos-stores.js'
import { recordFolder, type Ignored } from './recorded-disk.js'
import { scenarios } from './run-chaos-test.js'
import { createWriters } from './writers.js'

const chances = 12

/** Programs that write a file, and synchronize it in different ways. */
const open = `const fs = require('node:fs'), folder = process.env.POWER_CUT_FOLDER`
const write = `const file = fs.openSync(folder + '/new', 'w'); fs.writeSync(file, 'x'.repeat(20000))`
const syncFile = `fs.fsyncSync(file)`
const syncFolder = `fs.fsyncSync(fs.openSync(folder, 'r'))`
const rename = `fs.renameSync(folder + '/new', folder + '/moved')`
const end = `process.kill(process.pid, 'SIGKILL')`

describe('a simulated power cut', function () {
  this.timeout(300_000)
  let folder: DataFolder
  afterEach(killRemaining)
  afterEach(() => folder.remove())

  /** The sizes of a file after several power cuts in the same program; null if it does not exist. */
  const outcomes = async (name: string, ...steps: readonly string[]): Promise<ReadonlySet<number | null>> => {
    const found = new Set<number | null>()
    for (let seed = 1; seed <= chances; seed += 1) {
      folder = await makeDataFolder()
      const recording = await recordFolder(folder.path)
      const program = [open, ...steps, end].join(';')
      const { PATH } = process.env
      const env = { PATH, ...recording.environment }
      await once(spawn(process.execPath, ['-e', program], { env, stdio: 'inherit' }), 'exit')
      await recording.cutPower(seededRandom(seed * 7919))
      await recording.remove()
      found.add(
        await readFile(join(folder.path, name)).then(
          (data) => (data.every((byte) => byte === 0x78) ? data.length : -1),
          () => null,
        ),
      )
      await folder.remove()
    }
    return found
  }

  it('preserves a file whose data and directory were synchronized', async () => {
    expect([...(await outcomes('new', write, syncFile, syncFolder))]).to.deep.equal([20_000])
    expect([...(await outcomes('moved', write, syncFile, rename, syncFolder))]).to.deep.equal([20_000])
  })

  it('can lose a file whose directory was not synchronized', async () => {
    expect([...(await outcomes('new', write, syncFile))]).to.have.members([20_000, null])
    expect([...(await outcomes('moved', write, syncFile, syncFolder, rename))]).to.have.members([
      20_000,
      null,
    ])
  })

  it('can lose all or a part of the data of a file that was not synchronized', async () => {
    const found = await outcomes('new', write, syncFolder)
    expect(found.has(0)).to.equal(true)
    expect(found.size).to.be.above(2)
    expect(found.has(null)).to.equal(false)
  })

  it('records all changes: a replay reproduces the folder', async () => {
    folder = await makeDataFolder()
    const recording = await recordFolder(folder.path)
    const service = await startServiceProcess(folder.path, recording.environment)
    const client = { url: service.url, api: await adminApi(service) }
    const writers = await createWriters(client, seededRandom(1))
    await writers.run([client], () => writers.acknowledged() > 150)
    expect(await service.stop()).to.equal(0)
    await recording.expectComplete()
    await recording.remove()
  })

  for (const ignored of ['all', 'files', 'directories'] as const satisfies readonly Ignored[])
    it(`detects losses on a disk that does not synchronize ${ignored}`, async () => {
      const stores = await embeddedStores()
      folder = { path: stores.folder, remove: stores.remove }
      const test = { stores, rounds: 24, random: seededRandom(77), ignored }
      expect((await scenarios['power-cuts'](test)).findings).not.to.deep.equal([])
    })
})
