/** docs/behaviour/content.md: the ten types with every attribute. */
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { contentTypes, type ContentType, type Json, type JsonObject } from '@publishing-service/domain'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** A separate list, independent of the tables of the domain. */
const common = words(`
  uuid url content_type title sub_title kicker urlname description print_description content state created modified
  issued section_uuid blog_uuid evergreen meta_title meta_description canonical_url path perma_url_path
  teaser_image_uuid teaser_image_url header_image_uuid header_image_url
  feature_image_url feature_image_caption feature_image_alttext feature_thumb_url video_uuid slideshow_uuid created_by comments_count`)

const reviewed = (kind: string): readonly string[] =>
  ['title', 'image_uuid', 'image_url', 'issued', 'buy_urls', 'provider_urls'].map((name) => `${kind}_${name}`)
const oldLinks = (kind: string): readonly string[] => [`${kind}_buy_url`, `${kind}_buy_link_text`]

const furtherOf: Readonly<Record<ContentType, readonly string[]>> = {
  article: [],
  review_album: ['rating', ...reviewed('album'), ...oldLinks('album')],
  review_book: ['rating', ...reviewed('book'), ...oldLinks('book'), 'book_isbn'],
  review_product: ['rating', ...reviewed('product'), ...oldLinks('product')],
  review_movie: ['rating', ...reviewed('movie'), 'movie_duration'],
  review_location: ['rating', 'location_uuid'],
  recipe: words(
    'recipe_prep_time recipe_cook_time recipe_yield recipe_ingredients recipe_image_uuid recipe_image_url',
  ),
  roundup_location: words(
    'roundup_locations roundup_numbering roundup_location_tour_type roundup_location_hide_map',
  ),
  roundup_content: words('roundup_content_targets roundup_numbering'),
  event:
    words(`dtstart dtend rrule rdates exdates location_uuid location_alt website phone email prices ticket_urls
    sort_title sponsored event_status_type ical_uid`),
}

