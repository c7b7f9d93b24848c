/** Copies that fail: the message names the error and the side, and nothing is written. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { copyFirstData } from '../harness/start-test-service.js'
import { expectFailure } from '../start-up/program.js'
import { makeData, makeDataOfLaterVersion } from '../start-up/unusable-data.js'
import { copy, makeSide, type CopySide, writeSide } from './copy-sides.js'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

describe('storage copy, failures', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let source: CopySide
  let target: CopySide
  before(async () => {
    folder = await makeDataFolder()
    source = await makeSide(folder, 'source', kinds)
    target = await makeSide(folder, 'target', kinds)
    await copyFirstData(String(source.environment['DATA_DIR']))
  })
  after(() => folder.remove())

  it('78: an invalid, missing or in-memory environment, or the same stores on both sides', async () => {
    const wrong = await writeSide(folder, 'wrong', { STORE: 'mongodb', PORT: 'x' })
    const memory = await writeSide(folder, 'memory', { STORE: 'memory', BLOBS: 'memory' })
    const missing = { environment: {}, file: join(folder.path, 'missing.env') }
    const [onWrong, onMemory, onMissing, onSame] = await Promise.all([
      copy(source, wrong),
      copy(source, memory),
      copy(missing, target),
      copy(source, source),
    ])
    expectFailure(
      onWrong,
      78,
      /^Nothing was copied\. /m,
      /^ {2}- --to, \S+wrong\.env: PORT must be a whole number/m,
      /^ {2}- --to, \S+wrong\.env: MONGODB_URL must be set where STORE is mongodb$/m,
    )
    expectFailure(onMemory, 78, /--to, \S+memory\.env: a store in memory ends with its process/)
    expectFailure(onMissing, 78, /--from, \S+missing\.env: it can’t be read: ENOENT/)
    expectFailure(
      onSame,
      78,
      /both sides have their documents in \S+documents\.sqlite: choose another target/,
    )
  })

  it('69: a side that cannot be opened', async () => {
    const later = await makeSide(folder, 'later', kinds)
    await makeDataOfLaterVersion(String(later.environment['DATA_DIR']))
    expectFailure(
      await copy(source, later),
      69,
      /^Nothing was done\.\n {2}- --to, \S+later\.env: .* was written by a later version of this program \(see DATA_DIR\)$/m,
    )
  })

  it('1: an empty source', async () => {
    const empty = await makeSide(folder, 'empty', kinds)
    await makeData(String(empty.environment['DATA_DIR']))
    expectFailure(
      await copy(empty, target),
      1,
      /--from, \S+empty\.env: there is no instance in \S+documents\.sqlite/,
    )
  })

  it('writes nothing to the target, and uses the environment of the command for an omitted side', async () => {
    expect(await readdir(join(String(target.environment['DATA_DIR']), 'blobs', 'blobs'))).to.deep.equal([])
    const { code, out, error } = await runInSeries(source.environment, 'storage', 'copy', '--to', target.file)
    expect(code, error).to.equal(0)
    expect(out).to.match(
      /^Copied \S+source\S+ and \S+\nto \S+target\S+ and \S+\nin .* s: 1 instance, 1 key, /,
    )
    expect(error.split('\n').filter((line) => /^(?:Copied|Compared) /.test(line))).to.have.length(4)
  })
})
