/** docs/behaviour/writing.md, on every store. Wrong values and unmet conditions are tested in ../generated. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, itemsOf, uuidOf } from '../harness/expect-response.js'
import { storeAudio, storeFile, storeImage } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const strict = { Prefer: 'handling=strict' } as const
const fresh = { 'Cache-Control': 'no-cache' } as const

for (const { name, environment } of combinations)
  describe(`writing objects, ${name}`, () => {
    let service: TestService
    let home: Publication
    let other: Publication
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      other = await createPublication(service)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const article = (more: JsonObject = {}): JsonObject => ({
      content_type: 'article',
      title: 'Title',
      urlname: randomUUID(),
      ...more,
    })
    const create = async (more: JsonObject = {}): Promise<string> =>
      uuidOf(await home.editor.post('/content', article(more)))
    const read = async (id: string): Promise<JsonObject> =>
      expectOk(await home.editor.get(`/content/${id}`, fresh)).object

    // docs/behaviour/writing.md#ignored, docs/behaviour/writing.md#strict-handling, docs/behaviour/writing.md#body-uuid
    // docs/behaviour/wire.md#strict-handling
    it('ignores unknown and read-only attributes and the uuid of the path; reports unknown ones in strict mode', async () => {
      const id = await create()
      const before_ = await read(id)
      const ignored = {
        nobody_knows: 1,
        url: 'x',
        perma_url_path: '/x/',
        feature_image_url: 'x',
        uuid: id.toUpperCase(),
      }
      expectOk(await home.editor.patch(`/content/${id}`, ignored))
      expect(await read(id)).to.deep.equal(before_)
      expectFaults(await home.editor.patch(`/content/${id}`, ignored, strict), 'nobody_knows')
      expectFaults(await home.editor.patch(`/content/${id}`, { rating: '1' }, strict), 'rating')
      expectOk(await home.editor.put(`/content/${id}`, before_, strict))
      for (const Prefer of [
        'handling=strict',
        'Handling="strict"',
        'respond-async, handling=strict',
        'wait=1; x, handling = strict',
      ])
        expectFaults(
          await home.editor.patch(`/content/${id}`, { nobody_knows: 1 }, { Prefer }),
          'nobody_knows',
        )
      expectOk(await home.editor.patch(`/content/${id}`, { nobody_knows: 1 }, { Prefer: 'handling=lenient' }))
    })

    // docs/behaviour/writing.md#null
    it('treats null as not supplied in a PUT and as a reset in a PATCH; rejects null for required attributes in a PATCH', async () => {
      const id = await create({ kicker: 'K', sub_title: 'S', evergreen: true })
      expectOk(await home.editor.patch(`/content/${id}`, { kicker: null, evergreen: null }))
      expect(await read(id)).to.include({ kicker: null, sub_title: 'S', evergreen: false })
      expectFaults(
        await home.editor.patch(`/content/${id}`, { title: null, urlname: null }),
        'title',
        'urlname',
      )
      expectFaults(await home.editor.put(`/content/${id}`, { ...article(), title: null }), 'title')
      const { created, ...rest } = await read(id)
      expectOk(await home.editor.put(`/content/${id}`, { ...rest, created: null, sub_title: null }))
      expect(await read(id)).to.include({ created, sub_title: null })
    })

    // docs/behaviour/writing.md#put
    it('resets attributes that a PUT does not send, keeps created and sets modified', async () => {
      const id = await create({ kicker: 'K', evergreen: true, state: 'published', issued: '2020-01-01' })
      const first = await read(id)
      service.clock.advance(5000)
      expectOk(await home.editor.put(`/content/${id}`, article()))
      const second = await read(id)
      expect(second).to.include({
        kicker: null,
        evergreen: false,
        state: 'draft',
        issued: null,
        created: first['created'],
      })
      expect(String(second['modified']) > String(first['modified'])).to.equal(true)
      expectOk(
        await home.editor.patch(`/content/${id}`, { created: '2001-02-03', modified: '2002-03-04T05:06' }),
      )
      expect(await read(id)).to.include({ created: '2001-02-03T00:00:00', modified: '2002-03-04T05:06:00' })
    })

    // docs/behaviour/writing.md#patch
    it('changes only what a PATCH sends, and nothing for an empty PATCH', async () => {
      const id = await create({ kicker: 'K' })
      const first = await read(id)
      service.clock.advance(5000)
      for (const body of [{}, { kicker: 'K' }, { title: first['title'] ?? null, state: 'draft' }])
        expectOk(await home.editor.patch(`/content/${id}`, body))
      expect(await read(id)).to.deep.equal(first)
      expectOk(await home.editor.patch(`/content/${id}`, { kicker: 'L' }))
      const { kicker, modified, ...rest } = await read(id)
      const { kicker: _before, modified: earlier, ...unchanged } = first
      expect(kicker).to.equal('L')
      expect(modified).not.to.equal(earlier)
      expect(rest).to.deep.equal(unchanged)
    })

    // docs/behaviour/writing.md#put
    it('creates an object by PUT if it does not exist', async () => {
      const id = randomUUID()
      expect(uuidOf(await home.editor.put(`/content/${id}`, article()))).to.equal(id)
      expect(await read(id)).to.include({ uuid: id, url: `${home.url}/content/${id}` })
      expectError(await home.editor.patch(`/content/${randomUUID()}`, {}), 404, 'not_found')
    })

    // docs/behaviour/writing.md#all-faults
    // docs/behaviour/errors.md#bad-parameters
    it('reports all faults of a request with their paths: types, references, urlname, nested items', async () => {
      const taken = await create({ urlname: 'taken' })
      expect(taken).to.be.a('string')
      const response = await home.editor.post('/content', {
        content_type: 'review_book',
        title: '',
        urlname: 'taken',
        content: '<p>x</p>\n<main/>',
        state: 'gone',
        issued: '2026-02-30',
        teaser_image_uuid: 'x',
        book_image_uuid: randomUUID(),
        book_buy_urls: [{ url: 'https://example.org', link_text: 'x' }, { link_text: true }, 'x'],
        rating: '7',
      })
      const plain = 'title urlname content state issued teaser_image_uuid book_image_uuid rating'.split(' ')
      const nested = ['book_buy_urls.1.url', 'book_buy_urls.1.link_text', 'book_buy_urls.2']
      expectFaults(response, ...plain, ...nested)
      // The uniqueness of a urlname cannot be checked in a section that does not exist.
      const orphan = article({ urlname: 'taken', section_uuid: randomUUID(), kicker: true })
      expectFaults(await home.editor.post('/content', orphan), 'section_uuid', 'kicker')
    })

    // docs/behaviour/writing.md#all-faults
    it('reports the first two hundred of many faults, and the number of the others', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`unknown_${index}`, 1]))
      const response = await home.editor.post('/content', article({ urlname: 'many', ...unknown }), strict)
      const { object } = expectError(response, 400, 'bad_parameters')
      expect(Object.keys(Object(object['error_info']))).to.have.lengthOf(200)
      expect(object['error_description']).to.match(/^450 parameters .* the first 200; 250 more/)
    })

    // docs/behaviour/writing.md#whole
    it('changes nothing where a write has a fault', async () => {
      const id = await create({ kicker: 'K' })
      const before_ = await read(id)
      expectFaults(await home.editor.patch(`/content/${id}`, { kicker: 'L', title: true }), 'title')
      expectFaults(await home.editor.put(`/content/${id}`, article({ evergreen: 'yes' })), 'evergreen')
      expect(await read(id)).to.deep.equal(before_)
    })

    // docs/behaviour/writing.md#concurrent-writes
    it('applies all of several simultaneous PATCHes of different attributes', async () => {
      const id = await create()
      const names = [
        'kicker',
        'sub_title',
        'description',
        'meta_title',
        'meta_description',
        'print_description',
      ]
      for (let round = 0; round < 5; round += 1) {
        const responses = await Promise.all(
          names.map((each) => home.editor.patch(`/content/${id}`, { [each]: `${each} ${round}` })),
        )
        responses.forEach(expectOk)
        expect(await read(id)).to.include(Object.fromEntries(names.map((each) => [each, `${each} ${round}`])))
      }
    })

    // docs/behaviour/writing.md#preconditions
    it('sends a strong ETag for every single object, and evaluates If-Match and If-None-Match: *', async () => {
      const id = await create()
      const path = `/content/${id}`
      const tag = String((await home.editor.get(path, fresh)).headers.etag)
      expect(tag).to.match(/^"[^"]+"$/)
      expectOk(await home.editor.patch(path, { kicker: 'a' }, { 'If-Match': tag }))
      expectError(
        await home.editor.patch(path, { kicker: 'b' }, { 'If-Match': tag }),
        412,
        'precondition_failed',
      )
      expectError(await home.editor.put(path, article(), { 'If-Match': tag }), 412, 'precondition_failed')
      expectError(await home.editor.delete(path, { 'If-Match': tag }), 412, 'precondition_failed')
      expect(await read(id)).to.include({ kicker: 'a' })
      const now = String((await home.editor.get(path, fresh)).headers.etag)
      expectError(
        await home.editor.patch(path, { kicker: 'b' }, { 'If-Match': 'W/"another"' }),
        412,
        'precondition_failed',
      )
      expectOk(await home.editor.put(path, article(), { 'If-Match': `"x", ${now}` }))
      expectError(
        await home.editor.put(path, article(), { 'If-None-Match': '*' }),
        412,
        'precondition_failed',
      )
      const free = `/content/${randomUUID()}`
      expectError(await home.editor.put(free, article(), { 'If-Match': '*' }), 412, 'precondition_failed')
      expectOk(await home.editor.put(free, article(), { 'If-None-Match': '*' }))
      expectOk(await home.editor.delete(free, { 'If-Match': '*' }))
      expectError(await home.editor.get(free), 404, 'not_found')
    })

    // docs/behaviour/writing.md#preconditions
    it('lets one of many simultaneous creations with If-None-Match: * succeed', async () => {
      const path = `/content/${randomUUID()}`
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => home.editor.put(path, article(), { 'If-None-Match': '*' })),
      )
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
        200,
        ...Array.from({ length: 7 }, () => 412),
      ])
    })

    // docs/behaviour/writing.md#references
    it('requires that a reference names an existing object of the right kind in the same instance', async () => {
      const [image, audio, text, foreign] = [
        await storeImage(home.editor),
        await storeAudio(home.editor),
        await storeFile(home.editor, { mimetype: 'text/plain' }),
        await storeImage(other.editor),
      ]
      const empty = randomUUID()
      expectOk(await home.editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))
      for (const id of [audio.id, text.id, empty, foreign.id, randomUUID()])
        expectFaults(
          await home.editor.post('/content', article({ teaser_image_uuid: id, header_image_uuid: image.id })),
          'teaser_image_uuid',
        )
      expectOk(await home.editor.post('/content', article({ teaser_image_uuid: image.id })))
    })

    // docs/behaviour/writing.md#deleted-targets
    it('permits the deletion of referenced objects; references then read as null or are left out of their list', async () => {
      const image = (await storeImage(home.editor)).id
      const target = await create()
      const id = uuidOf(
        await home.editor.post('/content', {
          content_type: 'roundup_content',
          title: 'x',
          urlname: randomUUID(),
          teaser_image_uuid: image,
          roundup_content_targets: [
            { target_uuid: target, title: 'gone' },
            { target_uuid: await create(), title: 'stays' },
          ],
        }),
      )
      expectOk(await home.editor.delete(`/files/${image}`))
      expectOk(await home.editor.delete(`/content/${target}`))
      const left = await read(id)
      expect(left).to.include({ teaser_image_uuid: null, teaser_image_url: null })
      expect(left['roundup_content_targets']).to.have.lengthOf(1)
      expectOk(await home.editor.put(`/content/${id}`, left))
      const section = uuidOf(
        await home.admin.post('/sections', { title: 'x', urlname: randomUUID(), content_uuid: id }),
      )
      expectOk(await home.editor.delete(`/content/${id}`))
      expect(expectOk(await home.editor.get(`/sections/${section}`)).object).to.include({
        content_uuid: null,
        lead_story_url: null,
      })
    })

    // docs/behaviour/writing.md#in-use
    // docs/behaviour/sections.md#delete
    it('returns 409 for the deletion of a section that has subsections or content', async () => {
      const parent = uuidOf(await home.admin.post('/sections', { title: 'p', urlname: randomUUID() }))
      const child = uuidOf(
        await home.admin.post('/sections', { title: 'c', urlname: 'c', parent_uuid: parent }),
      )
      const story = await create({ section_uuid: child })
      expectError(await home.admin.delete(`/sections/${parent}`), 409, 'in_use')
      expectError(await home.admin.delete(`/sections/${child}`), 409, 'in_use')
      expectOk(await home.editor.delete(`/content/${story}`))
      expectOk(await home.admin.delete(`/sections/${child}`))
      expectOk(await home.admin.delete(`/sections/${parent}`))
    })

    // docs/behaviour/writing.md#uuids
    it('accepts UUIDs of any version and letter case, and returns them in lower case', async () => {
      for (const id of [
        '00000000-0000-1000-8000-00000000000A',
        'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
        randomUUID().toUpperCase(),
      ]) {
        expect(uuidOf(await home.editor.put(`/content/${id}`, article()))).to.equal(id.toLowerCase())
        expect(await read(id)).to.include({ uuid: id.toLowerCase() })
        const section = randomUUID()
        expectOk(
          await home.admin.put(`/sections/${section}`, { title: 'x', urlname: section, content_uuid: id }),
        )
        expect(expectOk(await home.reader.get(`/sections/${section}`)).object['content_uuid']).to.equal(
          id.toLowerCase(),
        )
      }
    })

    // docs/behaviour/writing.md#isolation
    it('isolates instances: no read, change, reference or conflict across them', async () => {
      const id = await create({ urlname: 'same-name' })
      const before_ = await read(id)
      for (const response of [
        await other.admin.get(`/content/${id}`),
        await other.admin.patch(`/content/${id}`, {}),
        await other.admin.delete(`/content/${id}`),
        await other.admin.get(`/content/${id}/slots`),
      ])
        expectError(response, 404, 'not_found')
      expectFaults(
        await other.admin.post('/content', {
          content_type: 'roundup_content',
          title: 'x',
          urlname: 'x',
          roundup_content_targets: [{ target_uuid: id }],
        }),
        'roundup_content_targets.0.target_uuid',
      )
      expectOk(
        await other.admin.put(`/content/${id}`, {
          content_type: 'article',
          title: 'theirs',
          urlname: 'same-name',
        }),
      )
      expect(await read(id)).to.deep.equal(before_)
      expect(
        JSON.stringify(itemsOf(await other.admin.get('/content?fields=title-uuid&rpp=100'))),
      ).not.to.include('"Title"')
    })

    const times: Readonly<Record<string, string>> = {
      '2026-07-01': '2026-07-01T00:00:00',
      '2026-07-01T10:20': '2026-07-01T10:20:00',
      '2026-07-01 10:20:30': '2026-07-01T10:20:30',
      '2026-07-01T10:20:30.5': '2026-07-01T10:20:30.5',
      '2026-07-01T10:20:30.000': '2026-07-01T10:20:30',
      '2026-07-01T10:20:30Z': '2026-07-01T12:20:30',
      '2026-01-01T10:20:30Z': '2026-01-01T11:20:30',
      '2026-07-01T10:20:30+02:00': '2026-07-01T10:20:30',
      '2026-12-31T23:30:00-05:00': '2027-01-01T05:30:00',
    }
    // docs/behaviour/time.md#input
    // docs/behaviour/time.md#nonexistent-times
    it('accepts every form of date-time, and returns naive ones with seconds in the zone of the instance', async () => {
      const id = await create()
      for (const [sent, stored] of Object.entries(times)) {
        expectOk(await home.editor.patch(`/content/${id}`, { issued: sent }))
        expect((await read(id))['issued'], sent).to.equal(stored)
      }
      for (const nowhere of [
        '2026-02-30T10:00:00',
        '2026-03-29T02:30:00',
        '2026-13-01',
        '2026-01-01T24:00:00',
      ])
        expectFaults(await home.editor.patch(`/content/${id}`, { issued: nowhere }), 'issued')
    })

    // docs/behaviour/writing.md#unchanged-values
    // docs/behaviour/time.md#zone
    it('does not validate unchanged values again: they stay writable after a change of the zone', async () => {
      const home2 = await createPublication(service, { timezone: 'UTC' })
      const id = uuidOf(await home2.editor.post('/content', article({ issued: '2026-03-29T02:30:00' })))
      expectOk(await home2.admin.patch('/settings', { timezone: 'Europe/Vienna' }))
      const { object } = expectOk(await home2.editor.get(`/content/${id}`, fresh))
      expect(object['issued']).to.equal('2026-03-29T02:30:00')
      expectOk(await home2.editor.put(`/content/${id}`, object))
      expectOk(await home2.editor.patch(`/content/${id}`, { issued: '2026-03-29T02:30:00', kicker: 'x' }))
      expectFaults(await home2.editor.patch(`/content/${id}`, { issued: '2026-03-29T02:31:00' }), 'issued')
    })
  })
