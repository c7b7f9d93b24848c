/** A store of an installed package as a side of a copy, configured in the environment and in a file. */
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { expectRefusal, runAdmin } from '../start-up/program.js'
import { copy, fill, makePlace, writePlace, type Place } from './places.js'
import { storesHeld } from './stores-held.js'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describe('storage copy, sqlite → the journal of the example and back', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let original: Place
  let journal: Place
  let back: Place
  before(async () => {
    folder = await makeDataFolder()
    original = await makePlace(folder, 'original', kinds)
    back = await makePlace(folder, 'back', kinds)
    journal = await writePlace(folder, 'journal', {
      DATA_DIR: join(folder.path, 'journal'),
      STORE: 'package:journal-store',
      JOURNAL_FILE: join(folder.path, 'journal', 'documents.jsonl'),
    })
    await fill(original, 20)
  })
  after(() => folder.remove())

  it('copies everything', async () => {
    const held = await storesHeld(original.environment, 2)
    const there = await runAdmin({}, 'storage', 'copy', '--from', original.file, '--to', journal.file)
    expect(there.code, there.error).to.equal(0)
    expect(there.out).to.match(/^to package:journal-store, \S+documents\.jsonl and \S+journal\S+$/m)
    const again = await runAdmin(journal.environment, 'storage', 'copy', '--to', back.file)
    expect(again.code, again.error).to.equal(0)
    expect(await storesHeld(back.environment, 2)).to.deep.equal(held)
  })

  it('reports invalid variables of the package', async () => {
    const file = await writePlace(folder, 'wrong', { STORE: 'package:journal-store', JOURNAL_FIEL: 'x' })
    const wrong = await copy(original, file)
    expectRefusal(
      wrong,
      78,
      /--to, \S+: JOURNAL_FIEL is no variable of the service, and JOURNAL_FILE is: /,
      /--to, \S+: JOURNAL_FILE must be set where STORE is package:journal-store$/m,
    )
  })
})
