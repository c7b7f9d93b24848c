/** Data of earlier releases, made by them, is examined, upgraded and served. */
import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectSuccess, objectOf } from '../administration/command-output.js'
import { runInSeries } from '../administration/command-series.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** A folder for each release: `data.tar.gz` without the data of files, and what the release returned. */
const releases = fileURLToPath(new URL('../../src/start-up/releases/', import.meta.url))

/** Objects of each collection, as the release returned them. */
type Recorded = {
  /** The UUID of an article with the word “xylophone”. */
  readonly made: string
  /** The UUID of an article that was renamed, and its path before. */
  readonly renamed: string
  readonly former: string
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>
}

const recordedBy = async (release: string): Promise<Recorded> =>
  JSON.parse(await readFile(join(releases, release, 'recorded.json'), 'utf8')) as Recorded

const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

for (const release of await readdir(releases))
  describe(`data of release ${release}`, function () {
    this.timeout(60_000)
    let DATA_DIR = ''
    let recorded: Recorded
    let service: TestService | null = null
    const upgrade = async (...options: readonly string[]): Promise<JsonObject> => {
      const ending = await runInSeries({ DATA_DIR }, 'upgrade', '--json', ...options)
      expectSuccess(ending)
      return objectOf(ending)
    }
    before(async () => {
      DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-release-'))
      await promisify(execFile)('tar', ['-xzf', join(releases, release, 'data.tar.gz'), '-C', DATA_DIR])
      recorded = await recordedBy(release)
    })
    after(async () => {
      await service?.stop()
      await rm(DATA_DIR, { recursive: true, force: true })
    })

    it('is examined without a change: what an upgrade does, how long it takes and what space it needs', async () => {
      const file = join(DATA_DIR, 'documents.sqlite')
      const hash = await hashOf(file)
      const { up_to_date: isCurrent, steps, bytes, free_bytes: free } = await upgrade('--check')
      expect(isCurrent).to.equal(false)
      expect(steps).to.have.property('length').that.is.above(0)
      expect(Number(bytes)).to.be.above(0).and.below(Number(free))
      expect(await hashOf(file)).to.equal(hash)
    })

    it('is upgraded by a command, after which nothing is left to do', async () => {
      await upgrade()
      expect(await upgrade('--check')).to.deep.include({ up_to_date: true, steps: [] })
    })

    it('is served: its objects as before, by the former path too, in the search, and with new writes', async () => {
      service = await startTestService({ DATA_DIR })
      const token = await service.tokenFor('admin')
      const api = createApi(service.url, token)
      for (const [collection, objects] of Object.entries(recorded.lists))
        for (const each of objects) {
          const { body } = await api.get(`/1/${collection}/${String(each['uuid'])}`)
          expect(body, collection).to.deep.include(each)
        }
      const found = await api.get('/1/content?q=xylophone&fields=uuid')
      expect(found.body)
        .to.have.property('items')
        .that.deep.equals([[recorded.made]])
      const moved = await api.get(`/1/resolve?path=${recorded.former}`)
      const renamed = recorded.lists['content']?.find(({ uuid }) => uuid === recorded.renamed)
      expect(moved.body).to.deep.include({ type: 'redirect', location: renamed?.['perma_url_path'] })
      await api.patch(`/1/content/${recorded.made}`, { title: 'After the upgrade' })
      const changed = await api.get(`/1/content/${recorded.made}`)
      expect(changed.body).to.deep.include({ title: 'After the upgrade' })
    })
  })
