/** docs/behaviour/locations.md, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstCategory } from '@publishing-service/domain/tags'
import { columnOf, expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('locations', {}, (place) => {
  const create = async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/locations', { title: urlname, urlname, ...more }))
  const read = async (id: string): Promise<JsonObject> =>
    expectOk(await place.home.editor.get(`/locations/${id}`)).object
  const patch = (id: string, body: JsonObject) => place.home.editor.patch(`/locations/${id}`, body)
  const names = async (query: string, api = place.home.reader) =>
    columnOf(await api.get(`/locations?fields=urlname&${query}`))

  // docs/behaviour/locations.md#required
  it('require title and urlname; return every field with its default, and of the listing fields only the contacts', async () => {
    expectFaults(await place.home.editor.post('/locations', {}), 'title', 'urlname')
    const id = await create('a')
    const { created_by: creator, has_draft: hasDraft, ...object } = await read(id)
    expect(hasDraft).to.equal(false)
    expect(creator).to.be.a('string')
    expect(object).to.deep.equal({
      uuid: id,
      url: `${place.home.url}/locations/${id}`,
      title: 'a',
      urlname: 'a',
      path: '/locations/a/',
      sort_title: null,
      kicker: null,
      description: null,
      content: null,
      print_description: null,
      state: 'published',
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:00:00',
      street: null,
      streetnumber: null,
      pcode: null,
      geoname_id: null,
      coords: null,
      lat: null,
      long: null,
      phone: null,
      fax: null,
      email: null,
      website: null,
      opening_hours: null,
      thumb_uuid: null,
      thumb_url: null,
      closed: false,
      price_index: null,
      reservation_url: null,
      fb_headline: null,
      fb_url: null,
      fb_uid: null,
      fb_show_faces: true,
      fb_show_stream: true,
      twitter_username: null,
      instagram_username: null,
      linkedin_url: null,
      meta_title: null,
      meta_description: null,
      location_types: [],
      contact_person: null,
      contact_email: null,
    })
  })

  it('return url and uuid for PUT, PATCH and POST; DELETE deletes', async () => {
    const id = randomUUID()
    const response = { url: `${place.home.url}/locations/${id}`, uuid: id }
    const path = `/locations/${id}`
    expect(expectOk(await place.home.editor.put(path, { title: 'a', urlname: 'a' })).body).to.deep.equal(
      response,
    )
    expect(expectOk(await patch(id, { closed: true })).body).to.deep.equal(response)
    expect(await read(id)).to.include({ closed: true, title: 'a' })
    expectOk(await place.home.editor.put(path, { title: 'b', urlname: 'a' }))
    expect(await read(id)).to.include({ closed: false, title: 'b' })
    expectOk(await place.home.editor.delete(path))
    expectError(await place.home.editor.get(path), 404, 'not_found')
  })

  it('have a urlname that is unique among locations only', async () => {
    await create('a')
    const { urlname } = expectFaults(
      await place.home.editor.post('/locations', { title: 'x', urlname: 'a' }),
      'urlname',
    )
    expect(urlname).to.equal('urlname must be unique for locations')
    expectOk(await place.home.editor.post('/content', { content_type: 'article', title: 'x', urlname: 'a' }))
  })

  // docs/behaviour/locations.md#coordinates
  it('have coords as latitude and longitude within their bounds, also read as lat and long', async () => {
    const id = await create('a', { coords: [48.2082, 16.3738] })
    expect(await read(id)).to.deep.include({ coords: [48.2082, 16.3738], lat: 48.2082, long: 16.3738 })
    for (const coords of [
      [90, 180],
      [-90, -180],
      [0, 0],
    ]) {
      expectOk(await patch(id, { coords, lat: 7, long: 7 }))
      expect(await read(id)).to.deep.include({ coords, lat: coords[0], long: coords[1] })
    }
    expectFaults(await patch(id, { coords: [90.01, -180.01] }), 'coords.0', 'coords.1')
    expectOk(await patch(id, { coords: null }))
    expect(await read(id)).to.include({ coords: null, lat: null, long: null })
  })

  // docs/behaviour/locations.md#price-index
  it('accept price_index in any letter case, with space or underscore, and return it capitalised', async () => {
    const id = await create('a')
    const levels = {
      free: 'Free',
      INEXPENSIVE: 'Inexpensive',
      Moderate: 'Moderate',
      expensivE: 'Expensive',
      very_expensive: 'Very expensive',
      'VERY EXPENSIVE': 'Very expensive',
      'Very expensive': 'Very expensive',
    }
    for (const [sent, shown] of Object.entries(levels)) {
      expectOk(await patch(id, { price_index: sent }))
      expect((await read(id))['price_index']).to.equal(shown)
    }
    expectFaults(await patch(id, { price_index: 'dear' }), 'price_index')
  })

  it('return opening_hours with unchanged line breaks', async () => {
    const hours = 'Mon\t9–12\nTue\r\n\r\n 13–18 \r'
    const id = await create('a', { opening_hours: hours })
    expect((await read(id))['opening_hours']).to.equal(hours)
  })

  it('have a thumb_uuid that names an image of the library, downloaded by thumb_url', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('a', { thumb_uuid: image.id, thumb_url: 'ignored' })
    expect(await read(id)).to.include({
      thumb_uuid: image.id,
      thumb_url: `${place.home.url}${image.download}`,
    })
    expectFaults(await patch(id, { thumb_uuid: randomUUID() }), 'thumb_uuid')
  })

  // docs/behaviour/body.md#plain-text
  it('accept XML-compliant HTML without slots or plain text as content', async () => {
    const id = await create('a', { content: '<p>ü &amp; <a href="/x">y</a></p>' })
    expect((await read(id))['content']).to.equal('<p>ü &amp; <a href="/x">y</a></p>')
    expectOk(await patch(id, { content: 'Salt & pepper\n> 3 courses' }))
    expect((await read(id))['content']).to.equal('Salt & pepper\n> 3 courses')
    expectFaults(await patch(id, { content: 'Salt & <b>pepper</b>' }), 'content')
    expectFaults(await patch(id, { content: `<slot id="${randomUUID()}"/>` }), 'content')
  })

  // docs/behaviour/locations.md#state
  it('hide drafts from public_user', async () => {
    const draft = await create('draft', { state: 'draft' })
    await create('out')
    expectError(await place.home.visitor.get(`/locations/${draft}`), 404, 'not_found')
    expect(await names('order=urlname', place.home.visitor)).to.deep.equal(['out'])
    expect(await names('order=urlname')).to.deep.equal(['draft', 'out'])
    expect(await names('state=draft')).to.deep.equal(['draft'])
    for (const state of ['live', 'published']) expect(await names(`state=${state}`)).to.deep.equal(['out'])
    expectFaults(await place.home.visitor.get('/locations?state=draft'), 'state')
    expectOk(await patch(draft, { state: 'published' }))
    expect(await names('order=urlname', place.home.visitor)).to.deep.equal(['draft', 'out'])
  })

  it('have created and modified periods, and orders by title, sort_title, urlname, created, modified', async () => {
    for (const [index, [urlname, title, sort_title]] of (
      [
        ['c', 'The Zoo', 'Aquarium'],
        ['a', 'Bar', null],
        ['b', 'cafe', 'Zoo'],
      ] as const
    ).entries())
      await create(urlname, {
        title,
        sort_title,
        created: `2025-0${index + 1}-01`,
        modified: `2025-0${4 - index}-01`,
      })
    expect(await names('order=title')).to.deep.equal(['a', 'b', 'c'])
    expect(await names('order=sort_title')).to.deep.equal(['c', 'a', 'b'])
    expect(await names('order=sort_title.desc')).to.deep.equal(['b', 'a', 'c'])
    expect(await names('order=urlname')).to.deep.equal(['a', 'b', 'c'])
    expect(await names('order=created')).to.deep.equal(['c', 'a', 'b'])
    expect(await names('order=modified')).to.deep.equal(['b', 'a', 'c'])
    expect(await names('created=2025-01-01_2025-02-01')).to.deep.equal(['c'])
    expect(await names('created=2025-02-01_&order=urlname')).to.deep.equal(['a', 'b'])
    expect(await names('modified=_2025-03-01')).to.deep.equal(['b'])
  })

  // docs/behaviour/locations.md#location-types
  it('return the titles of their tags in the category of location types as location_types', async () => {
    const { editor, visitor } = place.home
    const id = await create('a', { location_types: ['ignored'] })
    const tagged = async (title: string, more: JsonObject = {}): Promise<string> => {
      const tag = uuidOf(
        await editor.post('/tags', { last_name_or_title: title, urlname: randomUUID(), ...more }),
      )
      expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
      return tag
    }
    const [bar, cafe, secret] = [
      await tagged('Bar'),
      await tagged('Cafe'),
      await tagged('X', { state: 'internal' }),
    ]
    await tagged('Not a type')
    const typesFor = async (api = editor) =>
      expectOk(await api.get(`/locations/${id}`)).object['location_types']
    expect(await typesFor()).to.deep.equal([])
    const category = `/tags/categories/${firstCategory.id}`
    expectOk(await editor.put(category, { title: 'Location types' }))
    const items = [bar, cafe, secret].map((tag_uuid) => ({ tag_uuid }))
    expectOk(await editor.put(`${category}/tags`, { items }))
    expect(await typesFor()).to.deep.equal(['Bar', 'Cafe', 'X'])
    expect(await typesFor(visitor)).to.deep.equal(['Bar', 'Cafe'])
    expectOk(await editor.patch(`/tags/${bar}`, { last_name_or_title: 'Pub' }))
    expectOk(await editor.delete(`/tags/${cafe}`))
    expect(await typesFor()).to.deep.equal(['Pub', 'X'])
    expectOk(await editor.delete(category))
    expect(await typesFor()).to.deep.equal([])
    expect(expectOk(await editor.get(`/locations/${id}`, fresh)).object['location_types']).to.deep.equal([])
  })

  // docs/behaviour/locations.md#filters
  it('are listed by the UUIDs or the titles of their types, as far as the role sees these', async () => {
    const { editor, visitor } = place.home
    const category = `/tags/categories/${firstCategory.id}`
    const tags: string[] = []
    for (const [title, more] of [
      ['Wine bar', {}],
      ['Café', {}],
      ['Secret', { state: 'internal' }],
      ['Not a type', {}],
    ] as const)
      tags.push(
        uuidOf(await editor.post('/tags', { last_name_or_title: title, urlname: randomUUID(), ...more })),
      )
    const [bar = '', cafe = '', secret = '', other = ''] = tags
    expectOk(await editor.put(category, { title: 'Types' }))
    const items = [bar, cafe, secret].map((uuid) => ({ uuid }))
    expectOk(await editor.put(`${category}/tags`, { items }))
    for (const [urlname, taggedBy] of Object.entries({
      a: [bar],
      b: [cafe, other],
      c: [secret, bar],
      d: [other],
    })) {
      const id = await create(urlname, { title: urlname })
      for (const tag of taggedBy) expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
    }
    const listed = async (types: string, query = '', api = editor) =>
      columnOf(
        await api.get(`/locations?fields=title&location_types=${encodeURIComponent(types)}${query}`, fresh),
      )
    expect(await listed('wine BAR')).to.deep.equal(['a', 'c'])
    expect(await listed(`cafe_${bar.toUpperCase()}`, '&order=title.desc')).to.deep.equal(['c', 'b', 'a'])
    expect(await listed('Wine bar', `&tags=${secret}`)).to.deep.equal(['c'])
    expect(await listed('Secret')).to.deep.equal(['c'])
    for (const each of ['Not a type', other, randomUUID(), 'Wine'])
      expect(await listed(each)).to.deep.equal([])
    for (const each of ['Secret', secret]) expect(await listed(each, '', visitor)).to.deep.equal([])
    expect(await listed(`Secret_Wine bar`, '', visitor)).to.deep.equal(['a', 'c'])
    const path = `/tags/${bar}/describes?fields=title&location_types=Secret`
    expect(columnOf(await editor.get(path, fresh))).to.deep.equal(['c'])
    expectOk(await editor.patch(`/tags/${bar}`, { last_name_or_title: 'Pub' }))
    expect(await listed('Wine bar')).to.deep.equal([])
    expect(await listed('pub')).to.deep.equal(['a', 'c'])
    expectOk(await editor.delete(`/tags/${bar}`))
    expect(await listed('Pub')).to.deep.equal([])
    expectOk(await editor.delete(category))
    expect(await listed('Café')).to.deep.equal([])
    expectFaults(await editor.get('/locations?location_types=_'), 'location_types')
  })

  it('are written by editors and admins only', async () => {
    const id = await create('a')
    for (const api of [place.home.visitor, place.home.reader]) {
      expectError(await api.post('/locations', { title: 'x', urlname: 'x' }), 403, 'forbidden')
      expectError(await api.patch(`/locations/${id}`, { title: 'x' }), 403, 'forbidden')
      expectError(await api.delete(`/locations/${id}`), 403, 'forbidden')
    }
  })
})
