/** Imports over HTTP, which the service runs by itself (docs/behaviour/imports.md). */
import { setTimeout } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { makeFilledFolder } from '../durability/data-folder.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { expectOk, objectsOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'

const uuid = (number: number): string => `5d0c7a52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`

const stories = 150

const lines = (count: number): string =>
  Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      collection: 'content',
      id: uuid(number),
      attributes: {
        content_type: 'article',
        title: `Story ${number}`,
        urlname: `story-${number}`,
        ...(number % 10 === 0 ? { issued: 'yesterday' } : {}),
      },
      related_links: [{ type: 'content', target_uuid: uuid((number + 1) % count) }],
    }),
  ).join('\n')

const wordpress = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Old</title><link>https://old.example.org</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://old.example.org</wp:base_site_url><wp:base_blog_url>https://old.example.org</wp:base_blog_url>
<item><title>Café</title><link>https://old.example.org/2020/05/cafe/</link>
<content:encoded><![CDATA[<p>Café [unknown]tea[/unknown]</p>]]></content:encoded>
<wp:post_id>7</wp:post_id><wp:post_name>cafe</wp:post_name><wp:post_type>post</wp:post_type>
<wp:status>publish</wp:status><wp:post_date>2020-05-01 10:00:00</wp:post_date></item>
</channel></rss>`

const upload = async (api: Api, filename: string, data: string): Promise<string> => {
  const mimetype = 'application/octet-stream'
  return (await storeFile(api, { filename, mimetype, data: Buffer.from(data) })).id
}

const importOf = async (api: Api, body: JsonObject): Promise<string> =>
  `/imports/${uuidOf(await api.post('/imports', body))}`

const read = async (api: Api, path: string): Promise<JsonObject> => expectOk(await api.get(path)).object

/** Waits until an import has ended, and returns it. */
const ended = async (api: Api, path: string): Promise<JsonObject> => {
  for (;;) {
    const found = await read(api, path)
    if (found['ended'] !== null) return found
    await setTimeout(50)
  }
}

const countsOf = ({ counts }: JsonObject): JsonObject => (isJsonObject(counts) ? counts : {})

describe('imports over HTTP', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('are tried, run in the service, and report what is different', async () => {
    const folder = await makeFilledFolder()
    const service = await startServiceProcess(folder.path)
    const api = await adminApi(service)
    const file_uuid = await upload(api, 'website.xml', wordpress)
    const tried = await ended(api, await importOf(api, { kind: 'wordpress', file_uuid, dry_run: true }))
    expect(tried).to.include({ state: 'finished', problem: null, dry_run: true })
    expect(countsOf(tried)).to.include({ created: 1, refused: 0 })
    expect(await api.get('/resolve?path=/2020/05/cafe/')).to.have.property('status', 404)

    const path = await importOf(api, { kind: 'wordpress', file_uuid })
    expect(countsOf(await ended(api, path))).to.include({ created: 1, refused: 0 })
    expect(await api.get('/resolve?path=/2020/05/cafe/')).to.have.property('status', 200)
    const [line] = rowsOf(await api.get(`${path}/report?fields=source,outcome,notes`))
    expect(line?.slice(0, 2)).to.deep.equal(['post 7', 'created'])
    expect(JSON.stringify(line)).to.include('unknown')

    const table = await upload(api, 'places.csv', 'Name;Lat;Long;Stars\nTea House;48,2;16,3;5\n')
    const mapping = { columns: { Name: 'title', Lat: 'lat', Long: 'long' } }
    const options = { collection: 'locations', mapping }
    const places = await ended(api, await importOf(api, { kind: 'csv', file_uuid: table, options }))
    expect(countsOf(places)).to.include({ created: 1, not_taken_over: 1 })
    expectOk(await api.get('/resolve?path=/locations/tea-house/'))

    const wrong = await ended(api, await importOf(api, { kind: 'feed', file_uuid }))
    expect(wrong).to.have.property('state', 'finished')
    const cut = await upload(api, 'cut.xml', wordpress.slice(0, 400))
    const failed = await ended(api, await importOf(api, { kind: 'wordpress', file_uuid: cut }))
    expect(failed).to.include({ state: 'failed', total: null })
    expect(failed['problem']).to.match(/line \d+/)

    expectOk(await api.delete(path))
    expect(await api.get(path)).to.have.property('status', 404)
    expect(service.defects()).to.deep.equal([])
    await service.stop()
    await folder.remove()
  })

  const kills = Number(process.env['IMPORT_KILLS'] ?? 2)
  it(`goes on after a kill, and makes nothing twice: ${kills} kills`, async () => {
    const folder = await makeFilledFolder()
    let service = await startServiceProcess(folder.path)
    let api = await adminApi(service)
    const file_uuid = await upload(api, 'objects.jsonl', lines(stories))
    const path = await importOf(api, { kind: 'json', file_uuid })
    for (let killed = 0; killed < kills; killed += 1) {
      await setTimeout(100 + Math.random() * 900)
      await service.kill()
      service = await startServiceProcess(folder.path)
      api = await adminApi(service)
    }
    const found = await ended(api, path)
    expect(found).to.include({ state: 'finished', done: stories, total: stories })
    const { created, present, refused } = countsOf(found)
    expect(Number(created) + Number(present)).to.equal(stories)
    expect(refused).to.equal(0)
    for (let number = 0; number < stories; number += 1) {
      const address = `/content/${uuid(number)}`
      expect(await read(api, address)).to.include({ title: `Story ${number}` })
      expect(objectsOf(await api.get(`${address}/related_links`))).to.have.lengthOf(1)
      const versions = objectsOf(await api.get(`${address}/versions`))
      expect(versions.map(({ version }) => version)).to.deep.equal([2, 1])
    }
    expect(service.defects()).to.deep.equal([])
    await service.stop()
    await folder.remove()
  })
})
