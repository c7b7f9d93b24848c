/** Backups of stores on servers in a bucket, restored to stores of other kinds and back. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { connectionSettingsFor } from '../harness/start-test-service.js'
import { fill, makeSide, type CopySide } from '../storage-copy/copy-sides.js'
import { readStoreContents } from '../storage-copy/store-contents.js'
import type { Environment } from '../start-up/program.js'

const onServers = { STORE: 'postgresql', BLOBS: 'minio' } as const
const embedded = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

/** The contents without scaled images, which backups do not have. */
const contents = async (environment: Environment) => {
  const { documents, blobs } = await readStoreContents(environment, 2)
  const originals = Object.entries(blobs).filter(([key]) => /\/original$|^store\//.test(key))
  return { documents, blobs: Object.fromEntries(originals) }
}

describe('backup in a bucket', function () {
  this.timeout(300_000)
  let folder: DataFolder
  let place: Environment
  before(async () => {
    folder = await makeDataFolder()
    const { MINIO_URL, MINIO_ACCESS_KEY, MINIO_SECRET_KEY, MINIO_BUCKET } =
      await connectionSettingsFor(onServers)
    place = {
      BACKUP_TO: `${String(MINIO_URL)}/${String(MINIO_BUCKET)}`,
      BACKUP_ACCESS_KEY: String(MINIO_ACCESS_KEY),
      BACKUP_SECRET_KEY: String(MINIO_SECRET_KEY),
    }
  })
  after(() => folder.remove())

  const run = async ({ environment }: CopySide, ...args: readonly string[]) => {
    const { code, error } = await runInSeries({ ...environment, ...place }, 'backup', ...args)
    expect(code, error).to.equal(0)
  }

  it('has lines of documents, which fill stores of any kind, and a file, which fills servers', async () => {
    const original = await makeSide(folder, 'original', onServers)
    await fill(original, 4)
    const expected = await contents(original.environment)
    await run(original, 'create')
    await run(original, 'verify')
    const inFolder = await makeSide(folder, 'folder', embedded)
    await run(inFolder, 'restore')
    expect(await contents(inFolder.environment)).to.deep.equal(expected)
    await run(inFolder, 'create')
    const back = await makeSide(folder, 'back', onServers)
    await run(back, 'restore')
    expect(await contents(back.environment)).to.deep.equal(expected)
  })
})
