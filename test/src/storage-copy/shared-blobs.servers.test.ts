/** A copy of documents only: both sides store their file data in the same bucket. */
import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { copy, fill, makeSide, type CopySide } from './copy-sides.js'
import { readStoreContents } from './store-contents.js'

describe('storage copy, sqlite × minio → mongodb × the same minio', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let original: CopySide
  let moved: CopySide
  before(async () => {
    folder = await makeDataFolder()
    original = await makeSide(folder, 'original', { STORE: 'sqlite', BLOBS: 'minio' })
    const { environment, file } = await makeSide(folder, 'moved', { STORE: 'mongodb', BLOBS: 'minio' })
    const bucket = `MINIO_BUCKET=${String(original.environment['MINIO_BUCKET'])}\n`
    // The last of two lines is used.
    await writeFile(file, bucket, { flag: 'a' })
    moved = {
      environment: { ...environment, MINIO_BUCKET: String(original.environment['MINIO_BUCKET']) },
      file,
    }
    await fill(original, 8)
  })
  after(() => folder.remove())

  it('leaves file data unchanged', async () => {
    const contents = await readStoreContents(original.environment, 2)
    const { code, out, error } = await copy(original, moved)
    expect(code, error).to.equal(0)
    expect(JSON.parse(out)).to.include({ instances: 2, blobs: 0, bytes: 0 })
    expect(error).not.to.include('file data')
    expect(await readStoreContents(moved.environment, 2)).to.deep.equal(contents)
  })
})
