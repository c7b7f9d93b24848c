/** A store of an installed package as a side of a copy, configured in the environment and in a file. */
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { expectFailure } from '../start-up/program.js'
import { copy, fill, makeSide, writeSide, type CopySide } from './copy-sides.js'
import { readStoreContents } from './store-contents.js'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describe('storage copy, sqlite → the journal of the example and back', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let original: CopySide
  let journal: CopySide
  let back: CopySide
  before(async () => {
    folder = await makeDataFolder()
    original = await makeSide(folder, 'original', kinds)
    back = await makeSide(folder, 'back', kinds)
    journal = await writeSide(folder, 'journal', {
      DATA_DIR: join(folder.path, 'journal'),
      STORE: 'package:journal-store',
      JOURNAL_FILE: join(folder.path, 'journal', 'documents.jsonl'),
    })
    await fill(original, 8)
  })
  after(() => folder.remove())

  it('copies everything', async () => {
    const contents = await readStoreContents(original.environment, 2)
    const forward = await runInSeries({}, 'storage', 'copy', '--from', original.file, '--to', journal.file)
    expect(forward.code, forward.error).to.equal(0)
    expect(forward.out).to.match(/^to package:journal-store, \S+documents\.jsonl and \S+journal\S+$/m)
    const again = await runInSeries(journal.environment, 'storage', 'copy', '--to', back.file)
    expect(again.code, again.error).to.equal(0)
    expect(await readStoreContents(back.environment, 2)).to.deep.equal(contents)
  })

  it('reports invalid variables of the package', async () => {
    const file = await writeSide(folder, 'wrong', { STORE: 'package:journal-store', JOURNAL_FIEL: 'x' })
    const wrong = await copy(original, file)
    expectFailure(
      wrong,
      78,
      /--to, \S+: JOURNAL_FIEL is no variable of the service, and JOURNAL_FILE is: /,
      /--to, \S+: JOURNAL_FILE must be set where STORE is package:journal-store$/m,
    )
  })
})
