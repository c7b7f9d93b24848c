/** docs/behaviour/caching.md: validators, and a cache that never shows a writer stale data. */
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse } from '../harness/http-client.js'
import { storeImage, uploadTo } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import {
  combinations,
  moduleProviding,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'

const slotId = randomUUID()

for (const { name, environment } of combinations)
  describe(`caching, ${name}`, () => {
    let service: TestService
    let home: Publication
    let story: string
    let section: string
    before(async () => {
      service = await startTestService(environment)
    })
    beforeEach(async () => {
      home = await createPublication(service, { website_url: 'https://www.example.org' })
      section = uuidOf(await home.admin.post('/sections', { title: 'S', urlname: 's' }))
      story = uuidOf(
        await home.editor.post('/content', {
          content_type: 'article',
          title: 'x',
          urlname: 'x',
          state: 'published',
          section_uuid: section,
          content: `<slot id="${slotId}"/>`,
        }),
      )
    })
    after(() => service.stop())

    // docs/behaviour/caching.md#cache-control
    // docs/behaviour/caching.md#vary, docs/behaviour/errors.md#no-store
    it('sends Cache-Control: 60 s for objects and collections, 300 s for settings, a year for downloads, no-store otherwise', async () => {
      const { id, download } = await storeImage(home.editor)
      const ages: Readonly<Record<string, string>> = {
        '': 'private, max-age=60',
        '/sections': 'private, max-age=60',
        [`/content/${story}`]: 'private, max-age=60',
        [`/content/${story}/info`]: 'private, max-age=60',
        [`/content/${story}/slots`]: 'private, max-age=60',
        [`/content/${story}/slots/${slotId}/media`]: 'private, max-age=60',
        [`/files/${id}`]: 'private, max-age=60',
        '/settings': 'private, max-age=300',
        '/settings/timezone': 'private, max-age=300',
        [download]: 'private, max-age=31536000, immutable',
        [`${download}?w=10`]: 'private, max-age=31536000, immutable',
      }
      for (const [path, age] of Object.entries(ages)) {
        for (let time = 0; time < 2; time += 1) {
          const { headers } = expectOk(await home.reader.get(path))
          expect(headers['cache-control'], path).to.equal(age)
          const isData = path.startsWith(download)
          expect(headers.vary).to.equal(`Accept, Authorization${isData ? '' : ', Accept-Encoding'}`)
          expect(headers.etag).to.match(/^"[^"]+"$/)
          const same = expectStatus(
            await home.reader.get(path, { 'If-None-Match': String(headers.etag) }),
            304,
          )
          expect([same.headers.etag, same.headers['cache-control'], same.headers.vary]).to.deep.equal([
            headers.etag,
            age,
            headers.vary,
          ])
          expectStatus(await home.reader.head(path, { 'If-None-Match': String(headers.etag) }), 304)
        }
      }
      for (const response of [await home.reader.get('/nothing'), await home.reader.post('/content', {})])
        expect(response.headers['cache-control']).to.equal('no-store')
      for (const response of [await home.editor.patch(`/content/${story}`, {})])
        expect(response.headers['cache-control']).to.equal('no-store')
    })

    // docs/behaviour/caching.md#validators
    it('sends equal tags for equal responses, and another tag after any visible change', async () => {
      const tagOf = async (path: string): Promise<unknown> =>
        expectOk(await home.reader.get(path)).headers.etag
      const path = `/content/${story}`
      const first = await tagOf(path)
      expect(await tagOf(path)).to.equal(first)
      expect(expectOk(await home.reader.get(path, { 'Cache-Control': 'no-cache' })).headers.etag).to.equal(
        first,
      )
      expectOk(await home.editor.patch(path, { kicker: 'k' }))
      const second = await tagOf(path)
      expect(second).not.to.equal(first)
      expectOk(await home.admin.patch(`/sections/${section}`, { urlname: 'renamed' }))
      expect(await tagOf(path)).not.to.equal(second)
    })

    /** Each write, with the reads that it has to change at once. */
    const writes: Readonly<Record<string, readonly [() => Promise<ApiResponse>, readonly (() => string)[]]>> =
      {
        'PATCH of an object': [
          () => home.editor.patch(`/content/${story}`, { title: 'y' }),
          [() => `/content/${story}`, () => '/content?fields=title'],
        ],
        'PUT of an object': [
          () =>
            home.editor.put(`/content/${story}`, {
              content_type: 'article',
              title: 'y',
              urlname: 'y',
              state: 'published',
            }),
          [
            () => `/content/${story}`,
            () => `/content/${story}/info`,
            () => `/content/${story}/slots`,
            () => '/content?fields=urlname',
          ],
        ],
        'POST of an object': [
          () =>
            home.editor.post('/content', {
              content_type: 'article',
              title: 'n',
              urlname: 'n',
              state: 'published',
            }),
          [() => '/content', () => '/content?fields=title&order=title', () => '/content?state=live'],
        ],
        'DELETE of an object': [
          () => home.editor.delete(`/content/${story}`),
          [() => `/content/${story}`, () => '/content', () => `/content/${story}/slots/${slotId}`],
        ],
        'PATCH of a section, in objects below it': [
          () => home.admin.patch(`/sections/${section}`, { urlname: 'z' }),
          [
            () => `/content/${story}`,
            () => `/content/${story}/info`,
            () => '/content?fields=perma_url_path',
            () => '/sections?fields=urlname',
          ],
        ],
        'PUT of a slot': [
          () => home.editor.put(`/content/${story}/slots/${slotId}`, { display: 'gallery' }),
          [() => `/content/${story}/slots`, () => `/content/${story}/slots/${slotId}`],
        ],
        'POST of a medium': [
          () =>
            home.editor.post(`/content/${story}/slots/${slotId}/media`, { type: 'embed', embed_code: 'x' }),
          [() => `/content/${story}/slots/${slotId}/media`, () => `/content/${story}/media`],
        ],
        'PATCH of settings': [
          () => home.admin.patch('/settings', { title: 'Other', timezone: 'UTC' }),
          [() => '/settings', () => '/settings/title', () => '/settings/timezone'],
        ],
      }
    for (const [title, [write, reads]] of Object.entries(writes))
      it(`shows a write at once in every later read: ${title}`, async () => {
        const paths = reads.map((path) => path())
        const readers = [home.editor, home.reader, home.visitor]
        const before_ = new Map<string, string>()
        for (const path of paths)
          for (const api of readers)
            for (let time = 0; time < 2; time += 1)
              before_.set(`${api.token ?? ''}${path}`, expectOk(await api.get(path)).text)
        expectOk(await write())
        for (const path of paths)
          for (const api of readers) {
            const now = await api.get(path)
            expect(now.text, path).not.to.equal(before_.get(`${api.token ?? ''}${path}`))
            expect(now.text).to.equal((await api.get(path, { 'Cache-Control': 'no-cache' })).text)
          }
      })

    // docs/behaviour/caching.md#own-writes
    it('shows a new upload and a deleted file at once in everything that refers to them', async () => {
      const { id } = await storeImage(home.editor)
      expectOk(await home.editor.patch(`/content/${story}`, { teaser_image_uuid: id }))
      expectOk(
        await home.editor.put(`/content/${story}/slots/${slotId}/media`, {
          items: [{ type: 'embed', embed_code: 'x', thumb_uuid: id }],
        }),
      )
      const shown = async (): Promise<readonly unknown[]> => {
        const items = expectOk(await home.visitor.get(`/content/${story}/slots/${slotId}/media`)).object[
          'items'
        ] as readonly JsonObject[]
        return [
          expectOk(await home.visitor.get(`/content/${story}`)).object['teaser_image_url'],
          items[0]?.['thumb_url'],
        ]
      }
      const first = await shown()
      expect(await shown()).to.deep.equal(first)
      await uploadTo(home.editor, id, 'image/png', smallPng)
      const second = await shown()
      expect(second).not.to.deep.equal(first)
      expect(new Set(second).size).to.equal(1)
      expectOk(await home.editor.delete(`/files/${id}`))
      expect(await shown()).to.deep.equal([null, `${home.url}/files/default-thumbnail/embed`])
    })

    // docs/behaviour/caching.md#own-writes
    it('never shows a writer something older than its write under simultaneous writes and reads', async () => {
      const path = `/content/${story}`
      const writer = async (attribute: string): Promise<void> => {
        for (let round = 0; round < 25; round += 1) {
          expectOk(await home.editor.patch(path, { [attribute]: `${attribute} ${round}` }))
          for (const api of [home.editor, home.visitor]) {
            expect(expectOk(await api.get(path)).object[attribute]).to.equal(`${attribute} ${round}`)
            expect(expectOk(await api.get(`/content?fields=${attribute}`)).object['items']).to.deep.equal([
              [`${attribute} ${round}`],
            ])
          }
        }
      }
      await Promise.all(['kicker', 'sub_title', 'description', 'meta_title'].map(writer))
    })
  })

describe('the caches of two nodes on one store', () => {
  // docs/behaviour/caching.md#no-cache
  // docs/behaviour/caching.md#other-processes
  it('are bypassed by no-cache, and show writes of the other node within the max-age', async () => {
    const shared = {
      documents: moduleProviding(tokens.documents, memoryDocumentStore(collections)),
      blobs: moduleProviding(tokens.blobs, memoryBlobStore()),
      ...unscaled,
    }
    const [node, other] = [await startTestService({}, shared), await startTestService({}, shared)]
    try {
      const home = await createPublication(node)
      const elsewhere = createApi(`${other.url}/${home.number}`, home.editor.token)
      const path = `/content/${uuidOf(await home.editor.post('/content', { content_type: 'article', title: 'old', urlname: 'x' }))}`
      const titleOn = async (headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
        expectOk(await home.reader.get(path, headers)).object['title']
      expect(await titleOn()).to.equal('old')
      expectOk(await elsewhere.patch(path, { title: 'new' }))
      expect(await titleOn(), 'the cached title').to.equal('old')
      expect(await titleOn({ 'Cache-Control': 'no-cache' })).to.equal('new')
      expectOk(await elsewhere.patch(path, { title: 'newer' }))
      node.clock.advance(60_000)
      expect(await titleOn()).to.equal('newer')
    } finally {
      await Promise.all([node.stop(), other.stop()])
    }
  })
})
