/** docs/behaviour/collections.md, on every store. Wrong parameters are tested in ../generated. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resources } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { contentTypePlurals, contentTypes } from '@publishing-service/domain/content'
import { fieldsOf } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import { columnOf, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const linksIn = (header: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...String(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = '', relation = '']) => [
      relation,
      url,
    ]),
  )

const pathOf = (address: unknown): string => {
  const { pathname, search } = new URL(String(address))
  return `${pathname}${search}`.replace(/^\/\d+/, '')
}

/** A link without the start of its page, which is opaque. */
const withoutStart = (link: unknown): string => String(link).replace(/after=[^&]*&/, '')

/** All pages that `next` links from a path. */
const walk = async (api: Api, path: string): Promise<readonly ApiResponse[]> => {
  const pages: ApiResponse[] = []
  for (let next: string | null = path; next !== null;) {
    const page: ApiResponse = expectOk(await api.get(next))
    pages.push(page)
    next = page.object['next'] === undefined ? null : pathOf(page.object['next'])
  }
  return pages
}

for (const { name, environment } of combinations)
  describe(`collections, ${name}`, () => {
    let service: TestService
    let home: Publication
    /** The UUIDs of sections s00 … s24 in the order of their creation. */
    const sections: string[] = []
    const stories = new Map<string, string>()
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      const titles = ['b', 'a', 'c']
      for (let index = 0; index < 25; index += 1) {
        const urlname = `s${String(index).padStart(2, '0')}`
        const parent = index >= 20 ? { parent_uuid: sections[index % 2] ?? null } : {}
        sections.push(
          uuidOf(await home.admin.post('/sections', { title: titles[index % 3] ?? '', urlname, ...parent })),
        )
      }
      for (const [index, type] of contentTypes.entries()) {
        service.clock.advance(1000)
        const body: JsonObject = {
          content_type: type,
          title: type,
          urlname: type,
          ...(type === 'event' ? { dtstart: '2026-01-01' } : {}),
          ...(index % 2 === 0 ? { section_uuid: sections[index] ?? null } : {}),
          ...(index < 6 ? { state: 'published', issued: `2026-0${index + 1}-01T12:00:00` } : {}),
          created: `2025-01-${String(index + 1).padStart(2, '0')}`,
        }
        stories.set(type, uuidOf(await home.editor.post('/content', body)))
      }
      for (const resource of resources) {
        const id = randomUUID()
        const isSeeded = ['sections', 'content', 'files'].includes(resource.collection)
        if (!isSeeded && resource.given === undefined) {
          const [variant = null] = variantsOf(resource)
          const body = requiredBody(resource, variant, id, ({ collection }) =>
            collection === 'content' ? [...stories.values()] : [],
          )
          expectOk(await home.editor.put(`/${segmentsOf(resource)}/${id}`, body))
        }
      }
      await storeFile(home.editor, { title: 'Zebra', filename: 'z.png', data: pngOf(50, 50) })
      await storeFile(home.editor, { title: 'äpfel', filename: 'a.txt', mimetype: 'text/plain' })
      await storeFile(home.editor, {
        title: 'Birne',
        filename: 'b.doc',
        mimetype: 'application/vnd.oasis.opendocument.text-master',
      })
      await storeFile(home.editor, { title: 'Unknown', filename: 'u', mimetype: 'x' })
      expectOk(await home.editor.put(`/files/${randomUUID()}`, { title: 'Empty', filename: 'e' }))
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const names = async (path: string, api: Api = home.reader): Promise<readonly Json[]> =>
      columnOf(await api.get(path))

    // docs/behaviour/collections.md#pages
    it('starts at page 1 with rpp 20 by default; sends next and prev only where such a page exists', async () => {
      const first = expectOk(await home.reader.get('/sections'))
      expect(rowsOf(first)).to.have.lengthOf(20)
      expect(first.object).to.have.all.keys('items', 'next')
      const second = expectOk(await home.reader.get(pathOf(first.object['next'])))
      expect(rowsOf(second)).to.have.lengthOf(5)
      expect(second.object).to.have.all.keys('items', 'prev')
      expect(expectOk(await home.reader.get(pathOf(second.object['prev']))).object['items']).to.deep.equal(
        first.object['items'],
      )
      expect(expectOk(await home.reader.get('/sections?rpp=100')).object).to.have.all.keys('items')
      expect(expectOk(await home.reader.get('/sections?rpp=25')).object).to.have.all.keys('items')
      const beyond = expectOk(await home.reader.get('/sections?page=1000')).object
      expect(beyond).to.have.all.keys('items', 'prev')
      expect(beyond['items']).to.deep.equal([])
    })

    // docs/behaviour/collections.md#rows
    it('returns the values of a row in the order of fields; fields defaults to url', async () => {
      const [first = ''] = sections
      expect(rowsOf(await home.reader.get('/sections?rpp=1'))).to.deep.equal([
        [`${home.url}/sections/${first}`],
      ])
      const row = [first, 's00', 'b', first, `${home.url}/sections/${first}`]
      for (const fields of [
        'uuid-urlname-title-uuid-url',
        'uuid,urlname,title,uuid,url',
        'uuid-urlname,title-uuid,url',
      ])
        expect(rowsOf(await home.reader.get(`/sections?rpp=1&fields=${fields}`))).to.deep.equal([row])
    })

    // docs/behaviour/collections.md#fields
    it('returns all fields of sections, parentid included', async () => {
      const [row] = rowsOf(
        await home.reader.get(
          '/sections?fields=hide_in_nav-ord-parentid-title-url-urlname-uuid&rpp=100&order=urlname.desc',
        ),
      )
      expect(row).to.deep.equal([
        false,
        3,
        sections[0],
        'b',
        `${home.url}/sections/${sections[24] ?? ''}`,
        's24',
        sections[24],
      ])
    })

    // docs/behaviour/collections.md#fields
    it('offers every plain attribute as a field, with the value of the object, and null where its type has none', async () => {
      for (const resource of resources) {
        const fields = [...fieldsOf(resource)]
          // Single objects do not have their tags and earlier paths, nor when they were touched.
          .filter(
            ([field, attribute]) =>
              field === attribute && !['tags', 'path_history', 'touched'].includes(field),
          )
          .map(([field]) => field)
        const rows = rowsOf(
          await home.reader.get(`/${segmentsOf(resource)}?rpp=100&fields=uuid-${fields.join('-')}`),
        )
        expect(rows).not.to.have.lengthOf(0)
        for (const [uuid, ...values] of rows) {
          const { object } = expectOk(await home.reader.get(`/${segmentsOf(resource)}/${String(uuid)}`))
          expect(values).to.deep.equal(fields.map((field) => object[field] ?? null))
        }
      }
    })

    // docs/behaviour/collections.md#order
    it('accepts several order options, separated by hyphens or commas, ascending by default', async () => {
      const all = '/sections?fields=urlname&rpp=100'
      const inOrder = sections.map((_id, index) => `s${String(index).padStart(2, '0')}`)
      expect(await names(`${all}&order=urlname`)).to.deep.equal(inOrder)
      expect(await names(`${all}&order=urlname.asc`)).to.deep.equal(inOrder)
      expect(await names(`${all}&order=urlname.desc`)).to.deep.equal(inOrder.toReversed())
      const titleOf = (urlname: string) => ['b', 'a', 'c'][Number(urlname.slice(1)) % 3] ?? ''
      const byBoth = inOrder.toSorted((a, b) => titleOf(b).localeCompare(titleOf(a)) || b.localeCompare(a))
      for (const order of ['title.desc-urlname.desc', 'title.desc,urlname.desc'])
        expect(await names(`${all}&order=${order}`)).to.deep.equal(byBoth)
    })

    // docs/behaviour/collections.md#ties
    it('returns ties in the direction of the first order key, and rows without an order in the order of creation', async () => {
      const all = '/sections?fields=uuid-title&rpp=100'
      expect(await names(all)).to.deep.equal(sections)
      for (const [direction, created] of [
        ['asc', sections],
        ['desc', sections.toReversed()],
      ] as const) {
        const rows = rowsOf(await home.reader.get(`${all}&order=title.${direction}`))
        for (const title of ['a', 'b', 'c']) {
          const ids = rows.filter(([, each]) => each === title).map(([id]) => id)
          expect(ids).to.deep.equal(created.filter((id) => ids.includes(id)))
        }
      }
    })

    // docs/behaviour/collections.md#ties
    it('neither repeats nor skips rows in any order and page size, by next or by number', async () => {
      for (const order of ['', '&order=title', '&order=title.desc-ord', '&order=urlname.desc'])
        for (const rpp of [1, 7, 24, 25]) {
          const pages = await walk(home.reader, `/sections?fields=uuid&rpp=${rpp}${order}`)
          const all = pages.flatMap(columnOf)
          expect(all).to.have.lengthOf(25)
          expect(new Set(all)).to.deep.equal(new Set<unknown>(sections))
          expect(await names(`/sections?fields=uuid&rpp=100${order}`)).to.deep.equal(all)
          const last = pages.length
          expect(await names(`/sections?fields=uuid&rpp=${rpp}${order}&page=${last}`)).to.deep.equal(
            columnOf(pages.at(-1) as ApiResponse),
          )
        }
    })

    // docs/behaviour/collections.md#links
    it('sends absolute links with sorted parameters, and the same links in a Link header', async () => {
      const { object, headers } = expectOk(
        await home.reader.get(
          '/sections?rpp=2&order=title.desc,ord&page=2&fields=title-url,uuid&x=a:b_c%20d%C3%BC',
        ),
      )
      const query = (page: number) =>
        `fields=title-url,uuid&order=title.desc,ord&page=${page}&rpp=2&x=a:b_c%20d%C3%BC`
      expect(withoutStart(object['next'])).to.equal(`${home.url}/sections?${query(3)}`)
      expect(object['next']).to.match(/\?after=/)
      expect(object['prev']).to.equal(`${home.url}/sections?${query(1)}`)
      expect(linksIn(headers['link'])).to.deep.equal({ next: object['next'], prev: object['prev'] })
      const whole = expectOk(await home.reader.get('/sections?rpp=100'))
      expect(whole.headers).not.to.have.property('link')
    })

    // docs/behaviour/collections.md#unknown-parameters
    it('keeps repeated unknown parameters in links', async () => {
      const { object } = expectOk(await home.reader.get('/sections?rpp=2&x=2&x=1'))
      expect(new URL(withoutStart(object['next'])).search).to.equal('?page=2&rpp=2&x=2&x=1')
    })

    // docs/behaviour/collections.md#repeated-parameters
    it('reports known parameters that are sent more than once', async () => {
      const response = await home.reader.get('/sections?page=1&page=2&rpp=5&rpp=5&order=title')
      expectFaults(response, 'page', 'rpp')
    })

    // docs/behaviour/collections.md#uuid-lists
    it('accepts lists of UUIDs separated by underscores: parent with the word root, sections', async () => {
      const [zero = '', one = '', two = ''] = sections
      expect(await names(`/sections?fields=urlname&parent=${zero}`)).to.deep.equal(['s20', 's22', 's24'])
      expect(await names(`/sections?fields=urlname&parent=${one.toUpperCase()}_${zero}`)).to.deep.equal([
        's20',
        's21',
        's22',
        's23',
        's24',
      ])
      expect(await names('/sections?fields=urlname&parent=root&rpp=100')).to.have.lengthOf(20)
      expect(await names(`/sections?fields=urlname&parent=root_${one}&rpp=100`)).to.have.lengthOf(22)
      expect(await names(`/content?fields=title&sections=${zero}_${two}`)).to.deep.equal([
        'article',
        'recipe',
      ])
      expect(await names(`/content?fields=title&blogs=${randomUUID()}`)).to.deep.equal([])
    })

    // docs/behaviour/collections.md#periods
    // docs/behaviour/collections.md#named-objects
    it('selects objects by their UUIDs, or all but some, in every order and on full pages', async () => {
      const named = [sections[7], sections[3], sections[21]]
      const uuid = `uuid=${named.join('_')}_${randomUUID()}`
      expect(await names(`/sections?${uuid}&fields=urlname`)).to.deep.equal(['s03', 's07', 's21'])
      expect(await names(`/sections?${uuid}&fields=urlname&order=urlname.desc`)).to.deep.equal([
        's21',
        's07',
        's03',
      ])
      expect(await names(`/sections?${uuid}&fields=urlname&parent=root`)).to.deep.equal(['s03', 's07'])
      expect(await names(`/sections?uuid=${randomUUID()}`)).to.deep.equal([])
      const others = `not_uuid=${sections.slice(1, 20).join('_')}&fields=urlname&rpp=2`
      const pages = await walk(home.reader, `/sections?${others}`)
      expect(pages.map((page) => columnOf(page))).to.deep.equal([
        ['s00', 's20'],
        ['s21', 's22'],
        ['s23', 's24'],
      ])
      expect(await names(`/sections?not_uuid=${String(named[0])}&${uuid}&fields=urlname`)).to.deep.equal([
        's03',
        's21',
      ])
      const [story = ''] = stories.values()
      expect(await names(`/content?uuid=${story}&fields=uuid`)).to.deep.equal([story])
      expect(await names(`/content?uuid=${story}&q=nothing&fields=uuid`)).to.deep.equal([])
      for (const resource of resources.filter(({ given }) => given === undefined)) {
        const path = `/${segmentsOf(resource)}`
        const [first, ...rest] = await names(`${path}?fields=uuid&rpp=100`)
        expect(await names(`${path}?fields=uuid&uuid=${String(first)}`), path).to.deep.equal([first])
        expect(await names(`${path}?fields=uuid&rpp=100&not_uuid=${String(first)}`), path).to.deep.equal(rest)
      }
      const many = Array.from({ length: 101 }, () => randomUUID()).join('_')
      expectFaults(await home.reader.get(`/content?uuid=${many}&not_uuid=x`), 'uuid', 'not_uuid')
    })

    it('accepts periods with an empty side; a bare date is its midnight; from is included, to is not', async () => {
      const created = (period: string) => names(`/content?fields=created&created=${period}&rpp=100`)
      const days = (...each: readonly number[]) =>
        each.map((day) => `2025-01-${String(day).padStart(2, '0')}T00:00:00`)
      expect(await created('2025-01-02_2025-01-04')).to.deep.equal(days(2, 3))
      expect(await created('2025-01-02T00:00:01_2025-01-04T00:00:01')).to.deep.equal(days(3, 4))
      expect(await created('_2025-01-03')).to.deep.equal(days(1, 2))
      expect(await created('2025-01-09_')).to.deep.equal(days(9, 10))
      expect(await created('2025-01-04_2025-01-02')).to.deep.equal([])
      expect(await names('/content?fields=title&issued=2026-02-01T12:00_2026-03-01T12:00')).to.deep.equal([
        'event',
      ])
      expect(await names('/content?fields=title&issued=_')).to.have.lengthOf(6)
      const [modified] = await names(`/content?fields=modified&ctypes=articles`)
      expect(await names(`/content?fields=title&modified=${String(modified)}_`)).to.have.lengthOf(10)
      expect(await names(`/content?fields=title&modified=_${String(modified)}`)).to.deep.equal([])
    })

    // docs/behaviour/collections.md#content-types
    // docs/behaviour/collections.md#word-lists
    it('accepts every plural in ctypes, several joined by hyphens', async () => {
      for (const [plural, types] of Object.entries(contentTypePlurals))
        expect(new Set(await names(`/content?fields=content_type&ctypes=${plural}`)), plural).to.deep.equal(
          new Set<unknown>(types),
        )
      expect(await names('/content?fields=content_type&ctypes=articles-reviews_book-roundups')).to.deep.equal(
        ['article', 'review_book', 'roundup_location', 'roundup_content'],
      )
    })

    // docs/behaviour/collections.md#state-filter
    it('filters by state: live is published and issued in the past or never; no filter by default', async () => {
      const titles = (query: string, api = home.reader) => names(`/content?fields=title&${query}`, api)
      // The clock shows the first of March, shortly after 13:00 in Vienna.
      expect(await titles('state=live')).to.deep.equal(['article', 'event', 'recipe'])
      expect(await titles('state=published')).to.have.lengthOf(6)
      expect(await titles('state=draft')).to.have.lengthOf(4)
      expect(await titles('')).to.have.lengthOf(10)
      expect(await titles('', home.visitor)).to.deep.equal(['article', 'event', 'recipe'])
      expect(await titles('state=live', home.visitor)).to.deep.equal(['article', 'event', 'recipe'])
      for (const state of ['published', 'draft'])
        expectFaults(await home.visitor.get(`/content?state=${state}`), 'state')
      const always = uuidOf(
        await home.editor.post('/content', {
          content_type: 'article',
          title: 'always',
          urlname: 'always',
          state: 'published',
        }),
      )
      expectOk(await home.editor.patch(`/content/${always}`, { issued: null }))
      expect(await titles('state=live')).to.include('always')
      expectOk(await home.editor.delete(`/content/${always}`))
    })

    // docs/behaviour/collections.md#state-filter
    it('lists content as live from its issue date on', async () => {
      const body = { content_type: 'article', title: 'tomorrow', urlname: 'tomorrow', state: 'published' }
      const soon = await home.editor.get('/content?fields=modified&ctypes=articles')
      const day = String(columnOf(soon)[0]).slice(0, 10)
      const id = uuidOf(await home.editor.post('/content', { ...body, issued: `${day}T23:00:00` }))
      const isSeen = async (): Promise<boolean> => (await home.visitor.get(`/content/${id}`)).status === 200
      expect(await isSeen()).to.equal(false)
      expect(await names('/content?fields=title', home.visitor)).not.to.include('tomorrow')
      service.clock.advance(11 * 3_600_000)
      expect(await isSeen()).to.equal(true)
      expect(await names('/content?fields=title', home.visitor)).to.include('tomorrow')
      expectOk(await home.editor.delete(`/content/${id}`))
    })

    // docs/behaviour/collections.md#mime-types
    it('filters files by groups, mimetypes and created, and orders them', async () => {
      const titles = (query: string) => names(`/files?fields=title&${query}`)
      expect(await titles('groups=image')).to.deep.equal(['Zebra'])
      expect(await titles('groups=image-application-unknown')).to.deep.equal(['Zebra', 'Birne', 'Unknown'])
      expect(await titles('groups=text,image')).to.deep.equal(['Zebra', 'äpfel'])
      expect(await titles('mimetypes=image/png')).to.deep.equal(['Zebra'])
      expect(
        await titles('mimetypes=IMAGE/PNG-text/plain-application/vnd.oasis.opendocument.text-master'),
      ).to.deep.equal(['Zebra', 'äpfel', 'Birne'])
      expect(await titles('mimetypes=image/jpeg')).to.deep.equal([])
      expect(await titles('created=2026-03-01_')).to.have.lengthOf(5)
      expect(await titles('created=_2026-03-01')).to.have.lengthOf(0)
      expect(await titles('order=title')).to.deep.equal(['äpfel', 'Birne', 'Empty', 'Unknown', 'Zebra'])
      expect(await names('/files?fields=filename&order=filename.desc')).to.deep.equal([
        'z.png',
        'u',
        'e',
        'b.doc',
        'a.txt',
      ])
      for (const option of ['byte_size', 'created', 'modified']) {
        const values = await names(`/files?fields=${option}&order=${option}`)
        const present = values.filter((value) => value !== null)
        expect(present).to.deep.equal(present.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
        expect(await names(`/files?fields=${option}&order=${option}.desc`)).to.deep.equal(values.toReversed())
      }
    })

    // docs/behaviour/collections.md
    // docs/behaviour/collections.md#titles
    it('orders content by title, urlname, created, modified and issued', async () => {
      for (const option of ['title', 'urlname', 'created', 'modified', 'issued']) {
        const values = (await names(`/content?fields=${option}&order=${option}&rpp=100`)).filter(
          (value) => value !== null,
        )
        expect(values).to.deep.equal(values.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
      }
    })

    // docs/behaviour/collections.md#combination
    it('combines filters, order and pages', async () => {
      const pages = await walk(
        home.reader,
        '/content?fields=title&ctypes=reviews-roundups&order=title.desc&created=_2025-01-10&rpp=2&state=draft',
      )
      expect(pages.map(columnOf)).to.deep.equal([['roundup_location', 'review_movie'], ['review_location']])
    })

    // docs/behaviour/collections.md#appended-links
    it('reads links that are appended to the address of the collection, unless handling is strict', async () => {
      const pages = await walk(home.reader, '/sections?fields=uuid-title&rpp=10')
      for (const [index, { body, object }] of pages.slice(1).entries()) {
        const appended = `/sections?${String(pages[index]?.object['next'])}`
        expect(expectOk(await home.reader.get(appended)).body).to.deep.equal(body)
        expect(withoutStart(object['prev'])).to.match(/\/sections\?fields=uuid-title&page=\d&rpp=10$/)
        const strict = await home.reader.get(appended, { Prefer: 'handling=strict' })
        expectFaults(strict, `${home.url}/sections?after`)
      }
    })

    // docs/behaviour/writing.md#post
    // docs/behaviour/collections.md#methods
    it('creates an object under a new UUID by POST on a collection; has no PUT and DELETE', async () => {
      for (const resource of resources)
        for (const method of ['PUT', 'DELETE', 'PATCH'])
          expect((await home.admin.send(method, `/${segmentsOf(resource)}`)).status).to.equal(405)
    })

    // docs/behaviour/instance.md#collections
    it('lists the top-level collections that the caller may read, with the fields url and name', async () => {
      const all = resources.flatMap((resource) => [
        segmentsOf(resource),
        ...(resource.subcollections ?? []).map(({ segments }) => segments),
      ])
      for (const [api, readable] of [
        [home.admin, all],
        [home.visitor, all],
      ] as const) {
        expect(await names('', api)).to.deep.equal(readable.map((each) => `${home.url}/${each}`))
        expect(await names('?fields=name', api)).to.deep.equal(readable)
      }
      const pages = await walk(home.reader, '?fields=name-url&rpp=1')
      expect(pages).to.have.lengthOf(all.length)
    })
  })

// docs/behaviour/collections.md#links
describe('relative links', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({ BARE_LINKS: 'true' })
  })
  after(() => service.stop())

  // docs/behaviour/collections.md#bare-links
  it('sends only the query in next and prev, and absolute URLs in the Link header', async () => {
    const home = await createPublication(service)
    for (const urlname of ['a', 'b', 'c'])
      expectOk(await home.admin.post('/sections', { title: 'x', urlname }))
    const { object, headers } = expectOk(await home.reader.get('/sections?rpp=1&page=2&fields=title-uuid'))
    const next = String(object['next'])
    expect(next).to.match(/^after=[^&]+&fields=title-uuid&page=3&rpp=1$/)
    expect(object['prev']).to.equal('fields=title-uuid&page=1&rpp=1')
    expect(linksIn(headers['link'])).to.deep.equal({
      next: `${home.url}/sections?${next}`,
      prev: `${home.url}/sections?fields=title-uuid&page=1&rpp=1`,
    })
  })
})
