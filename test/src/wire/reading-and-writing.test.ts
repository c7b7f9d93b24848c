/** What reading returns and writing accepts, on every store; each test cites its rule. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { thumbnailKinds } from '@publishing-service/domain/files'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  expectStatus,
  objectsOf,
  rowsOf,
  uuidOf,
} from '../harness/expect-response.js'
import { pathBelow, storeAudio, storeFile, storeImage } from '../harness/stored-files.js'
import { idOf, objectWriter } from '../harness/object-writer.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { pngOf, pngSize, someText } from '../harness/small-files.js'

const strict = { Prefer: 'handling=strict' } as const
const hour = 3_600_000
const minute = 60_000

onEveryStore('reading', { directory_addon: true }, (place) => {
  const { create, content, tag, read } = objectWriter(place)

  // docs/behaviour/collections.md#fields
  it('lists locations with coords and location_types for deployed clients', async () => {
    const { editor, visitor } = place.home
    const path = await create('/locations', { title: 'Bar', urlname: 'bar', coords: [48.2, 16.4] })
    const bar = await tag({ last_name_or_title: 'Bar' })
    expectOk(await editor.put(`${bar}/describes/${idOf(path)}`, {}))
    const [category] = columnOf(await editor.get('/tags/categories?fields=uuid'))
    expectOk(await editor.post(`/tags/categories/${String(category)}/tags`, { tag_uuid: idOf(bar) }))
    const { url } = await read(path)
    expect(rowsOf(await visitor.get('/locations?fields=uuid-title-url-urlname-coords'))).to.deep.equal([
      [idOf(path), 'Bar', url, 'bar', [48.2, 16.4]],
    ])
    expect(rowsOf(await visitor.get('/locations?fields=url-location_types'))).to.deep.equal([[url, ['Bar']]])
    expectFaults(await visitor.get('/locations?fields=taggings'), 'fields')
  })

  // docs/behaviour/collections.md#fields
  it('returns title, uuid, url, urlname, created and modified of tag categories', async () => {
    const path = await create('/tags/categories', { title: 'Colours', urlname: null })
    const object = await read(path)
    expect(object).to.include({
      urlname: null,
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:00:00',
    })
    const fields = ['title', 'uuid', 'url', 'urlname', 'created', 'modified']
    const rows = rowsOf(
      await place.home.visitor.get(`/tags/categories?fields=${fields.join('-')}&order=title`),
    )
    expect(rows[0]).to.deep.equal(fields.map((name) => object[name]))
    place.service.clock.advance(hour)
    expectOk(await place.home.editor.patch(path, { title: 'Hues' }))
    expect(await read(path)).to.include({ created: '2026-03-01T13:00:00', modified: '2026-03-01T14:00:00' })
  })

  // docs/behaviour/deprecated.md#null-attributes
  it('returns slideshow_uuid as null, offers it as a field and ignores it on writes', async () => {
    const path = await content('article', { slideshow_uuid: randomUUID() })
    expect(await read(path)).to.include({ slideshow_uuid: null })
    expectOk(await place.home.editor.patch(path, { slideshow_uuid: 'x' }))
    expect(rowsOf(await place.home.reader.get('/content?fields=slideshow_uuid'))).to.deep.equal([[null]])
  })

  // docs/behaviour/deprecated.md#feature-attributes
  it('returns the teaser and header image as feature_*, with the metadata of the file', async () => {
    const [teaser, header] = [await storeImage(place.home.editor), await storeImage(place.home.editor)]
    expectOk(await place.home.editor.patch(`/files/${header.id}`, { title: 'A fox', description: 'At dawn' }))
    const path = await content('article', { teaser_image_uuid: teaser.id, header_image_uuid: header.id })
    const object = await read(path)
    expect(object).to.include({
      feature_thumb_url: object['teaser_image_url'],
      feature_image_url: object['header_image_url'],
      feature_image_caption: 'At dawn',
      feature_image_alttext: 'A fox',
    })
    expect(pathBelow(object['feature_image_url'])).to.equal(header.download)
    expectOk(await place.home.editor.patch(path, { header_image_uuid: null, teaser_image_uuid: null }))
    expect(await read(path)).to.include({
      feature_thumb_url: null,
      feature_image_url: null,
      feature_image_caption: null,
      feature_image_alttext: null,
    })
  })

  // docs/behaviour/locations.md#outside-the-window
  it('shows a listing outside its window as a listing to every role, and nothing else of it to the public', async () => {
    const { editor, visitor } = place.home
    const { id: image } = await storeImage(editor)
    const listing = {
      is_listing: true,
      sponsored: true,
      contact_person: 'Ada',
      listing_start: '2026-03-01T14:00:00',
      listing_expires: '2026-03-01T15:00:00',
      coupon_img_uuid: image,
      coupon_title: 'Half',
    }
    const path = await create('/locations', { title: 'A', ...listing })
    const plain = await create('/locations', { title: 'B' })
    const hidden = {
      is_listing: true,
      listing_active: false,
      sponsored: null,
      contact_person: null,
      listing_start: null,
      listing_expires: null,
      coupon_img_uuid: null,
      coupon_img_url: null,
      coupon_title: null,
    }
    const typed = async (api: typeof visitor, type: string): Promise<readonly Json[]> =>
      columnOf(await api.get(`/locations?type=${type}&fields=uuid&order=title`))
    const outside = async (): Promise<void> => {
      expect(expectOk(await visitor.get(path)).object).to.include(hidden)
      expect(await read(path)).to.include({ ...listing, listing_active: false })
      expect(await typed(visitor, 'listing')).to.deep.equal([])
      expect(await typed(visitor, 'sponsored')).to.deep.equal([])
      expect(await typed(visitor, 'location')).to.deep.equal([path, plain].map(idOf))
      expect(await typed(editor, 'listing')).to.deep.equal([idOf(path)])
      expect(await typed(editor, 'location')).to.deep.equal([idOf(plain)])
    }
    await outside()
    place.service.clock.advance(hour)
    expect(expectOk(await visitor.get(path)).object).to.include({
      ...listing,
      contact_person: null,
      listing_active: true,
    })
    expect(await typed(visitor, 'sponsored')).to.deep.equal([idOf(path)])
    place.service.clock.advance(hour)
    await outside()
  })

  // docs/behaviour/slots-and-media.md#thumbnails
  it('has a thumbnail that can be downloaded for every medium', async () => {
    const { editor, reader } = place.home
    const large = await storeFile(editor, { data: pngOf(600, 300) })
    const svg = await storeFile(editor, {
      mimetype: 'image/svg+xml',
      data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    const tiff = await storeFile(editor, {
      mimetype: 'image/tiff',
      data: Buffer.from('II*\u0000 no picture'),
    })
    const audio = await storeAudio(editor)
    const urls = [{ url: 'https://a.example/b' }]
    const cases: readonly (readonly [JsonObject, string, string])[] = [
      [{ type: 'file', image_uuid: large.id }, `${large.download}?w=240&h=240`, 'image/png'],
      [{ type: 'file', image_uuid: svg.id }, svg.download, 'image/svg+xml'],
      [{ type: 'file', image_uuid: tiff.id }, tiff.download, 'image/tiff'],
      [{ type: 'file', file_uuid: audio.id }, '/files/default-thumbnail/audio', 'image/png'],
      [{ type: 'file', file_uuid: audio.id, thumb_uuid: large.id }, large.download, 'image/png'],
      [{ type: 'embed', embed_code: '<b/>' }, '/files/default-thumbnail/embed', 'image/png'],
      [
        { type: 'external', url_type: 'youtube', url: 'https://youtu.be/x' },
        '/files/default-thumbnail/video',
        'image/png',
      ],
      [{ type: 'external', url_type: 'audio', urls }, '/files/default-thumbnail/audio', 'image/png'],
    ]
    const slot = randomUUID()
    const path = await content('article', { content: `<slot id="${slot}"/>` })
    const list = `${path}/slots/${slot}/media`
    expectOk(await editor.put(list, { items: cases.map(([item]) => item) }))
    const items = objectsOf(await reader.get(list))
    for (const [index, [, url, mimetype]] of cases.entries()) {
      const { thumb_url, thumb_mimetype } = items[index] ?? {}
      const address = new URL(String(thumb_url))
      expect(pathBelow(thumb_url) + address.search).to.equal(url)
      expect(thumb_mimetype).to.equal(mimetype)
      const response = expectOk(await reader.send('GET', url, { headers: { Accept: '*/*' } }))
      expect(response.headers['content-type']).to.equal(mimetype)
      if (url.includes('?w=')) expect(pngSize(response.bytes)).to.deep.equal({ width: 240, height: 120 })
    }
  })

  // docs/behaviour/files.md#default-thumbnails
  it('serves small PNG images as default thumbnails, one for each kind, cacheable', async () => {
    const { visitor, anonymous } = place.home
    const seen = new Set<string>()
    for (const kind of thumbnailKinds) {
      const response = expectOk(await visitor.get(`/files/default-thumbnail/${kind}`))
      expect(pngSize(response.bytes)).to.deep.equal({ width: 240, height: 240 })
      expect(response.bytes).to.have.length.below(5000)
      expect(response.headers['cache-control']).to.contain('immutable')
      const etag = String(response.headers['etag'])
      expectStatus(await visitor.get(`/files/default-thumbnail/${kind}`, { 'If-None-Match': etag }), 304)
      seen.add(etag)
    }
    expect(seen.size).to.equal(thumbnailKinds.length)
    expectError(await visitor.get('/files/default-thumbnail/x'), 404, 'not_found')
    expectError(await anonymous.get('/files/default-thumbnail/audio'), 401, 'unauthorized')
    expectOk(await place.home.admin.patch('/settings', { public_downloads: true }))
    expectOk(await anonymous.get('/files/default-thumbnail/audio'))
  })

  // docs/behaviour/slots-and-media.md#medium-types
  it('returns URL, type and size of the audio of a file medium', async () => {
    const audio = await storeAudio(place.home.editor)
    const slot = randomUUID()
    const path = await content('article', { content: `<slot id="${slot}"/>` })
    const list = `${path}/slots/${slot}/media`
    expectOk(await place.home.editor.post(list, { type: 'file', file_uuid: audio.id }))
    const [medium = {}] = objectsOf(await place.home.reader.get(list))
    expect(medium).to.include({ file_mimetype: 'audio/mpeg', file_byte_size: 20 })
    expect(pathBelow(medium['file_url'])).to.equal(audio.download)
  })

  // docs/behaviour/instance.md#first-objects
  // docs/behaviour/tags.md#location-types
  it('has one category of the kind location_types in every new instance, and accepts no second', async () => {
    const { editor } = place.home
    const rows = rowsOf(await editor.get('/tags/categories?fields=uuid-kind'))
    expect(rows.map(([, kind]) => kind)).to.deep.equal(['location_types'])
    const [[first = null] = []] = rows
    const path = await create('/tags/categories', { title: 'Colours', urlname: null })
    expect(await read(path)).to.include({ kind: null })
    expectFaults(await editor.patch(path, { kind: 'location_types' }), 'kind')
    expectFaults(await editor.patch(path, { kind: 'colours' }), 'kind')
    // A PUT without the attribute keeps the kind; an explicit null removes it.
    expectOk(await editor.put(`/tags/categories/${String(first)}`, { title: 'Types of places' }))
    expect(await read(`/tags/categories/${String(first)}`)).to.include({ kind: 'location_types' })
    expectOk(await editor.patch(`/tags/categories/${String(first)}`, { kind: null }))
    expectOk(await editor.patch(path, { kind: 'location_types' }))
    const location = await create('/locations', {})
    const red = await tag({ last_name_or_title: 'Red' })
    expectOk(await editor.put(`${red}/describes/${idOf(location)}`, {}))
    expect(await read(location)).to.deep.include({ location_types: [] })
    expectOk(await editor.put(`${path}/tags`, { items: [{ tag_uuid: idOf(red) }] }))
    expect(await read(location)).to.deep.include({ location_types: ['Red'] })
    expect(rowsOf(await editor.get('/locations?fields=location_types'))).to.deep.equal([[['Red']]])
  })
})

