/** Starts on stores that do not belong together, and the commands for file data. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collectOrphans } from '../durability/collect-orphans.js'
import { storedUploads } from '../durability/data-folder.js'
import { createApi } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { putBlob } from '../harness/open-stores.js'
import { copyFirstData, startTestService } from '../harness/start-test-service.js'
import { expectFailure, withDirectory, type ProcessResult } from '../start-up/program.js'
import { runInSeries, startInSeries } from './command-series.js'
import { filesystemBlobStore } from '@publishing-service/adapter-filesystem'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

/** Starts a service on a directory and stores a file. Returns the id of the file and the path of its data. */
const fill = async (DATA_DIR: string): Promise<{ readonly id: string; readonly path: string }> => {
  await copyFirstData(DATA_DIR)
  const service = await startTestService({ ...kinds, DATA_DIR })
  const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
  const { id } = await storeFile(api)
  await service.stop()
  const uploads = await storedUploads({ path: DATA_DIR, remove: async () => undefined })
  const upload = uploads.find((path) => path.includes(id)) ?? ''
  return { id, path: join(DATA_DIR, 'blobs', 'blobs', upload, 'original@') }
}

const jsonOf = ({ out }: ProcessResult): Readonly<Record<string, unknown>> =>
  JSON.parse(out) as Readonly<Record<string, unknown>>

/** Expects one finding of this kind, about this file. */
const expectFound = (ending: ProcessResult, kind: string, id: string): void => {
  expect(ending.code).to.equal(1)
  const { count, first } = jsonOf(ending)[kind] as {
    readonly count: number
    readonly first: readonly string[]
  }
  expect(count).to.equal(1)
  expect(first[0]).to.match(new RegExp(`^1/${id}/`))
}

describe('file data', function () {
  this.timeout(60_000)

  it('prevents a start without documents until an operator confirms it', () =>
    withDirectory(async (DATA_DIR) => {
      const { path } = await fill(DATA_DIR)
      const [documents, aside] = [join(DATA_DIR, 'documents.sqlite'), join(DATA_DIR, 'aside')]
      await rename(documents, aside)
      for (const end of ['-wal', '-shm']) await rm(`${documents}${end}`, { force: true })
      const failed = await startInSeries({ DATA_DIR })
      expectFailure(failed, 69, /documents\.sqlite/, /DATA_DIR/, /BLOBS/, /1 blob\b/, /--adopt-blobs/)
      await readFile(path)
      const adopted = await startTestService({ ...kinds, DATA_DIR }, { adoptBlobs: true })
      await adopted.stop()
      await readFile(path)
    }))

  it('a start rejects unknown arguments', () =>
    withDirectory(async (DATA_DIR) => {
      const ending = await startInSeries({ DATA_DIR }, '--adopt-blob')
      expectFailure(ending, 2, /--adopt-blob\b/, /--adopt-blobs/)
    }))

  it('storage verify reports damage, and its exit code shows it', () =>
    withDirectory(async (DATA_DIR) => {
      const { id, path } = await fill(DATA_DIR)
      const verify = (...args: readonly string[]) => runInSeries({ DATA_DIR }, 'storage', 'verify', ...args)
      const sound = await verify('--json')
      expect(sound.code, sound.error).to.equal(0)
      expect(sound.error).to.match(/Verified .* of file data in/)
      expect(jsonOf(sound)).to.deep.include({ files: 7, missing: { count: 0, first: [] } })
      const bytes = await readFile(path)
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
      await writeFile(path, bytes)
      const flipped = await verify()
      expect(flipped.code).to.equal(1)
      expect(flipped.out).to.include(id)
      await writeFile(path, bytes.subarray(1))
      expectFound(await verify('--json'), 'wrong_size', id)
      await rm(path)
      expectFound(await verify('--json'), 'missing', id)
    }))

  it('storage orphans lists quarantined blobs, and deletes them only if confirmed', () =>
    withDirectory(async (DATA_DIR) => {
      await fill(DATA_DIR)
      const orphan = '1/11111111-1111-4111-8111-111111111111/cut-short'
      const blobs = await filesystemBlobStore({ directory: join(DATA_DIR, 'blobs') })
      await putBlob({ blobs }, `${orphan}/original`, Buffer.from('never named'))
      const orphans = (...args: readonly string[]) => runInSeries({ DATA_DIR }, 'storage', 'orphans', ...args)
      expect(JSON.parse((await orphans('--json')).out)).to.deep.equal([])
      const service = await startTestService({ ...kinds, DATA_DIR })
      service.clock.set(Date.now() + 2 * 86_400_000)
      await service.useCases.garbageCollection.collect()
      await service.stop()
      const listed = await orphans('--json')
      const [row] = JSON.parse(listed.out) as readonly Readonly<Record<string, unknown>>[]
      expect(row).to.include({ path: orphan, bytes: 11 })
      expect((await orphans()).out).to.include(orphan)
      expectFailure(await orphans('--delete'), 1, /1 upload\b/, /--yes/)
      // The blob is younger than a day.
      expect(JSON.parse((await orphans('--delete', '--yes', '--json')).out)).to.deep.equal([])
      expect(await blobs.size(`${orphan}/original`)()).to.deep.include({ right: 11 })
      expect(await collectOrphans({ ...kinds, DATA_DIR })).to.equal(1)
      expect(await blobs.size(`${orphan}/original`)()).to.deep.include({ right: null })
      await blobs.close()
    }))
})
