/** The command `import`: whole, repeated, as a trial, and killed in between (docs/import.md). */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { createApi, type Api } from '../harness/http-client.js'
import { copyFirstData, startTestService } from '../harness/start-test-service.js'
import { adminProgram, runNode, withDirectory, type ProcessResult } from '../start-up/program.js'
import { objectOf } from '../administration/command-output.js'
import { runInSeries } from '../administration/command-series.js'

const uuid = (number: number): string => `5d0c7a52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`
const [section, tag, slot] = [uuid(1), uuid(2), uuid(3)]

/** A picture of one pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const story = (number: number): readonly object[] => [
  {
    collection: 'files',
    id: uuid(1000 + number),
    attributes: { filename: `${number}.gif`, title: `Picture ${number}` },
    upload: { address: `https://old.example.org/uploads/${number}.gif`, type: null },
  },
  {
    collection: 'content',
    id: uuid(2000 + number),
    attributes: {
      content_type: 'article',
      title: `Story ${number}`,
      urlname: `story-${number}`,
      section_uuid: section,
      content: `<p>Text ${number}</p><slot id="${slot}"/>`,
    },
    slots: [{ id: slot, attributes: {}, media: [{ type: 'file', image_uuid: uuid(1000 + number) }] }],
    tags: [{ tag, predicate: 'describes', attributes: {} }],
    earlier_paths: [`/2020/${number}/`],
    related_links: [{ type: 'content', target_uuid: uuid(2000 + ((number + 1) % stories)) }],
  },
]

const stories = 20

const publication: readonly object[] = [
  { collection: 'sections', id: section, attributes: { title: 'Imported', urlname: 'imported' } },
  { collection: 'tags', id: tag, attributes: { last_name_or_title: 'Imported', urlname: 'imported' } },
  ...Array.from({ length: stories }, (_, number) => story(number)).flat(),
]

type Prepared = { readonly DATA_DIR: string; readonly file: string; readonly args: readonly string[] }

/** Data with the sample, and a file of objects with their pictures. */
const prepared = (test: (files: Prepared) => Promise<void>): Promise<void> =>
  withDirectory(async (folder) => {
    const DATA_DIR = join(folder, 'data')
    await copyFirstData(DATA_DIR)
    const uploads = join(folder, 'uploads')
    await mkdir(uploads)
    for (let number = 0; number < stories; number += 1)
      await writeFile(join(uploads, `${number}.gif`), picture)
    const file = join(folder, 'objects.jsonl')
    await writeFile(file, publication.map((each) => `${JSON.stringify(each)}\n`).join(''))
    await test({ DATA_DIR, file, args: ['import', 'json', file, '--instance', '1', '--uploads', uploads] })
  })

const withApi = async (DATA_DIR: string, test: (api: Api) => Promise<void>): Promise<void> => {
  const service = await startTestService({ STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR })
  try {
    await test(createApi(`${service.url}/1`, await service.tokenFor('admin')))
  } finally {
    await service.stop()
  }
}

const itemsAt = async (api: Api, path: string): Promise<readonly JsonObject[]> => {
  const { body } = await api.get(path)
  const items = isJsonObject(body) ? body['items'] : null
  return Array.isArray(items) ? items.filter(isJsonObject) : []
}

/** All that was imported, as a client reads it, with the number of versions of each story. */
const expectWhole = (DATA_DIR: string): Promise<void> =>
  withApi(DATA_DIR, async (api) => {
    for (let number = 0; number < stories; number += 1) {
      const address = `/content/${uuid(2000 + number)}`
      const { body: read } = await api.get(address)
      expect(read).to.include({ title: `Story ${number}`, path: `/imported/story-${number}/` })
      const parts = ['tags', 'related_links', 'path_history', `slots/${slot}/media`]
      for (const part of parts) {
        expect(await itemsAt(api, `${address}/${part}`), `${address}/${part}`).to.have.lengthOf(1)
      }
      const versions = await itemsAt(api, `${address}/versions`)
      expect(versions.map(({ version }) => version)).to.deep.equal([2, 1])
      const { body: data } = await api.get(`/files/${uuid(1000 + number)}`)
      expect(data).to.include({ byte_size: picture.length })
    }
  })

const countsOf = (ending: ProcessResult): unknown => objectOf({ ...ending, error: '' })