onEveryStore('content on the day when the clocks are put back', {}, (place) => {
  // docs/behaviour/time.md#repeated-hour
  it('stays live during the repeated hour', async () => {
    const issued = Date.parse('2026-10-25T00:30:00Z')
    place.service.clock.set(issued - hour)
    const { editor, visitor } = await createPublication(place.service)
    const body = { content_type: 'article', title: 'x', urlname: 'x', state: 'published' }
    const path = `/content/${uuidOf(await editor.post('/content', { ...body, issued: '2026-10-25T02:30:00' }))}`
    place.service.clock.set(issued - 1000)
    expectError(await visitor.get(path), 404, 'not_found')
    for (const minutes of [0, 29, 30, 45, 59, 60, 61]) {
      place.service.clock.set(issued + minutes * minute)
      expectOk(await visitor.get(path))
    }
  })
})

onEveryStore('contacts', {}, (place) => {
  const { create, read } = objectWriter(place)

  // docs/behaviour/locations.md#contacts
  it('contact_person and contact_email are readable on every instance, and null for the public', async () => {
    const { editor, visitor } = place.home
    const path = await create('/locations', {})
    for (const api of [editor, visitor])
      expect(expectOk(await api.get(path)).object).to.include({ contact_person: null, contact_email: null })
    expectFaults(await editor.patch(path, { contact_person: 'Ada' }), 'contact_person')
  })

  // docs/behaviour/locations.md#contacts
  it('attributes stored with the add-on are readable without it, and can be sent back', async () => {
    const { admin, editor, visitor } = place.home
    const contact = { contact_person: 'Ada', contact_email: 'ada@example.org' }
    expectOk(await admin.patch('/settings', { directory_addon: true }))
    const path = await create('/locations', { is_listing: true, ...contact })
    expectOk(await admin.patch('/settings', { directory_addon: false }))
    const before = await read(path)
    expect(before).to.include(contact).and.not.to.have.any.keys('is_listing', 'coupon_title')
    place.service.clock.advance(hour)
    expectOk(await editor.put(path, before))
    expect(await read(path)).to.deep.equal(before)
    expect(expectOk(await visitor.get(path)).object).to.include({ contact_person: null, contact_email: null })
  })
})

