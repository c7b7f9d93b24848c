/** Kills and power cuts on one data folder. Data that is not synchronized is lost, and the test detects that. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { makeDataFolder } from './data-folder.js'
import { describeKills, longThreads } from './describe-kills.js'
import { findAfterKills } from './kill-services.js'
import { embeddedStores } from './killable-stores.js'
import { saveSynchronized } from './power-cut.js'
import { seededRandom } from './random.js'

describeKills('one data folder', embeddedStores, { 1: 1, 2: 1 }, { longThreads })

describe('a simulated power cut', function () {
  this.timeout(120_000)

  it('loses the data that a program does not synchronize, and the names in directories that it does not', async () => {
    const folder = await makeDataFolder()
    const saved = await saveSynchronized(folder.path)
    const program = `
      const fs = require('node:fs')
      const write = (name) => {
        const file = fs.openSync(process.env.POWER_CUT_FOLDER + '/' + name, 'w')
        fs.writeSync(file, name)
        return file
      }
      fs.fsyncSync(write('kept'))
      write('empty')
      fs.fsyncSync(fs.openSync(process.env.POWER_CUT_FOLDER, 'r'))
      fs.fsyncSync(write('lost'))`
    const env = { PATH: process.env['PATH'], ...saved.environment }
    await promisify(execFile)(process.execPath, ['-e', program], { env })
    await saved.cutPower()
    await saved.remove()
    const names = await readdir(folder.path)
    const data = await Promise.all(names.map((name) => readFile(join(folder.path, name), 'utf8')))
    expect(Object.fromEntries(names.map((name, index) => [name, data[index]]))).to.deep.equal({
      kept: 'kept',
      empty: '',
    })
    await folder.remove()
  })

  it('is detected if the disk does not synchronize the data of files', async () => {
    const stores = await embeddedStores()
    const kills = { stores, services: 1, rounds: 1, random: seededRandom(77), ignored: 'files' } as const
    expect(await findAfterKills(kills)).not.to.deep.equal([])
    await stores.remove()
  })
})