describe('the import of objects', function () {
  this.timeout(600_000)

  it('is tried without a trace, then done, and repeated without a change', () =>
    prepared(async ({ DATA_DIR, file, args }) => {
      const all = { sections: 1, tags: 1, files: stories, content: stories }
      const tried = await runInSeries({ DATA_DIR }, ...args, '--dry-run', '--json')
      expect(countsOf(tried), tried.error).to.deep.include({ created: all, refused: {} })
      await withApi(DATA_DIR, async (api) => {
        expect(await api.get(`/sections/${section}`)).to.have.property('status', 404)
      })
      const report = `${file}.report`
      const done = await runInSeries({ DATA_DIR }, ...args, '--report', report, '--json')
      expect(countsOf(done), done.error).to.deep.include({ created: all, refused: {} })
      expect((await readFile(report, 'utf8')).split('\n')).to.have.lengthOf(publication.length + 1)
      await expectWhole(DATA_DIR)
      const repeated = await runInSeries({ DATA_DIR }, ...args, '--json')
      expect(countsOf(repeated)).to.deep.include({ created: {}, present: all })
      await expectWhole(DATA_DIR)
    }))

  it('names what is wrong, and imports the rest', () =>
    prepared(async ({ DATA_DIR, file, args }) => {
      await writeFile(file, `{\n${publication.map((each) => JSON.stringify(each)).join('\n')}`)
      const ending = await runInSeries({ DATA_DIR }, ...args)
      expect(ending.code).to.equal(1)
      expect(ending.out).to.match(/line 1: /)
      await expectWhole(DATA_DIR)
      for (const [wrong, pattern] of [
        [['import', 'json', `${file}.missing`, '--instance', '1'], /there is no file/],
        [['import', 'json', file, '--instance', '99'], /there is no instance 99/],
        [['import', 'json', file, '--instance', '1', '--uploads', `${file}.missing`], /no folder/],
      ] as const) {
        const failed = await runInSeries({ DATA_DIR }, ...wrong)
        expect(failed.code).to.equal(1)
        expect(failed.error).to.match(pattern)
      }
    }))

  it('reads exports of WordPress and of Ghost, feeds, calendars and tables', () =>
    prepared(async ({ DATA_DIR, file, args }) => {
      const [, , , ...rest] = args
      const sources = {
        wordpress: `<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Old</title><link>https://old.example.org</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://old.example.org</wp:base_site_url><wp:base_blog_url>https://old.example.org</wp:base_blog_url>
<item><title>Café</title><link>https://old.example.org/2020/05/cafe/</link>
<content:encoded><![CDATA[<p>Café <img src="https://old.example.org/uploads/1.gif"></p>]]></content:encoded>
<wp:post_id>7</wp:post_id><wp:post_name>cafe</wp:post_name><wp:post_type>post</wp:post_type>
<wp:status>publish</wp:status><wp:post_date>2020-05-01 10:00:00</wp:post_date></item>
</channel></rss>`,
        ghost: JSON.stringify({
          db: [
            {
              meta: { version: '5.80.0' },
              data: {
                posts: [
                  {
                    id: 'a',
                    title: 'Tea',
                    slug: 'tea',
                    html: '<p>Tea</p>',
                    status: 'published',
                    type: 'post',
                  },
                ],
              },
            },
          ],
        }),
        feed: `<rss version="2.0"><channel><title>Old</title><link>https://old.example.org</link><item>
<title>Milk</title><link>https://old.example.org/milk</link><description>Milk</description></item></channel></rss>`,
        ics: [
          'BEGIN:VCALENDAR',
          'BEGIN:VEVENT',
          'UID:cake',
          'SUMMARY:Cake',
          'DTSTART:20300501T100000Z',
          'RRULE:FREQ=WEEKLY;COUNT=2',
          'END:VEVENT',
          'END:VCALENDAR',
        ].join('\r\n'),
        csv: 'Name,Art,Status\n"Coffee and cake","article","published"\n',
      }
      const mapping = join(DATA_DIR, '..', 'mapping.json')
      const columns = { Name: 'title', Art: 'content_type', Status: 'state' }
      await writeFile(mapping, JSON.stringify({ columns }))
      const options: Readonly<Record<string, readonly string[]>> = {
        ghost: ['--site', 'https://ghost.example.org'],
        csv: ['--collection', 'content', '--mapping', mapping],
      }
      for (const [format, text] of Object.entries(sources)) {
        await writeFile(file, Buffer.from(text, format === 'wordpress' ? 'latin1' : 'utf8'))
        const own = options[format] ?? []
        const ending = await runInSeries({ DATA_DIR }, 'import', format, file, ...rest, ...own, '--json')
        expect(ending.code, ending.error + ending.out).to.equal(0)
        expect(countsOf(ending)).to.have.nested.property('created.content', 1)
        await writeFile(file, text.slice(0, text.length / 2))
        const cut = await runInSeries({ DATA_DIR }, 'import', format, file, ...rest, ...own)
        expect(cut.code).to.equal(1)
        expect(cut.error).to.include(file)
      }
      await withApi(DATA_DIR, async (api) => {
        for (const path of ['/2020/05/cafe/', '/tea/', '/milk/', '/cake/', '/coffee-and-cake/'])
          expect(await api.get(`/resolve?path=${path}`), path).to.have.property('status', 200)
        const { body } = await api.get('/content?fields=title&order=created.desc&rpp=100')
        expect(JSON.stringify(body)).to.include('Café')
      })
    }))

  const kills = Number(process.env['IMPORT_KILLS'] ?? 2)
  it(`goes on after a kill, and makes nothing twice: ${kills} kills`, () =>
    prepared(async ({ DATA_DIR, args }) => {
      for (let killed = 0; killed < kills; killed += 1) {
        const { signal, ended, child } = runNode([adminProgram, ...args], { LOG_LEVEL: 'error', DATA_DIR })
        await Promise.race([ended, setTimeout(1200 + Math.random() * 1200)])
        if (child.exitCode === null) signal('SIGKILL')
        await ended
      }
      const last = await runInSeries({ DATA_DIR }, ...args)
      expect(last.code, last.error).to.equal(0)
      await expectWhole(DATA_DIR)
    }))
})