onEveryStore('writing', { directory_addon: true }, (place) => {
  const { create, content, tag, read } = objectWriter(place)

  // docs/behaviour/content.md#types
  it('accepts content_type review as a location review', async () => {
    const location = await create('/locations', {})
    const path = await content('review', { location_uuid: idOf(location), rating: '4' })
    expect(await read(path)).to.include({ content_type: 'review_location', location_uuid: idOf(location) })
    expectOk(await place.home.editor.patch(path, { content_type: 'review', rating: '5' }, strict))
    expect(await read(path)).to.include({ content_type: 'review_location', rating: '5' })
  })

  // docs/behaviour/collections.md#mime-types
  it('finds image/jpeg by image/jpg, and sends the charset of a text with its download', async () => {
    const { editor, reader } = place.home
    const picture = await storeFile(editor, { mimetype: 'image/jpg' })
    expect(columnOf(await reader.get('/files?mimetypes=image/jpg&fields=uuid'))).to.deep.equal([picture.id])
    const text = await storeFile(editor, { mimetype: 'Text/Plain; charset="ISO-8859-1"', data: someText })
    expect(await read(`/files/${text.id}`)).to.include({ mimetype: 'text/plain' })
    expect(columnOf(await reader.get('/files?mimetypes=text/plain&fields=uuid'))).to.deep.equal([text.id])
    const { headers } = expectOk(await reader.get(text.download))
    expect(headers['content-type']).to.equal('text/plain; charset=iso-8859-1')
    const plain = await storeFile(editor, { mimetype: 'text/plain', data: someText })
    expect(expectOk(await reader.get(plain.download)).headers['content-type']).to.equal('text/plain')
  })

  // docs/behaviour/writing.md#urlname-from-title
  it('makes different urlnames for simultaneous creations', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => place.home.editor.post('/tags', { last_name_or_title: 'Moon' })),
    )
    for (const each of made) expectOk(each)
    const names = columnOf(await place.home.reader.get('/tags?fields=urlname&rpp=100'))
    const expected = ['moon', ...Array.from({ length: 29 }, (_, index) => `moon-${index + 1}`)]
    expect(names).to.have.members(expected)
  })

  // docs/behaviour/tags.md#members
  it('accepts the members of a category as they are read, and by uuid', async () => {
    const { editor, reader } = place.home
    const path = await create('/tags/categories', { title: 'Colours', urlname: null })
    const tags = [await tag({ last_name_or_title: 'Red' }), await tag({ last_name_or_title: 'Blue' })].map(
      idOf,
    )
    const members = async () => columnOf(await reader.get(`${path}/tags?fields=uuid`))
    const put = async (items: Json) => editor.put(`${path}/tags`, { items })
    for (const items of [
      tags.map((uuid) => ({ uuid })),
      tags.map((tag_uuid) => ({ tag_uuid })),
      tags.map((tag_uuid) => ({ tag_uuid, uuid: 'x' })),
    ]) {
      expectOk(await put([]))
      expectOk(await put(items))
      expect(await members()).to.deep.equal(tags)
    }
    for (const fields of ['url', 'uuid', 'title-uuid', 'last_name_or_title-url-created']) {
      const rows = expectOk(await reader.get(`${path}/tags?fields=${fields}`)).object
      expectOk(await put([]))
      expectOk(await editor.put(`${path}/tags`, rows))
      expect(await members(), fields).to.deep.equal(tags)
    }
    expectFaults(
      await put([['Red'], { uuid: 'x' }, {}, 'x']),
      'items.0',
      'items.1.tag_uuid',
      'items.2.tag_uuid',
      'items.3',
    )
  })
})
