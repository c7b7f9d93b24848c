/** What the website shows at a path (docs/behaviour/pages.md). */
import { content, file, location, section, tag, type Resource } from '@publishing-service/domain'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  addMedium,
  addRelatedLink,
  attachTag,
  changeObject,
  createObject,
  readObject,
  readWebPage,
  removeObject,
  replaceStories,
  uploadFile,
} from '../operations.js'
import { picture } from '../test-support/picture-imaging.js'
import { article, aSection, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'

const published = { state: 'published' } as const
const slotId = 'd939cb21-058f-4b2d-b679-5f052676aaae'

/** The value at a path of names and numbers. */
const at = (value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((within, step) => {
    if (Array.isArray(within) && typeof step === 'number') return within[step] as Json | undefined
    return isJsonObject(within) ? within[step] : undefined
  }, value)

const each = (value: Json | undefined, name: string): readonly (Json | undefined)[] =>
  Array.isArray(value) ? value.map((item: Json) => at(item, name)) : []

describe('the page of a path', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  type By = 'admin' | 'public_user'
  const as = (role: By) => ({ ...stage.as(role), requestId: 'r' })
  const create = (resource: Resource, body: JsonObject) =>
    right(stage.run(createObject(resource), as('admin'), { body }))
  const read = (path: string, by: By = 'public_user', parameters: Readonly<Record<string, string>> = {}) =>
    right(stage.run(readWebPage, as(by), { parameters: { path, ...parameters } }))
  const bodyAt = async (path: string, by: By = 'public_user') => (await read(path, by)).body
  const aPicture = async (width = 2000): Promise<string> => {
    const id = await create(file, { title: 'A picture', filename: 'a.gif', credits: 'Nobody' })
    const data = picture(width, 30)
    const body = (async function* () {
      yield data
    })()
    await right(
      stage.run(uploadFile, as('admin'), { id, contentType: 'image/gif', length: data.length, body }),
    )
    return id
  }

  it('of content has its section, media, images, tags and related links', async () => {
    const image = await aPicture()
    const top = await create(section, aSection('top'))
    const below = await create(section, aSection('below', top))
    const author = await create(tag, { last_name_or_title: 'Marchetti', first_name: 'Ada', type: 'person' })
    const hidden = await create(tag, { last_name_or_title: 'Hidden', state: 'internal' })
    const other = await create(content, article('other', { ...published, teaser_image_uuid: image }))
    const draft = await create(content, article('draft'))
    const body = {
      ...published,
      section_uuid: below,
      header_image_uuid: image,
      content: `<slot id="${slotId}"/>`,
    }
    const id = await create(content, article('a', body))
    const medium = { type: 'file', image_uuid: image, title: 'Look' }
    await right(stage.run(addMedium, as('admin'), { contentId: id, slotId, body: medium }))
    for (const target_uuid of [other, draft])
      await right(stage.run(addRelatedLink, as('admin'), { id, body: { type: 'content', target_uuid } }))
    const link = { type: 'url', link_url: 'https://example.org/', text: 'Elsewhere' }
    await right(stage.run(addRelatedLink, as('admin'), { id, body: link }))
    for (const tagId of [author, hidden])
      await right(stage.run(attachTag, as('admin'), { tagId, objectId: id, predicate: 'authored', body: {} }))

    const page = await bodyAt('/top/below/a/')
    expect(page).to.include({
      kind: 'content',
      path: '/top/below/a/',
      location: null,
      previous: null,
      next: null,
    })
    const object = await right(stage.run(readObject(content), as('public_user'), { id, parameters: {} }))
    expect(page['object']).to.deep.equal(object)
    expect(at(page, 'section', 'path')).to.equal('/top/below/')
    expect(each(at(page, 'section', 'ancestors'), 'path')).to.deep.equal(['/top/'])
    expect(at(page, 'slots')).to.deep.equal([{ uuid: slotId, relevance: 'inline', display: null }])
    expect(at(page, 'media', slotId, 0)).to.deep.include({ type: 'file', title: 'Look', image_uuid: image })
    expect(at(page, 'media', slotId, 0, 'file')).to.deep.include({
      uuid: image,
      width: 2000,
      height: 30,
      alt: 'A picture',
      credits: 'Nobody',
      focal_point: null,
    })
    expect(each(at(page, 'header_image', 'srcset'), 'width')).to.include.members([320, 640, 1280])
    expect(page['teaser_image']).to.equal(null)
    expect(each(page['tags'], 'path')).to.deep.equal(['/tags/ada-marchetti/'])
    expect(each(page['related_links'], 'title')).to.deep.equal(['An article', 'Elsewhere'])
    expect(each(page['related_links'], 'path')).to.deep.equal(['/other/', undefined])
    expect(at(page, 'related_links', 0, 'teaser', 'image', 'uuid')).to.equal(image)
    expect(at(page, 'seo', 'robots')).to.equal('index')

    const whole = await bodyAt('/top/below/a/', 'admin')
    expect(each(whole['tags'], 'title')).to.deep.equal(['Ada Marchetti', 'Hidden'])
    expect(each(whole['related_links'], 'path')).to.deep.equal(['/other/', '/draft/', undefined])
  })

  it('of content has its neighbours where the section shows them', async () => {
    const news = await create(section, { ...aSection('news'), show_prev_next: true })
    for (const [index, urlname] of ['a', 'b', 'c'].entries()) {
      const issued = `2026-02-0${index + 1}T08:00:00`
      await create(content, article(urlname, { ...published, issued, section_uuid: news }))
    }
    await create(
      content,
      article('later', { ...published, issued: '2026-04-01T08:00:00', section_uuid: news }),
    )
    const page = await bodyAt('/news/b/')
    expect(at(page, 'previous', 'path')).to.equal('/news/a/')
    expect(at(page, 'next', 'path')).to.equal('/news/c/')
    expect((await bodyAt('/news/c/'))['next']).to.equal(null)
    await right(stage.run(changeObject(section), as('admin'), { id: news, body: { show_prev_next: false } }))
    expect((await bodyAt('/news/b/'))['previous']).to.equal(null)
  })

  it('of a roundup has what it lists, in its order, as far as the role sees it', async () => {
    const ids: string[] = []
    for (const urlname of ['a', 'b', 'draft'])
      ids.push(await create(content, article(urlname, urlname === 'draft' ? {} : published)))
    const targets = ids.toReversed().map((target_uuid) => ({ target_uuid }))
    const roundup = { content_type: 'roundup_content', roundup_content_targets: targets }
    await create(content, article('r', { ...published, ...roundup }))
    expect(each((await bodyAt('/r/'))['roundup'], 'path')).to.deep.equal(['/b/', '/a/'])
    const place = await create(location, { title: 'A place', urlname: 'place', ...published })
    const tour = { content_type: 'roundup_location', roundup_locations: [{ location_uuid: place }] }
    await create(content, article('tour', { ...published, ...tour }))
    expect(each((await bodyAt('/tour/'))['roundup'], 'path')).to.deep.equal(['/locations/place/'])
    expect((await bodyAt('/a/'))['roundup']).to.deep.equal([])
  })

  it('of an event has its next times and its location, whose page has them too', async () => {
    const place = await create(location, { title: 'A place', urlname: 'place', ...published })
    const event = { ...published, content_type: 'event', location_uuid: place, rrule: { freq: 'DAILY' } }
    await create(
      content,
      article('e', { ...event, dtstart: '2026-02-01T20:00:00', dtend: '2026-02-01T22:00:00' }),
    )
    const page = await bodyAt('/e/')
    expect(each(page['occurrences'], 'dtstart')).to.have.lengthOf(20)
    expect(at(page, 'occurrences', 0)).to.deep.include({
      dtstart: '2026-03-01T20:00:00',
      dtend: '2026-03-01T22:00:00',
    })
    expect(at(page, 'location', 'path')).to.equal('/locations/place/')
    expect(at(page, 'seo', 'json_ld', 0, 'startDate')).to.equal('2026-03-01T20:00:00+01:00')
    const there = await bodyAt('/locations/place/')
    expect(there).to.include({ kind: 'location', thumb: null, coupon_image: null })
    expect(at(there, 'occurrences', 0, 'event', 'path')).to.equal('/e/')
  })

  it('of a section has those below it, its stories, and its content page by page', async () => {
    const news = await create(section, aSection('news'))
    await create(section, { ...aSection('b', news), ord: 2, hide_in_nav: true })
    await create(section, { ...aSection('a', news), ord: 1 })
    for (const urlname of ['x', 'y', 'z'])
      await create(content, article(urlname, { ...published, section_uuid: news }))
    await create(content, article('draft', { section_uuid: news }))
    const first = await read('/news/', 'admin', { rpp: '2', total: 'true' })
    expect(first.list?.total).to.deep.equal({ count: 3, exact: true })
    expect(each(first.body['children'], 'path')).to.deep.equal(['/news/a/', '/news/b/'])
    expect(each(first.body['children'], 'hide_in_nav')).to.deep.equal([false, true])
    expect(each(first.body['featured_stories'], 'teaser')).to.have.lengthOf(3)
    expect(first.list?.items).to.have.lengthOf(2)
    expect(first.list?.links.next?.page).to.equal(2)
    const second = await read('/news/', 'admin', { rpp: '2', page: '2' })
    const paths = [...(first.list?.items ?? []), ...(second.list?.items ?? [])].map(({ path }) => path)
    expect(paths).to.have.members(['/news/x/', '/news/y/', '/news/z/'])
    expect(second.body['featured_stories']).to.deep.equal([])
    expect(second.list).to.deep.include({ total: null })
    expect(second.list?.links.next).to.equal(null)
  })

  it('of a tag has the live content and locations with it', async () => {
    const coffee = await create(tag, { last_name_or_title: 'Coffee' })
    const tagged = [
      await create(content, article('a', { ...published, issued: '2026-02-01T08:00:00' })),
      await create(content, article('b')),
      await create(location, { title: 'A place', urlname: 'place', ...published }),
    ]
    for (const objectId of tagged)
      await right(
        stage.run(attachTag, as('admin'), { tagId: coffee, objectId, predicate: 'describes', body: {} }),
      )
    const { body, list } = await read('/tags/coffee/', 'admin', { total: 'true' })
    expect(list?.total).to.deep.equal({ count: 2, exact: true })
    expect(body).to.include({ kind: 'tag', feature_image: null })
    expect(list?.items.map(({ type, path }) => `${type} ${path}`)).to.deep.equal([
      'content /a/',
      'location /locations/place/',
    ])
  })

  it('of the homepage has its stories', async () => {
    const id = await create(content, article('a', published))
    const home = '40eba6e0-0000-4000-8000-000000000000'
    const items = [{ type: 'content', link_uuid: id, title: 'Read this' }]
    await right(
      stage.run(replaceStories('headline_stories'), as('admin'), { id: home, body: { auto: false, items } }),
    )
    const page = await bodyAt('/')
    expect(page).to.include({ kind: 'homepage', path: '/' })
    expect(at(page, 'headline_stories', 0)).to.deep.include({ title: 'Read this', picture: null })
    expect(at(page, 'headline_stories', 0, 'teaser', 'path')).to.equal('/a/')
    expect(page['featured_stories']).to.deep.equal([])
  })

  it('leads to the canonical path, and is not found where nothing is', async () => {
    const id = await create(content, article('a', published))
    expect(await bodyAt('/A')).to.deep.equal({ kind: 'redirect', location: '/a/', status: 301 })
    await right(stage.run(changeObject(content), as('admin'), { id, body: { urlname: 'b' } }))
    expect(await bodyAt('/a/')).to.deep.equal({ kind: 'redirect', location: '/b/', status: 301 })
    await right(stage.run(changeObject(content), as('admin'), { id, body: { state: 'draft' } }))
    const failure = await left(stage.run(readWebPage, as('public_user'), { parameters: { path: '/b/' } }))
    expect(failure._tag).to.equal('NotFound')
    expect(at(await bodyAt('/b/', 'admin'), 'seo', 'robots')).to.equal('noindex')
    await right(stage.run(removeObject(content), as('admin'), { id }))
    expect((await left(stage.run(readWebPage, as('admin'), { parameters: { path: '/b/' } })))._tag).to.equal(
      'NotFound',
    )
  })

  it('names all parameters that are not valid', async () => {
    const parameters = { path: 'x', page: '0', rpp: '1000' }
    const faults = await faultsOf(stage.run(readWebPage, as('admin'), { parameters }))
    expect(Object.keys(faults)).to.have.members(['path', 'page', 'rpp'])
  })
})
