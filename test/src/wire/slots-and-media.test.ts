/** docs/behaviour/slots-and-media.md, on every store. */
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { storeImage, type StoredFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()] as const
const bodyWith = (...ids: readonly string[]): string =>
  `<p>x</p>${ids.map((id) => `<slot id="${id}"/>`).join('<p>y</p>')}`
const embed = (code: string, more: JsonObject = {}): JsonObject => ({
  type: 'embed',
  embed_code: code,
  ...more,
})
const codes = (items: readonly JsonObject[]): readonly Json[] =>
  items.map((item) => item['embed_code'] ?? null)

for (const { name, environment } of combinations)
  describe(`slots and media, ${name}`, () => {
    let service: TestService
    let home: Publication
    let story: string
    let image: StoredFile
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      image = await storeImage(home.editor)
    })
    beforeEach(async () => {
      story = uuidOf(
        await home.editor.post('/content', {
          content_type: 'article',
          title: 'x',
          urlname: randomUUID(),
          content: bodyWith(b, a),
        }),
      )
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const slotOf = (id: string): string => `/content/${story}/slots/${id}`
    const place = async (...ids: readonly string[]): Promise<void> => {
      expectOk(await home.editor.patch(`/content/${story}`, { content: bodyWith(...ids) }))
    }
    const slots = async (): Promise<readonly JsonObject[]> =>
      objectsOf(await home.reader.get(`/content/${story}/slots`))
    const mediaOf = async (path: string): Promise<readonly JsonObject[]> =>
      objectsOf(await home.reader.get(`${path}/media`))
    const url = (id: string): string => `${home.url}${slotOf(id)}`

    // docs/behaviour/slots-and-media.md#placement
    it('lists the slots in body order, with defaults where not configured, and display only where set', async () => {
      expect(
        (await slots()).map(({ uuid, url: address, relevance }) => [uuid, address, relevance]),
      ).to.deep.equal([
        [b, url(b), 'inline'],
        [a, url(a), 'inline'],
      ])
      for (const slot of await slots()) expect(slot).not.to.have.property('display')
      expectOk(await home.editor.put(slotOf(a), { relevance: 'inline', display: 'gallery' }))
      const [first, second] = await slots()
      expect(first).not.to.have.property('display')
      expect(second).to.include({ uuid: a, relevance: 'inline', display: 'gallery' })
      await place(a, b)
      expect((await slots()).map(({ uuid }) => uuid)).to.deep.equal([a, b])
    })

    // docs/behaviour/slots-and-media.md#delete
    it('supports GET, PUT and DELETE on a single slot', async () => {
      const whole = { uuid: a, url: url(a), content_uuid: story, content_url: `${home.url}/content/${story}` }
      expect(expectOk(await home.reader.get(slotOf(a))).body).to.deep.equal({
        ...whole,
        relevance: 'inline',
        display: null,
      })
      const response = expectOk(
        await home.editor.put(slotOf(a), { relevance: 'inline', display: 'carousel' }),
      )
      expect(response.body).to.deep.equal({ content_uuid: story, slot_uuid: a, url: url(a) })
      const read = expectOk(await home.reader.get(slotOf(a)))
      expect(read.body).to.deep.equal({ ...whole, relevance: 'inline', display: 'carousel' })
      expectOk(await home.editor.put(slotOf(a), read.object, { Prefer: 'handling=strict' }))
      expect(expectOk(await home.reader.get(slotOf(a))).body).to.deep.equal(read.body)
      expectOk(await home.editor.put(slotOf(a), { relevance: 'aside' }))
      expect(expectOk(await home.reader.get(slotOf(a))).body).to.deep.equal({
        ...whole,
        relevance: 'aside',
        display: null,
      })
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [embed('x')] }))
      expect(expectOk(await home.editor.delete(slotOf(a))).body).to.deep.equal({ msg: 'deleted' })
      expect(expectOk(await home.reader.get(slotOf(a))).body).to.deep.equal({
        ...whole,
        relevance: 'inline',
        display: null,
      })
      expect(await mediaOf(slotOf(a))).to.deep.equal([])
    })

    it('accepts inline or aside as relevance, with carousel or gallery as display', async () => {
      for (const relevance of ['inline', 'aside'])
        for (const display of ['carousel', 'gallery']) {
          expectOk(await home.editor.put(slotOf(a), { relevance, display }))
          expect(expectOk(await home.reader.get(slotOf(a))).object).to.include({ relevance, display })
        }
      expectFaults(
        await home.editor.put(slotOf(a), { relevance: 'top', display: 'list' }),
        'relevance',
        'display',
      )
      expectOk(await home.editor.put(slotOf(a), {}))
      expectOk(await home.editor.put(slotOf(a), { display: 'gallery' }))
    })

    // docs/behaviour/slots-and-media.md#configuration
    it('has a slot where the body has its tag; PUT elsewhere describes how to place the tag', async () => {
      for (const response of [
        await home.editor.put(slotOf(c), { relevance: 'inline' }),
        await home.editor.put(`${slotOf(c)}/media`, { items: [] }),
        await home.editor.post(`${slotOf(c)}/media`, embed('x')),
      ])
        expect(expectFaults(response, 'slot_uuid')['slot_uuid']).to.match(/add it there first/)
      for (const path of [slotOf(c), `${slotOf(c)}/media`])
        expectError(await home.reader.get(path), 404, 'not_found')
      expectError(await home.editor.delete(slotOf(c)), 404, 'not_found')
    })

    // docs/behaviour/slots-and-media.md#removed-tags
    it('hides a slot whose tag is removed, keeps its media, and shows it again with its tag', async () => {
      expectOk(await home.editor.put(slotOf(a), { display: 'gallery' }))
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [embed('1'), embed('2')] }))
      await place(b)
      expect((await slots()).map(({ uuid }) => uuid)).to.deep.equal([b])
      expectError(await home.reader.get(slotOf(a)), 404, 'not_found')
      expectError(await home.reader.get(`${slotOf(a)}/media`), 404, 'not_found')
      expect(await mediaOf(`/content/${story}`)).to.deep.equal([])
      await place(a)
      expect(await slots()).to.have.lengthOf(1)
      expect((await slots())[0]).to.include({ uuid: a, display: 'gallery' })
      expect(codes(await mediaOf(slotOf(a)))).to.deep.equal(['1', '2'])
    })

    // docs/behaviour/slots-and-media.md#media-lists
    // docs/behaviour/writing.md#lists-of-items
    it('appends media by POST and replaces them by PUT, with their texts', async () => {
      const list = `${slotOf(a)}/media`
      expect(expectOk(await home.editor.post(list, embed('1'))).body).to.deep.equal({ msg: 'media added' })
      expect(expectOk(await home.editor.post(list, embed('2'))).body).to.deep.equal({ msg: 'media added' })
      expect(codes(await mediaOf(slotOf(a)))).to.deep.equal(['1', '2'])
      expect(expectOk(await home.editor.put(list, { items: [embed('3')] })).body).to.deep.equal({
        msg: 'media updated',
      })
      expect(codes(await mediaOf(slotOf(a)))).to.deep.equal(['3'])
      expect(codes(await mediaOf(slotOf(b)))).to.deep.equal([])
      expectOk(await home.editor.put(list, { items: [] }))
      expect(await mediaOf(slotOf(a))).to.deep.equal([])
    })

    it('stores the media of all simultaneous POSTs', async () => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_each, index) =>
          home.editor.post(`${slotOf(a)}/media`, embed(String(index))),
        ),
      )
      responses.forEach(expectOk)
      expect(new Set(codes(await mediaOf(slotOf(a)))).size).to.equal(20)
    })

    it('accepts an unchanged list that was read, strict or not, and changes nothing', async () => {
      const items = [
        embed('1', { title: 't' }),
        { type: 'file', image_uuid: image.id },
        { type: 'external', url_type: 'vimeo', url: 'https://vimeo.com/1' },
      ]
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items }))
      expectOk(await home.editor.put(`${slotOf(b)}/media`, { items: [embed('2')] }))
      expectOk(await home.editor.post(`/content/${story}/media`, embed('3')))
      for (const list of [`${slotOf(a)}/media`, `/content/${story}/media`]) {
        const before_ = expectOk(await home.reader.get(`/content/${story}/media`)).text
        const { object } = expectOk(await home.editor.get(list))
        expectOk(await home.editor.put(list, object))
        expectOk(await home.editor.put(list, object, { Prefer: 'handling=strict' }))
        expect(
          expectOk(await home.reader.get(`/content/${story}/media`, { 'Cache-Control': 'no-cache' })).text,
        ).to.equal(before_)
      }
    })

    // docs/behaviour/slots-and-media.md#capacity
    // docs/behaviour/limits.md#other-limits
    it('stores at most 500 media in a slot', async () => {
      const list = `${slotOf(a)}/media`
      const many = Array.from({ length: 500 }, (_each, index) => embed(String(index)))
      expectOk(await home.editor.put(list, { items: many }))
      expect(await mediaOf(slotOf(a))).to.have.lengthOf(500)
      expectFaults(await home.editor.post(list, embed('x')), 'items')
      expectFaults(await home.editor.put(list, { items: [...many, embed('x')] }), 'items')
      expectOk(await home.editor.put(`${slotOf(b)}/media`, { items: many.slice(0, 10) }))
      const { object } = expectOk(await home.reader.get(`/content/${story}/media`))
      expectOk(await home.editor.put(`/content/${story}/media`, object))
      expect(await mediaOf(slotOf(a))).to.have.lengthOf(500)
    })

    // docs/behaviour/deprecated.md#media-list
    it('marks the media list of content as deprecated: one implicit slot, all slots in sequence', async () => {
      const old = `/content/${story}/media`
      for (const response of [
        await home.reader.get(old),
        await home.editor.post(old, embed('old')),
        await home.editor.put(old, { items: [embed('old')] }),
      ])
        expect(expectOk(response).headers).to.have.property('deprecation')
      expect((await home.reader.get(`${slotOf(a)}/media`)).headers).not.to.have.property('deprecation')
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [embed('in a')] }))
      expectOk(await home.editor.put(`${slotOf(b)}/media`, { items: [embed('in b')] }))
      expect(codes(await mediaOf(`/content/${story}`))).to.deep.equal(['in b', 'in a', 'old'])
      expect(expectOk(await home.editor.put(old, { items: [embed('new')] })).body).to.deep.equal({
        msg: 'media updated',
      })
      expect(codes(await mediaOf(`/content/${story}`))).to.deep.equal(['in b', 'in a', 'new'])
      expect(expectOk(await home.editor.post(old, embed('newer'))).body).to.deep.equal({ msg: 'media added' })
      const plain = uuidOf(
        await home.editor.post('/content', { content_type: 'article', title: 'x', urlname: randomUUID() }),
      )
      expectOk(await home.editor.post(`/content/${plain}/media`, embed('no slot at all')))
      expect(codes(await mediaOf(`/content/${plain}`))).to.deep.equal(['no slot at all'])
    })

    // docs/behaviour/slots-and-media.md#separate-contents
    it('separates slots and media of content objects, even under the same id', async () => {
      const other = uuidOf(
        await home.editor.post('/content', {
          content_type: 'article',
          title: 'x',
          urlname: randomUUID(),
          content: bodyWith(a),
        }),
      )
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [embed('mine')] }))
      expect(await mediaOf(`/content/${other}/slots/${a}`)).to.deep.equal([])
    })

    // docs/behaviour/writing.md#preconditions
    it('evaluates If-Match on slots and media', async () => {
      const list = `${slotOf(a)}/media`
      const [slotTag, listTag] = [
        (await home.editor.get(slotOf(a))).headers.etag,
        (await home.editor.get(list)).headers.etag,
      ]
      expectOk(await home.editor.put(slotOf(a), { display: 'gallery' }, { 'If-Match': slotTag }))
      expectError(
        await home.editor.put(slotOf(a), { display: 'carousel' }, { 'If-Match': slotTag }),
        412,
        'precondition_failed',
      )
      expectError(await home.editor.delete(slotOf(a), { 'If-Match': slotTag }), 412, 'precondition_failed')
      expectOk(await home.editor.post(list, embed('1'), { 'If-Match': listTag }))
      expectError(
        await home.editor.post(list, embed('2'), { 'If-Match': listTag }),
        412,
        'precondition_failed',
      )
      expectError(
        await home.editor.put(list, { items: [] }, { 'If-Match': listTag }),
        412,
        'precondition_failed',
      )
      expect(codes(await mediaOf(slotOf(a)))).to.deep.equal(['1'])
    })
  })
