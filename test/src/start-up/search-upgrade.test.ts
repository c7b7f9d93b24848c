/** The first start on the data of an earlier version (docs/behaviour/search.md#complete). */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteDocumentStore } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { waitFor } from '../durability/wait-for.js'
import { expectOk, itemsOf } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import {
  copyFirstData,
  moduleProviding,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'

/** Changes the data of a service to those of a version that folded only letters with a decomposition. */
const foldAsBefore = (file: string, title: string): void => {
  const database = new Database(file)
  const before = title.toLowerCase()
  database.exec(`INSERT INTO "search.tags.tokens" ("search.tags.tokens") VALUES ('delete-all')`)
  database.exec(`UPDATE searches SET declaration = json_remove(declaration, '$[1]')`)
  const former = database.prepare(
    `UPDATE documents_tags SET light = json_set(light, '$.title_order', ?), key_title_order = ? WHERE light ->> 'title_order' = ?`,
  )
  expect(former.run(before, before, 'lodz').changes).to.equal(1)
  const instance = database.prepare(
    `UPDATE documents_instances SET light = replace(light, '.title_order@2', '.title_order') WHERE light LIKE '%.title_order@2%'`,
  )
  expect(instance.run().changes).to.equal(1)
  database.close()
}

describe('data of an earlier version', () => {
  const folders: string[] = []
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('without search is indexed in the background, and searches say that they are incomplete until then', async () => {
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

  it('with another folding is indexed and ordered again in the background', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-upgrade-'))
    folders.push(DATA_DIR)
    await copyFirstData(DATA_DIR)
    const earlier = await startTestService({ DATA_DIR })
    const editor = createApi(`${earlier.url}/1`, await earlier.tokenFor('editor'))
    for (const title of ['Łódź', 'Mitte', 'Zebra'])
      expectOk(await editor.post('/tags', { last_name_or_title: title, state: 'approved' }))
    await waitFor('computed attributes', async () => {
      const database = new Database(join(DATA_DIR, 'documents.sqlite'), { readonly: true })
      try {
        return (
          database.prepare(`SELECT 1 FROM documents_instances WHERE light LIKE '%title_order@2%'`).get() ??
          null
        )
      } finally {
        database.close()
      }
    })
    await earlier.stop()
    foldAsBefore(join(DATA_DIR, 'documents.sqlite'), 'Łódź')

    const service = await startTestService({ DATA_DIR })
    try {
      const api = createApi(`${service.url}/1`, await service.tokenFor('reader'))
      const titles = async (parameters: string) =>
        itemsOf(expectOk(await api.get(`/tags?fields=title${parameters}`, { 'Cache-Control': 'no-cache' })))
          .flat()
          .filter((title) => ['Łódź', 'Mitte', 'Zebra'].includes(String(title)))
      await waitFor('the new sort keys', async () => {
        const found = await titles('&order=title&rpp=100')
        return found[0] === 'Łódź' ? found : null
      })
      await waitFor('the new words', async () => ((await titles('&q=lodz')).length > 0 ? true : null))
    } finally {
      await service.stop()
    }
  })
})