describe('content', () => {
  let service: TestService
  let home: Publication
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
  })
  beforeEach(async () => {
    home = await createPublication(service, { directory_addon: true })
  })
  after(async () => {
    const errors = service.errorsLogged()
    await service.stop()
    expect(errors).to.deep.equal([])
  })

  const bodyOf = (type: ContentType, more: JsonObject = {}): JsonObject => ({
    content_type: type,
    title: 'A title',
    urlname: randomUUID(),
    ...(type === 'event' ? { dtstart: '2026-05-01T20:00:00' } : {}),
    ...more,
  })
  const create = async (type: ContentType, more: JsonObject = {}): Promise<string> =>
    uuidOf(await home.editor.post('/content', bodyOf(type, more)))
  const read = async (id: string): Promise<JsonObject> =>
    expectOk(await home.editor.get(`/content/${id}`)).object
  const stored = async (type: ContentType, more: JsonObject): Promise<JsonObject> =>
    read(await create(type, more))

  for (const type of contentTypes) {
    it(`${type} reads with exactly its attributes, legacy ones as null`, async () => {
      const object = await stored(type, {})
      expect(object).to.have.all.keys(...common, ...furtherOf[type])
      for (const name of [
        'feature_image_url',
        'feature_image_caption',
        'feature_image_alttext',
        'feature_thumb_url',
        'video_uuid',
      ])
        expect(object[name]).to.equal(null)
      expect(object).to.include({
        content_type: type,
        state: 'draft',
        evergreen: false,
        issued: null,
        section_uuid: null,
      })
    })

    // docs/behaviour/content.md#required
    it(`${type} requires content_type, title, urlname, and dtstart for an event`, async () => {
      const required = ['title', 'urlname', ...(type === 'event' ? ['dtstart'] : [])]
      expectFaults(await home.editor.post('/content', { content_type: type }), ...required)
    })

    it(`${type} rejects a change of type, and accepts empty roundup lists`, async () => {
      const id = await create(type, { roundup_locations: [], roundup_content_targets: [] })
      const other = type === 'article' ? 'recipe' : 'article'
      expectFaults(await home.editor.patch(`/content/${id}`, { content_type: other }), 'content_type')
      expectFaults(
        await home.editor.put(`/content/${id}`, bodyOf(type, { content_type: other })),
        'content_type',
      )
      expectOk(
        await home.editor.patch(
          `/content/${id}`,
          { content_type: type, roundup_locations: [], roundup_content_targets: [] },
          { Prefer: 'handling=strict' },
        ),
      )
    })
  }

  // docs/behaviour/content.md#types
  it('requires content_type, one of the ten', async () => {
    expectFaults(await home.editor.post('/content', { title: 'x', urlname: 'x' }), 'content_type')
    for (const type of ['video', 'Review', 'Article', ''])
      expectFaults(
        await home.editor.post('/content', { content_type: type, title: 'x', urlname: 'x' }),
        'content_type',
      )
  })

  // docs/behaviour/content.md#section, docs/behaviour/content.md#images
  it('stores common attributes as sent', async () => {
    const image = (await storeImage(home.editor)).id
    const section = uuidOf(await home.admin.post('/sections', { title: 'S', urlname: 's' }))
    const sent = {
      sub_title: 'Untertitel',
      kicker: 'Kicker',
      description: 'Zeile 1\nZeile 2',
      print_description: 'p',
      state: 'published',
      issued: '2026-01-02T03:04:05',
      section_uuid: section,
      evergreen: true,
      meta_title: 'm',
      meta_description: 'd',
      canonical_url: 'https://example.org/ü?x=1',
      teaser_image_uuid: image,
      header_image_uuid: image,
      urlname: 'a-Z_0.9~',
    }
    const object = await stored('article', sent)
    expect(object).to.deep.include(sent)
    expect(object['teaser_image_url']).to.match(new RegExp(`^${home.url}/files/${image}/download/\\d+$`))
    expect(object['header_image_url']).to.equal(object['teaser_image_url'])
    expect(object['perma_url_path']).to.equal('/s/a-Z_0.9~/')
  })

  // docs/behaviour/content.md#issued
  it('sets issued to now when content is first published without one', async () => {
    const id = await create('article')
    service.clock.advance(60_000)
    expectOk(await home.editor.patch(`/content/${id}`, { state: 'published' }))
    const { issued, modified } = await read(id)
    expect(issued).to.equal(modified)
    service.clock.advance(60_000)
    expectOk(await home.editor.patch(`/content/${id}`, { state: 'draft' }))
    expectOk(await home.editor.patch(`/content/${id}`, { state: 'published' }))
    expect((await read(id))['issued']).to.equal(issued)
    expect((await stored('article', { state: 'published', issued: '2030-01-01' }))['issued']).to.equal(
      '2030-01-01T00:00:00',
    )
  })

  it('requires that blog_uuid names a blog', async () => {
    expectFaults(
      await home.editor.post('/content', bodyOf('article', { blog_uuid: randomUUID() })),
      'blog_uuid',
    )
  })

  for (const kind of ['album', 'book', 'product', 'movie'] as const)
    // docs/behaviour/content.md#reviews
    it(`review_${kind} has rating by halves, picture, dates, buy and provider URLs`, async () => {
      const image = (await storeImage(home.editor)).id
      const sent: JsonObject = {
        rating: '4.5',
        [`${kind}_title`]: 'T',
        [`${kind}_image_uuid`]: image,
        [`${kind}_issued`]: '1999-12-31',
        [`${kind}_buy_urls`]: [
          { url: 'https://a.example.org', link_text: 'A' },
          { url: 'https://b.example.org', link_text: null },
        ],
        [`${kind}_provider_urls`]: ['https://p.example.org', 'http://q.example.org/x'],
      }
      const object = await stored(`review_${kind}`, sent)
      expect(object).to.deep.include(sent)
      expect(object[`${kind}_image_url`]).to.include(`/files/${image}/download/`)
      for (const rating of ['0', '0.5', '1', '5', null])
        expect((await stored(`review_${kind}`, { rating }))['rating']).to.equal(rating)
      for (const rating of ['5.5', '0.0', '4.25', '-1', '', 4, 4.5])
        expectFaults(await home.editor.post('/content', bodyOf(`review_${kind}`, { rating })), 'rating')
    })

  for (const kind of ['album', 'book', 'product'] as const)
    it(`review_${kind} reads the deprecated buy link as the first buy URL; written alone, it replaces the list`, async () => {
      const [list, url, text] = [`${kind}_buy_urls`, `${kind}_buy_url`, `${kind}_buy_link_text`]
      const links = [
        { url: 'https://a.example.org', link_text: 'A' },
        { url: 'https://b.example.org', link_text: 'B' },
      ]
      const id = await create(`review_${kind}`, { [list]: links })
      expect(await read(id)).to.include({ [url]: 'https://a.example.org', [text]: 'A' })
      expectOk(await home.editor.patch(`/content/${id}`, { [url]: 'https://c.example.org', [text]: 'C' }))
      expect((await read(id))[list]).to.deep.equal([
        { url: 'https://c.example.org', link_text: 'C' },
        links[1],
      ])
      expectOk(
        await home.editor.patch(`/content/${id}`, { [list]: links, [url]: 'https://ignored.example.org' }),
      )
      expect((await read(id))[list]).to.deep.equal(links)
      const fromOld = await stored(`review_${kind}`, { [url]: 'https://old.example.org', [text]: 'Old' })
      expect(fromOld[list]).to.deep.equal([{ url: 'https://old.example.org', link_text: 'Old' }])
      expect(await stored(`review_${kind}`, {})).to.include({ [url]: null, [text]: null })
    })

  it('has book_isbn and movie_duration', async () => {
    for (const isbn of ['978-3-16-148410-0', '316148410X'])
      expect((await stored('review_book', { book_isbn: isbn }))['book_isbn']).to.equal(isbn)
    expect((await stored('review_movie', { movie_duration: 93 }))['movie_duration']).to.equal(93)
  })

  // docs/behaviour/content.md#recipes
  it('recipe has durations, yield, ingredients and picture', async () => {
    const image = (await storeImage(home.editor)).id
    const sent = {
      recipe_prep_time: 'PT20M',
      recipe_cook_time: 'PT1H30M',
      recipe_yield: '4 Portionen',
      recipe_ingredients: ['1 Ei', 'Salz'],
      recipe_image_uuid: image,
    }
    expect(await stored('recipe', sent)).to.deep.include(sent)
    expect((await stored('recipe', {}))['recipe_ingredients']).to.deep.equal([])
  })

  // docs/behaviour/content.md#roundups
  it('roundup_content has targets with titles and texts, and numbering', async () => {
    const targets = [
      { target_uuid: await create('article'), title: 'First', content: '<p>x</p>' },
      { target_uuid: await create('recipe'), title: null, content: null },
    ]
    for (const numbering of ['none', 'asc', 'desc']) {
      const object = await stored('roundup_content', {
        roundup_content_targets: targets,
        roundup_numbering: numbering,
      })
      expect(object['roundup_content_targets']).to.deep.equal(targets)
      expect(object['roundup_numbering']).to.equal(numbering)
    }
    expectFaults(
      await home.editor.post(
        '/content',
        bodyOf('roundup_content', {
          roundup_content_targets: [
            { target_uuid: randomUUID() },
            { title: 'x' },
            {
              target_uuid: targets[0]?.target_uuid ?? '',
              content: '<slot id="9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11"/>',
            },
          ],
        }),
      ),
      'roundup_content_targets.0.target_uuid',
      'roundup_content_targets.1.target_uuid',
      'roundup_content_targets.2.content',
    )
  })

  it('roundup_location has numbering, tour type and hidden map', async () => {
    for (const tour of [null, 'walking', 'driving', 'bicycling']) {
      const sent = {
        roundup_numbering: 'desc',
        roundup_location_tour_type: tour,
        roundup_location_hide_map: true,
      }
      expect(await stored('roundup_location', sent)).to.include(sent)
    }
    expect(await stored('roundup_location', {})).to.deep.include({
      roundup_locations: [],
      roundup_numbering: 'none',
      roundup_location_tour_type: null,
      roundup_location_hide_map: false,
    })
  })

  // docs/behaviour/content.md#events
  it('event has times, recurrence, place, organizer, tickets and status', async () => {
    const sent: Readonly<Record<string, Json>> = {
      dtstart: '2026-05-01T20:00:00',
      dtend: '2026-05-01T22:30:00',
      rdates: ['2026-05-08T20:00:00'],
      exdates: ['2026-05-15T20:00:00'],
      location_alt: 'Im Park',
      website: 'https://example.org',
      phone: '+43 1',
      email: 'a@example.org',
      prices: '10–20 €',
      ticket_urls: [{ url: 'https://tickets.example.org', link_text: 'Tickets' }],
      sort_title: 'Fest',
      sponsored: true,
      ical_uid: 'x@y',
    }
    expect(await stored('event', sent)).to.deep.include(sent)
    for (const status of ['cancelled', 'postponed', 'rescheduled', 'moved_online', null])
      expect((await stored('event', { event_status_type: status }))['event_status_type']).to.equal(status)
    const { rrule } = await stored('event', {
      rrule: { freq: 'MONTHLY', interval: 2, byday: ['MO', '-1FR'], until: '2026-12-31' },
    })
    expect(rrule).to.include({ freq: 'MONTHLY', interval: 2, until: '2026-12-31', count: null })
    expectFaults(
      await home.editor.post(
        '/content',
        bodyOf('event', { dtend: '2026-04-30', rrule: { freq: 'DAILY', count: 2, until: '2026-12-31' } }),
      ),
      'dtend',
      'rrule.until',
    )
  })

  // docs/behaviour/content.md#unique-urlname
  it('keeps urlname unique among events, and within the section for other types', async () => {
    const section = uuidOf(await home.admin.post('/sections', { title: 'S', urlname: 's' }))
    await create('article', { urlname: 'x' })
    await create('article', { urlname: 'x', section_uuid: section })
    expectFaults(await home.editor.post('/content', bodyOf('event', { urlname: 'X' })), 'urlname')
    await create('event', { urlname: 'y' })
    expectFaults(
      await home.editor.post('/content', bodyOf('event', { urlname: 'y', section_uuid: section })),
      'urlname',
    )
    expectFaults(await home.editor.post('/content', bodyOf('recipe', { urlname: 'x' })), 'urlname')
    const moving = await create('recipe', {
      urlname: 'x',
      section_uuid: uuidOf(await home.admin.post('/sections', { title: 'T', urlname: 't' })),
    })
    expectFaults(await home.editor.patch(`/content/${moving}`, { section_uuid: section }), 'urlname')
    const long = 'u'.repeat(255)
    expect((await stored('article', { urlname: long }))['urlname']).to.equal(long)
  })

  // docs/behaviour/content.md#info
  // docs/behaviour/paths.md#public-path
  it('returns the public path on the website along its sections for GET …/info', async () => {
    const website = 'https://www.example.org'
    const elsewhere = await createPublication(service, { website_url: website })
    const parent = uuidOf(await elsewhere.admin.post('/sections', { title: 'P', urlname: 'p' }))
    const child = uuidOf(
      await elsewhere.admin.post('/sections', { title: 'C', urlname: 'c', parent_uuid: parent }),
    )
    const id = uuidOf(
      await elsewhere.editor.post('/content', bodyOf('article', { urlname: 'story', section_uuid: child })),
    )
    expect(expectOk(await elsewhere.reader.get(`/content/${id}/info`)).body).to.deep.equal({
      public_url: `${website}/p/c/story/`,
    })
    expect(expectOk(await elsewhere.reader.get(`/content/${id}`)).object['perma_url_path']).to.equal(
      '/p/c/story/',
    )
    expectOk(await elsewhere.admin.patch(`/sections/${parent}`, { urlname: 'q' }))
    expect(expectOk(await elsewhere.reader.get(`/content/${id}/info`)).body).to.deep.equal({
      public_url: `${website}/q/c/story/`,
    })
    expectError(await elsewhere.reader.get(`/content/${randomUUID()}/info`), 404, 'not_found')
  })
})
