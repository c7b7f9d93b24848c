/** A dry run of an import finds what the import does, on what the instance has (docs/behaviour/imports.md). */
import { setTimeout } from 'node:timers/promises'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { columnOf, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { fresh } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { storeFile } from '../harness/stored-files.js'

const item = (id: number, title: string, name: string, body: string): string => `<item><title>${title}</title>
<link>https://old.example.org/2020/05/${name}/</link><content:encoded><![CDATA[${body}]]></content:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_name>${name}</wp:post_name><wp:post_type>post</wp:post_type>
<wp:status>publish</wp:status><wp:post_date>2020-05-01 10:00:00</wp:post_date></item>`

const event = (uid: string, summary: string): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SUMMARY:${summary}`,
    'DTSTART:20300501T100000Z',
    'CATEGORIES:Tea',
    'END:VEVENT',
  ].join('\r\n')

type Kind = { readonly data: string; readonly options: JsonObject; readonly collection: string }

/** Each with an object of which something is different from the source, or refused. */
const kinds: Readonly<Record<string, Kind>> = {
  wordpress: {
    data: `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Old</title><link>https://old.example.org</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://old.example.org</wp:base_site_url><wp:base_blog_url>https://old.example.org</wp:base_blog_url>
${item(7, 'Café', 'cafe', '<p>[unknown]tea[/unknown] <a href="https://old.example.org/2020/05/cake/">Cake</a></p>')}
${item(8, 'Cake', 'cake', '<p><img src="https://old.example.org/uploads/1.gif"></p>')}
</channel></rss>`,
    options: {},
    collection: 'content',
  },
  ghost: {
    data: JSON.stringify({
      db: [
        {
          meta: { version: '5.80.0' },
          data: {
            posts: [
              { id: 'a', title: 'Tea', slug: 'tea', html: '<p>Tea</p>', status: 'published', type: 'post' },
              { id: 'b', title: 'Milk', slug: 'milk', html: '<p>Milk</p>', status: 'draft', type: 'post' },
            ],
            tags: [{ id: 't', name: 'Drinks', slug: 'drinks' }],
            posts_tags: [{ id: 'x', post_id: 'a', tag_id: 't' }],
          },
        },
      ],
    }),
    options: { site: 'https://ghost.example.org' },
    collection: 'content',
  },
  ics: {
    data: ['BEGIN:VCALENDAR', event('cake', 'Cake'), event('tea', 'Tea'), 'END:VCALENDAR'].join('\r\n'),
    options: {},
    collection: 'content',
  },
  csv: {
    data: 'Name,Lat,Long,Open\nTea House,48.2,16.3,\nMilk Bar,400,16.4,always\n',
    options: {
      collection: 'locations',
      mapping: { columns: { Name: 'title', Lat: 'lat', Long: 'long' } },
    },
    collection: 'locations',
  },
}

const attributes = ['content_type', 'title', 'urlname', 'dtstart', 'state'] as const

/** Objects with the names of these. */
const withNamesOf = async (api: Api, collection: string): Promise<readonly JsonObject[]> => {
  const fields = collection === 'content' ? attributes : ['title', 'urlname']
  const rows = rowsOf(await api.get(`/${collection}?fields=${fields.join(',')}&rpp=100`, fresh))
  return rows.map((row) =>
    Object.fromEntries(
      fields.flatMap((name, index) => {
        const value = row[index] ?? null
        return value === null ? [] : [[name, value]]
      }),
    ),
  )
}

describe('a dry run of an import', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  /** Imports a file, and returns what became of it without times. */
  const importing = async (api: Api, body: JsonObject): Promise<JsonObject> => {
    const path = `/imports/${uuidOf(await api.post('/imports', body))}`
    for (;;) {
      const { ended, state, problem, done, total, counts } = expectOk(await api.get(path, fresh)).object
      if (ended === null) {
        await setTimeout(20)
        continue
      }
      const fields = 'number,source,title,line,collection,object,outcome,faults,notes'
      const report: readonly Json[] = rowsOf(await api.get(`${path}/report?fields=${fields}&rpp=100`, fresh))
      expect([state, problem]).to.deep.equal(['finished', null])
      return { done: done ?? null, total: total ?? null, counts: counts ?? null, report }
    }
  }

  for (const [kind, { data, options, collection }] of Object.entries(kinds))
    it(`of the kind ${kind} has the report of the import`, async () => {
      const began = async () => {
        const { admin } = await createPublication(service)
        const { id } = await storeFile(admin, { filename: 'data', data: Buffer.from(data) })
        const objects = async (): Promise<readonly Json[]> =>
          columnOf(await admin.get(`/${collection}?fields=uuid&rpp=100`, fresh))
        /** The outcome of the import, which a dry run had too. */
        const outcome = async (more: JsonObject = {}): Promise<JsonObject> => {
          const existing = await objects()
          const body = { kind, file_uuid: id, options, ...more }
          const tried = await importing(admin, { ...body, dry_run: true })
          expect(await objects()).to.deep.equal(existing)
          const made = await importing(admin, body)
          expect(tried).to.deep.equal(made)
          return made
        }
        return { admin, outcome }
      }
      const empty = await began()
      const first = await empty.outcome()
      expect(first).to.have.nested.property('counts.created').that.is.above(0)
      const second = await empty.outcome()
      expect(second).to.have.nested.property('counts.created', 0)
      expect(second).to.have.nested.property('counts.present').that.is.above(0)
      expect(await empty.outcome({ replace: true }))
        .to.have.nested.property('counts.replaced')
        .that.is.above(0)

      const filled = await began()
      const taken = await withNamesOf(empty.admin, collection)
      for (const body of taken) expectOk(await filled.admin.post(`/${collection}`, body))
      const beside = await filled.outcome()
      expect(beside['counts']).to.deep.equal(first['counts'])
      // Names that are taken are in the report.
      expect(beside['report']).not.to.deep.equal(first['report'])
      expect(await withNamesOf(filled.admin, collection)).to.have.lengthOf(2 * taken.length)
      expect(service.errorsLogged()).to.deep.equal([])
    })
})
