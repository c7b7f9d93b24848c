/** The public path in every list (docs/behaviour/paths.md#lists). */
import { expect } from 'chai'
import { it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('public paths', {}, (place) => {
  it('are attributes of objects, and fields of collections, occurrences, results and objects of a tag', async () => {
    const { admin, visitor } = place.home
    const create = async (collection: string, body: JsonObject): Promise<string> =>
      uuidOf(await admin.post(`/${collection}`, { title: 'Quasar', ...body }))
    const news = await create('sections', { urlname: 'news' })
    const local = await create('sections', { urlname: 'local', parent_uuid: news })
    const live = { state: 'published', section_uuid: local }
    const times = { dtstart: '2026-05-01T10:00:00' }
    const story = await create('content', { content_type: 'article', urlname: 'a', ...live })
    const event = await create('content', { content_type: 'event', urlname: 'b', ...times, ...live })
    const hall = await create('locations', { urlname: 'hall', state: 'published' })
    const jazz = await create('tags', { last_name_or_title: 'Quasar', urlname: 'jazz' })
    const file = await create('files', { filename: 'a.png' })
    const paths: Readonly<Record<string, string>> = {
      [`sections/${local}`]: '/news/local/',
      [`content/${story}`]: '/news/local/a/',
      [`content/${event}`]: '/news/local/b/',
      [`locations/${hall}`]: '/locations/hall/',
      [`tags/${jazz}`]: '/tags/jazz/',
    }
    for (const [object, path] of Object.entries(paths))
      expect(expectOk(await visitor.get(`/${object}`)).object['path'], object).to.equal(path)
    for (const object of [`content/${story}`, `content/${event}`, `locations/${hall}`, `files/${file}`])
      expectOk(await admin.put(`/tags/${jazz}/describes/${object.split('/')[1]}`, {}))
    const listed = async (list: string, client = visitor) =>
      rowsOf(await client.get(`/${list}fields=path&rpp=100`)).flat()
    expect(await listed('sections?')).to.deep.equal(['/news/', '/news/local/'])
    expect(await listed('events?')).to.deep.equal(['/news/local/b/'])
    expect(await listed('events/occurrences?period=2026-05-01_2026-06-01&')).to.deep.equal(['/news/local/b/'])
    expect(await listed('search?q=quasar&')).to.have.members(
      Object.values(paths).filter((path) => path !== '/news/local/'),
    )
    expect(await listed(`tags/${jazz}/describes?`, admin)).to.have.members([
      '/news/local/a/',
      '/news/local/b/',
      '/locations/hall/',
      null,
    ])
  })
})
