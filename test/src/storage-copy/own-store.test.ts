/** A store that a program brings along is a side of a copy like any other: the environment of that program. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { runNode, type Ending } from '../start-up/program.js'
import { fill, makePlace, type Place } from './places.js'
import { storesHeld } from './stores-held.js'

const program = fileURLToPath(new URL('../../../docs/examples/journal-store/dist/admin.js', import.meta.url))

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describe('storage copy, sqlite → the journal of the example and back', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let original: Place
  let back: Place
  before(async () => {
    folder = await makeDataFolder()
    original = await makePlace(folder, 'original', kinds)
    back = await makePlace(folder, 'back', kinds)
    await mkdir(join(folder.path, 'journal'))
    await fill(original, 20)
  })
  after(() => folder.remove())

  const withJournal = (...args: readonly string[]): Promise<Ending> =>
    runNode([program, 'storage', 'copy', ...args], {
      DATA_DIR: join(folder.path, 'journal'),
      LOG_LEVEL: 'error',
    }).ended

  it('holds the same in the end', async () => {
    const held = await storesHeld(original.environment, 2)
    const there = await withJournal('--from', original.file)
    expect(there.code, there.error).to.equal(0)
    expect(there.out).to.match(/^to the store that this program brings and \S+journal\S+$/m)
    const again = await withJournal('--to', back.file)
    expect(again.code, again.error).to.equal(0)
    expect(await storesHeld(back.environment, 2)).to.deep.equal(held)
  })
})
