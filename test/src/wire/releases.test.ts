/** Additions of each release, newest first, down to 3.x, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { firstCategory } from '@publishing-service/domain'
import { columnOf, expectError, expectFaults, expectOk, objectsOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { idOf, objectWriter } from '../harness/object-writer.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('releases since 3.x', { directory_addon: true }, (place) => {
  const { create, content, tag, read, expectStored } = objectWriter(place)

  it('May 2021: person tags have email, website, fb_username, twitter_username, instagram_username, linkedin_url', async () => {
    const social = {
      email: 'a@example.org',
      website: 'https://example.org/',
      fb_username: 'a',
      twitter_username: 'b',
      instagram_username: 'c',
      linkedin_url: 'https://example.org/in/d',
    }
    await expectStored(await tag({ type: 'person' }), social)
    expectFaults(await place.home.editor.patch(await tag(), social), ...Object.keys(social))
  })

  it('March 2021: the content types movie review and recipe exist', async () => {
    expect(await read(await content('review_movie', { movie_title: 'x', movie_duration: 90 }))).to.include({
      content_type: 'review_movie',
      movie_title: 'x',
      movie_duration: 90,
    })
    expect(
      await read(await content('recipe', { recipe_ingredients: ['salt'], recipe_prep_time: 'PT5M' })),
    ).to.deep.include({
      content_type: 'recipe',
      recipe_ingredients: ['salt'],
      recipe_prep_time: 'PT5M',
    })
    expect(columnOf(await place.home.reader.get('/content?ctypes=reviews_movie-recipes'))).to.have.lengthOf(2)
  })

  it('September 2020: events have event_status_type for GET, PUT and PATCH', async () => {
    const event = await content('event')
    for (const event_status_type of ['cancelled', 'postponed', 'rescheduled', 'moved_online'])
      await expectStored(event, { event_status_type })
    expect(await read(await content('article'))).not.to.have.property('event_status_type')
  })

  it('January 2020: content has canonical_url for GET, PUT and PATCH', async () => {
    for (const type of ['article', 'event', 'recipe'])
      await expectStored(await content(type), { canonical_url: 'https://example.org/original' })
  })

  it('August 2019: content has header_image_url', async () => {
    const image = await storeImage(place.home.editor)
    const path = await content('article')
    expect((await read(path))['header_image_url']).to.equal(null)
    await expectStored(path, { header_image_uuid: image.id })
    expect((await read(path))['header_image_url']).to.equal(`${place.home.url}${image.download}`)
  })

  it('July 2019: events have sponsored, with the directory add-on only', async () => {
    const event = await content('event')
    await expectStored(event, { sponsored: true })
    expectOk(await place.home.admin.patch('/settings', { directory_addon: false }))
    expect(await read(event)).not.to.have.property('sponsored')
    expectFaults(await place.home.editor.patch(event, { sponsored: true }), 'sponsored')
  })

  it('April 2019: listings have images with GET, PUT and POST, with the directory add-on only', async () => {
    const [one, two] = [(await storeImage(place.home.editor)).id, (await storeImage(place.home.editor)).id]
    const path = `${await create('/locations', { is_listing: true })}/listing_images`
    const { editor, reader } = place.home
    expectOk(await editor.put(path, { items: [{ uuid: one }] }))
    expectOk(await editor.post(path, { uuid: two }))
    expect(objectsOf(await reader.get(path)).map(({ uuid }) => uuid)).to.deep.equal([one, two])
    expectOk(await place.home.admin.patch('/settings', { directory_addon: false }))
    for (const response of [
      await reader.get(path),
      await editor.put(path, { items: [] }),
      await editor.post(path, { uuid: two }),
    ])
      expectError(response, 404, 'not_found')
  })

  it('February 2019: the content type content roundup exists', async () => {
    const target = idOf(await content('article'))
    const targets = [{ target_uuid: target, title: 'First', content: '<p>x</p>' }]
    await expectStored(await content('roundup_content'), {
      roundup_content_targets: targets,
      roundup_numbering: 'desc',
    })
  })

  it('March 2017: locations have Facebook and Twitter fields', async () => {
    const path = await create('/locations', {})
    expect(await read(path)).to.include({ fb_show_faces: true, fb_show_stream: true })
    await expectStored(path, {
      fb_headline: 'x',
      fb_url: 'https://www.facebook.com/x',
      fb_show_faces: false,
      fb_show_stream: false,
      twitter_username: 'x',
    })
  })

  it('July 2016: XML errors in content have line, column, what was found and what is allowed', async () => {
    const path = await content('article')
    const response = await place.home.editor.patch(path, { content: '<p>x</p>\n<p>y<main/></p>' })
    const { content: message = '' } = expectFaults(response, 'content')
    expect(message)
      .to.match(/line 2/)
      .and.match(/column 5/)
      .and.match(/main/)
      .and.match(/strong/)
  })

  it('May 2016: fb_uid accepts integers as well as strings', async () => {
    const path = await create('/locations', {})
    for (const [sent, shown] of [
      [1234567890, '1234567890'],
      ['1234567890', '1234567890'],
      [0, '0'],
    ] as const) {
      expectOk(await place.home.editor.patch(path, { fb_uid: sent }))
      expect((await read(path))['fb_uid']).to.equal(shown)
    }
    for (const sent of [1.5, 'x y', '', true])
      expectFaults(await place.home.editor.patch(path, { fb_uid: sent }), 'fb_uid')
  })

  it('4.x: path history exists for more object kinds', async () => {
    for (const path of [
      await content('article'),
      await create('/locations', {}),
      await create('/sections', {}),
      await tag(),
    ]) {
      expectOk(await place.home.editor.post(`${path}/path_history`, { path: '/once/' }))
      expect(objectsOf(await place.home.reader.get(`${path}/path_history`))).to.deep.equal([
        { path: '/once/' },
      ])
    }
  })

  // docs/behaviour/deprecated.md#location-types
  it('3.x: location types are tags; the deprecated location_types returns the titles of those tags', async () => {
    const { editor } = place.home
    const [location, bar, any] = [
      await create('/locations', {}),
      await tag({ last_name_or_title: 'Bar' }),
      await tag(),
    ]
    for (const each of [bar, any]) expectOk(await editor.put(`${each}/describes/${idOf(location)}`, {}))
    expect((await read(location))['location_types']).to.deep.equal([])
    expectOk(await editor.put(`/tags/categories/${firstCategory.id}`, { title: 'Types' }))
    expectOk(await editor.post(`/tags/categories/${firstCategory.id}/tags`, { tag_uuid: idOf(bar) }))
    expectOk(await editor.patch(location, { location_types: ['Restaurant'] }))
    expect((await read(location))['location_types']).to.deep.equal(['Bar'])
    expect(objectsOf(await editor.get(`${location}/tags`)), 'it carries any tag').to.have.lengthOf(2)
  })

  for (const kind of ['album', 'book', 'product'])
    it(`3.x: ${kind} reviews have a list of buy URLs; the deprecated single one reads as the first and written alone replaces it`, async () => {
      const links = [
        { url: 'https://example.org/1', link_text: 'One' },
        { url: 'https://example.org/2', link_text: null },
      ]
      const path = await content(`review_${kind}`)
      expect(await read(path)).to.deep.include({
        [`${kind}_buy_urls`]: [],
        [`${kind}_buy_url`]: null,
        [`${kind}_buy_link_text`]: null,
      })
      await expectStored(path, { [`${kind}_buy_urls`]: links })
      expect(await read(path)).to.include({
        [`${kind}_buy_url`]: 'https://example.org/1',
        [`${kind}_buy_link_text`]: 'One',
      })
      expectOk(
        await place.home.editor.patch(path, {
          [`${kind}_buy_url`]: 'https://example.org/0',
          [`${kind}_buy_link_text`]: 'Zero',
        }),
      )
      expect((await read(path))[`${kind}_buy_urls`]).to.deep.equal([
        { url: 'https://example.org/0', link_text: 'Zero' },
        links[1],
      ])
    })
})
