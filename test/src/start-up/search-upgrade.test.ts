/** The first start on the data of a version without search (docs/behaviour/search.md#complete). */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDocumentStore } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { waitFor } from '../durability/wait-for.js'
import { expectOk, itemsOf } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { moduleProviding, startTestService, type TestService } from '../harness/start-test-service.js'

describe('data of a version without search', () => {
  const folders: string[] = []
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('is indexed in the background, and searches say that they are incomplete until then', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-upgrade-'))
    folders.push(DATA_DIR)
    const file = join(DATA_DIR, 'documents.sqlite')
    const without = await sqliteDocumentStore({
      file,
      collections: collections.map(({ searched: _none, ...collection }) => collection),
    })
    // The first start writes the sample publication.
    const earlier = await startTestService(
      { DATA_DIR },
      { documents: moduleProviding(tokens.documents, without) },
    )
    await earlier.stop()
    await without.close()

    const service: TestService = await startTestService({ DATA_DIR })
    try {
      const api = createApi(`${service.url}/1`, await service.tokenFor('reader'))
      const search = () =>
        api.get('/search?q=espresso&fields=type,title&types=content', { 'Cache-Control': 'no-cache' })
      const complete = await waitFor('a complete index', async () => {
        const response = expectOk(await search())
        if (!('complete' in response.object)) return response
        expect(response.object['complete']).to.equal(false)
        return null
      })
      expect(itemsOf(complete)[0]).to.deep.equal(['content', 'Espresso, Explained'])
    } finally {
      await service.stop()
    }
  })
})
