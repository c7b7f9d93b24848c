/** Additions and removals of the releases 2.14 to 2.9, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json } from '@publishing-service/domain'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  uuidOf,
} from '../harness/expect-response.js'
import { storeAudio, storeImage } from '../harness/stored-files.js'
import { idOf, objectWriter } from '../harness/object-writer.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('releases 2.14 to 2.9', { website_url: 'https://www.example.org' }, (place) => {
  const { create, content, tag, read, expectStored } = objectWriter(place)

  it('2.14: tags have last_name_or_title, first_name and type', async () => {
    await expectStored(await tag({ type: 'person' }), { first_name: 'Ann' })
    const path = await tag({ type: 'person', first_name: 'Ann', last_name_or_title: 'Lee' })
    expect(await read(path)).to.include({
      type: 'person',
      first_name: 'Ann',
      last_name_or_title: 'Lee',
      title: 'Ann Lee',
    })
    expect(await read(await tag())).to.include({ type: 'default', first_name: null })
  })

  it('2.14: custom tag categories have endpoints under /tags/categories', async () => {
    const { editor, reader } = place.home
    const category = `/tags/categories/${uuidOf(await editor.post('/tags/categories', { title: 'x' }))}`
    expectOk(await editor.put(category, { title: 'y' }))
    expectOk(await editor.patch(category, { title: 'z' }))
    expect(await read(category)).to.include({ title: 'z' })
    const path = await tag()
    expectOk(await editor.put(`${category}/tags`, { items: [{ tag_uuid: idOf(path) }] }))
    expect(columnOf(await reader.get(`${category}/tags?fields=uuid`))).to.deep.equal([idOf(path)])
    expect(columnOf(await reader.get('/tags/categories'))).to.include(`${place.home.url}${category}`)
  })

  it('2.14: event categories are tags, which an event accepts', async () => {
    const [event, path] = [await content('event'), await tag()]
    expectOk(await place.home.editor.put(`${path}/describes/${idOf(event)}`, {}))
    expect(objectsOf(await place.home.reader.get(`${event}/tags/describes`))).to.have.lengthOf(1)
  })

  it('2.13: content and locations have print_description; events and locations have sort_title', async () => {
    await expectStored(await content('article'), { print_description: 'x' })
    await expectStored(await create('/locations', {}), { print_description: 'x', sort_title: 'y' })
    await expectStored(await content('event'), { print_description: 'x', sort_title: 'y' })
    expect(await read(await content('article'))).not.to.have.property('sort_title')
  })

  it('2.12: a content object has several slots, with endpoints for slots and slot media', async () => {
    const { editor, reader } = place.home
    const slots = [randomUUID(), randomUUID()]
    const path = await content('article', { content: slots.map((id) => `<slot id="${id}"/>`).join('') })
    for (const id of slots) {
      expectOk(await editor.put(`${path}/slots/${id}`, { relevance: 'inline', display: 'gallery' }))
      expectOk(await editor.post(`${path}/slots/${id}/media`, { type: 'embed', embed_code: id }))
      expectOk(await editor.put(`${path}/slots/${id}/media`, { items: [{ type: 'embed', embed_code: id }] }))
      expect(objectsOf(await reader.get(`${path}/slots/${id}/media`))).to.have.lengthOf(1)
    }
    expect(objectsOf(await reader.get(`${path}/slots`)).map(({ uuid }) => uuid)).to.deep.equal(slots)
  })

  it('2.12: events have email; file media can link an audio file', async () => {
    await expectStored(await content('event'), { email: 'organizer@example.org' })
    const audio = (await storeAudio(place.home.editor)).id
    const path = `${await content('article')}/media`
    expectOk(await place.home.editor.post(path, { type: 'file', file_uuid: audio }))
    expect(objectsOf(await place.home.reader.get(path))[0]).to.include({ file_uuid: audio, image_uuid: null })
  })

  it('2.12: the single media list of content is deprecated for GET, POST and PUT', async () => {
    const path = `${await content('article')}/media`
    const { editor } = place.home
    for (const response of [
      await editor.get(path),
      await editor.post(path, { type: 'embed', embed_code: 'x' }),
      await editor.put(path, { items: [] }),
    ])
      expect(expectOk(response).headers).to.have.property('deprecation')
  })

  it('2.11: album, book and product reviews, and location roundups exist', async () => {
    const location = idOf(await create('/locations', {}))
    for (const kind of ['album', 'book', 'product'])
      await expectStored(await content(`review_${kind}`), { [`${kind}_title`]: 'x', rating: '4.5' })
    const roundup_locations = [{ location_uuid: location, title: 'x', content: null }]
    await expectStored(await content('roundup_location'), {
      roundup_locations,
      roundup_location_tour_type: 'walking',
    })
  })

  it('2.11: locations have closed; tags can have the state internal', async () => {
    await expectStored(await create('/locations', {}), { closed: true })
    const path = await tag()
    await expectStored(path, { state: 'internal' })
    expectError(await place.home.visitor.get(path), 404, 'not_found')
  })

  it('2.11: tag predicates exist beyond authored and describes', async () => {
    const { editor } = place.home
    const [path, book] = [await tag(), await content('review_book')]
    const image = (await storeImage(editor)).id
    for (const [predicate, id] of [
      ['edited', idOf(book)],
      ['is_brand_of_reviewed', idOf(book)],
      ['type_of_reviewed', idOf(book)],
      ['created_reviewed', idOf(book)],
      ['illustrated_reviewed', idOf(book)],
      ['translated_reviewed', idOf(book)],
      ['photographed', image],
      ['illustrated', image],
    ] as const) {
      expectOk(await editor.put(`${path}/${predicate}/${id}`, {}))
      expect(columnOf(await editor.get(`${path}/${predicate}?fields=uuid`))).to.deep.equal([id])
    }
  })

  it('2.10: sections have show_prev_next', async () => {
    await expectStored(await create('/sections', {}), { show_prev_next: true })
  })

  it('2.10: blogs are deprecated: GET and POST, GET and PUT of one, its tags, all and by predicate', async () => {
    const { editor, reader } = place.home
    const blog = await create('/blogs', {})
    for (const response of [
      await reader.get('/blogs'),
      await editor.post('/blogs', { title: 'x', urlname: 'y' }),
      await reader.get(blog),
      await editor.put(blog, { title: 'x', urlname: 'z' }),
      await reader.get(`${blog}/tags`),
      await reader.get(`${blog}/tags/describes`),
    ])
      expect(expectOk(response).headers).to.have.property('deprecation')
  })

  it('2.9: slots hold media of type file, external and embed, with type, title, content and thumb', async () => {
    const image = (await storeImage(place.home.editor)).id
    const slot = randomUUID()
    const path = `${await content('article', { content: `<slot id="${slot}"/>` })}/slots/${slot}/media`
    const common = { title: 'x', content: '<p>y</p>', thumb_uuid: image }
    const items = [
      { type: 'file', image_uuid: image, ...common },
      {
        type: 'external',
        url_type: 'video',
        urls: [{ url: 'https://example.org/v.mp4', mimetype: 'video/mp4' }],
        ...common,
      },
      { type: 'embed', embed_code: '<b>x</b>', ...common },
    ]
    expectOk(await place.home.editor.put(path, { items }))
    const shown = objectsOf(await place.home.reader.get(path))
    for (const [index, item] of items.entries()) expect(shown[index]).to.deep.include(item)
  })

  it('2.9: the content type video is removed', async () => {
    const response = await place.home.editor.post('/content', {
      content_type: 'video',
      title: 'x',
      urlname: 'x',
    })
    expectFaults(response, 'content_type')
  })

  it('2.9: slideshows are removed: list, item, slides, tags and tags by predicate return 410 and name slots', async () => {
    const id = randomUUID()
    for (const path of [
      '/slideshows',
      `/slideshows/${id}`,
      `/slideshows/${id}/slides`,
      `/slideshows/${id}/tags`,
      `/slideshows/${id}/tags/describes`,
    ])
      expect(
        expectError(await place.home.reader.get(path), 410, 'gone').object['error_description'],
      ).to.match(/slots/)
  })

  it('2.9: deprecated attributes of content read as null and are ignored when written; those of videos do not exist', async () => {
    const old = [
      'feature_image_url',
      'feature_image_caption',
      'feature_image_alttext',
      'feature_thumb_url',
      'slideshow_uuid',
      'video_uuid',
    ]
    const ofVideos = ['cdn_url', 'youtube_code', 'video_type', 'use_youtube_thumb']
    for (const type of ['article', 'event', 'review_album']) {
      const path = await content(type)
      const before_ = await read(path)
      for (const name of old) expect(before_[name], name).to.equal(null)
      expect(before_).not.to.have.any.keys(...ofVideos)
      const ignored = Object.fromEntries([...old, ...ofVideos].map((name): [string, Json] => [name, 'x']))
      expectOk(await place.home.editor.patch(path, ignored))
      expect(await read(path)).to.deep.equal(before_)
    }
  })

  it('2.9: the feature thumb is the teaser image', async () => {
    const image = await storeImage(place.home.editor)
    const path = await content('article')
    await expectStored(path, { teaser_image_uuid: image.id })
    expect((await read(path))['teaser_image_url']).to.equal(`${place.home.url}${image.download}`)
  })

  it('2.9: media of content have GET, POST and PUT', async () => {
    const path = `${await content('article')}/media`
    const { editor } = place.home
    expect(expectOk(await editor.post(path, { type: 'embed', embed_code: 'a' })).body).to.deep.equal({
      msg: 'media added',
    })
    expect(
      expectOk(await editor.put(path, { items: [{ type: 'embed', embed_code: 'b' }] })).body,
    ).to.deep.equal({ msg: 'media updated' })
    expect(objectsOf(await editor.get(path)).map(({ embed_code }) => embed_code)).to.deep.equal(['b'])
  })

  it('2.9: the additional information of content contains only the public URL', async () => {
    const path = await content('article', { urlname: 'a-story' })
    expect(await read(`${path}/info`)).to.deep.equal({ public_url: 'https://www.example.org/a-story/' })
  })

  it('2.9: headline and featured stories have auto, auto_max and auto_tag_uuids', async () => {
    const [path, story] = [await tag(), await content('article', { title: 'Chosen', state: 'published' })]
    expectOk(await place.home.editor.put(`${path}/describes/${idOf(story)}`, {}))
    const [homepage] = columnOf(await place.home.reader.get('/homepage?fields=uuid'))
    for (const list of ['headline_stories', 'featured_stories']) {
      const address = `/homepage/${String(homepage)}/${list}`
      const auto = { auto: true, auto_max: 3, auto_tag_uuids: [idOf(path)] }
      expectOk(await place.home.editor.put(address, auto))
      expect(await read(address)).to.deep.include(auto)
      expect(objectsOf(await place.home.visitor.get(address)).map(({ title }) => title)).to.deep.equal([
        'Chosen',
      ])
    }
  })
})
