/** The first start on the data of an earlier version (docs/run-in-production.md#update). */
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDocumentStore } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { changes } from '@publishing-service/conformance'
import type { DocumentStore } from '@publishing-service/ports'
import { waitFor } from '../durability/wait-for.js'
import { expectOk, itemsOf } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { successOf } from '../harness/open-stores.js'
import { copyFirstData, moduleProviding, startTestService } from '../harness/start-test-service.js'

describe('data of an earlier version', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'publishing-upgrade-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** The documents in the folder, without words. */
  const withoutWords = (): Promise<DocumentStore> =>
    sqliteDocumentStore({
      file: join(folder, 'documents.sqlite'),
      collections: collections.map(({ searched: _none, ...collection }) => collection),
    })

  const fresh = { 'Cache-Control': 'no-cache' }

  it('without search is found by its words once the service has started', async () => {
    const without = await withoutWords()
    // The first start writes the sample publication.
    const earlier = await startTestService(
      { DATA_DIR: folder },
      { documents: moduleProviding(tokens.documents, without) },
    )
    await earlier.stop()
    await without.close()

    const service = await startTestService({ DATA_DIR: folder })
    try {
      const api = createApi(`${service.url}/1`, await service.tokenFor('reader'))
      const found = await api.get('/search?q=espresso&fields=type,title&types=content', fresh)
      expect(itemsOf(expectOk(found))[0]).to.deep.equal(['content', 'Espresso, Explained'])
    } finally {
      await service.stop()
    }
  })

  /** Changes the documents to those of a version that folded only letters with a decomposition. */
  const foldAsBefore = async (title: string): Promise<void> => {
    const store = await withoutWords()
    const { replace } = changes(store)
    const where = [{ key: 'title_order', equals: 'lodz' }]
    const query = { where, order: [], skip: 0, limit: 10, detail: 'full' } as const
    const [tag, ...others] = (await successOf(store.find('tags', 1, query))).documents
    const instance = await successOf(store.get('instances', 0, '1'))
    if (tag === undefined || others.length > 0 || instance === null) throw new Error('other documents')
    const folded = { ...tag.value, title_order: title.toLowerCase() }
    const unique = String(tag.value['urlname'])
    await successOf(replace('tags', 1, { id: tag.id, version: tag.version, unique, value: folded }))
    const computed = String(instance.value['computed'])
    expect(computed).to.include('.title_order@2')
    const value = { ...instance.value, computed: computed.replaceAll('.title_order@2', '.title_order') }
    const { id, version } = instance
    await successOf(replace('instances', 0, { id, version, unique: null, value }))
    await store.close()
  }

  it('with another folding is found by its new words, and ordered again in the background', async () => {
    await copyFirstData(folder)
    const earlier = await startTestService({ DATA_DIR: folder })
    const editor = createApi(`${earlier.url}/1`, await earlier.tokenFor('editor'))
    for (const title of ['Łódź', 'Mitte', 'Zebra'])
      expectOk(await editor.post('/tags', { last_name_or_title: title, state: 'approved' }))
    await earlier.useCases.completeComputed()
    await earlier.stop()
    await foldAsBefore('Łódź')

    const service = await startTestService({ DATA_DIR: folder })
    try {
      const api = createApi(`${service.url}/1`, await service.tokenFor('reader'))
      const titles = async (parameters: string) =>
        itemsOf(expectOk(await api.get(`/tags?fields=title${parameters}`, fresh)))
          .flat()
          .filter((title) => ['Łódź', 'Mitte', 'Zebra'].includes(String(title)))
      expect(await titles('&q=lodz')).to.deep.equal(['Łódź'])
      await waitFor('the new sort keys', async () => {
        const found = await titles('&order=title&rpp=100')
        return found[0] === 'Łódź' ? found : null
      })
    } finally {
      await service.stop()
    }
  })
})
