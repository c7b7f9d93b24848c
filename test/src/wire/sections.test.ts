/** docs/behaviour/sections.md, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('sections', {}, (place) => {
  const create = async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.admin.post('/sections', { title: urlname, urlname, ...more }))
  const read = async (id: string): Promise<JsonObject> =>
    expectOk(await place.home.admin.get(`/sections/${id}`)).object

  it('requires a title, and returns every field with its default', async () => {
    expectFaults(await place.home.admin.post('/sections', {}), 'title')
    const id = await create('a')
    const { created, modified, created_by, ...section } = await read(id)
    expect([created, modified]).to.deep.equal(['2026-03-01T13:00:00', '2026-03-01T13:00:00'])
    expect(created_by).to.be.a('string')
    expect(section).to.deep.equal({
      uuid: id,
      url: `${place.home.url}/sections/${id}`,
      title: 'a',
      urlname: 'a',
      path: '/a/',
      ord: 1,
      parent_uuid: null,
      auto_featured_stories: true,
      auto_featured_stories_num: 5,
      externalurl: null,
      feature_image_uuid: null,
      feature_image_url: null,
      content_uuid: null,
      lead_story_url: null,
      hide_in_nav: false,
      meta_title: null,
      meta_description: null,
      meta_keywords: null,
      show_prev_next: false,
    })
  })

  // docs/behaviour/sections.md#feature-image
  // docs/behaviour/sections.md#lead-story, docs/behaviour/writing.md#image-attributes
  it('writes feature_image_url by feature_image_uuid, and lead_story_url by content_uuid', async () => {
    const image = await storeImage(place.home.editor)
    const story = uuidOf(
      await place.home.editor.post('/content', { content_type: 'article', title: 'x', urlname: 'x' }),
    )
    const id = await create('a', {
      feature_image_uuid: image.id,
      content_uuid: story,
      feature_image_url: 'ignored',
      lead_story_url: 'ignored',
    })
    expect(await read(id)).to.include({
      feature_image_uuid: image.id,
      feature_image_url: `${place.home.url}${image.download}`,
      content_uuid: story,
      lead_story_url: `${place.home.url}/content/${story}`,
    })
  })

  // docs/behaviour/collections.md#periods
  it('are listed by the time of their last change', async () => {
    const [first, second] = [await create('first'), await create('second')]
    const since = '2026-03-01T14:00:00'
    place.service.clock.advance(3_600_000)
    expectOk(await place.home.admin.patch(`/sections/${first}`, { hide_in_nav: true }))
    const listed = async (query: string) =>
      columnOf(await place.home.reader.get(`/sections?fields=uuid&uuid=${first}_${second}&${query}`))
    expect(await listed('order=modified.desc')).to.deep.equal([first, second])
    expect(await listed(`modified=${since}_`)).to.deep.equal([first])
    expect(await listed(`modified=_${since}`)).to.deep.equal([second])
    expect(await listed(`created=${since}_`)).to.deep.equal([])
  })

  // docs/behaviour/collections.md#subtree
  it('select what is in them and below them with subtree', async () => {
    const [top, other] = [await create('top'), await create('other')]
    const middle = await create('middle', { parent_uuid: top })
    const leaf = await create('leaf', { parent_uuid: middle })
    const write = async (section_uuid: string | null, content_type = 'article'): Promise<string> =>
      uuidOf(
        await place.home.editor.post('/content', {
          content_type,
          title: 'x',
          urlname: randomUUID(),
          section_uuid,
          ...(content_type === 'event' ? { dtstart: '2026-04-01T20:00:00' } : {}),
        }),
      )
    const inTop = await write(top)
    const inLeaf = await write(leaf)
    const event = await write(middle, 'event')
    const inOther = await write(other)
    const listed = async (query: string, column = 'uuid') =>
      columnOf(await place.home.reader.get(`/${query}&fields=${column}`))
    expect(await listed(`content?sections=${top}`)).to.deep.equal([inTop])
    expect(await listed(`content?sections=${top}&subtree=false`)).to.deep.equal([inTop])
    expect(await listed(`content?sections=${top}&subtree=true`)).to.deep.equal([inTop, inLeaf, event])
    expect(await listed(`content?sections=${middle}_${other}&subtree=true`)).to.deep.equal([
      inLeaf,
      event,
      inOther,
    ])
    expect(await listed(`content?sections=${randomUUID()}&subtree=true`)).to.deep.equal([])
    expect(await listed(`events?sections=${top}&subtree=true`)).to.deep.equal([event])
    expect(
      await listed(
        `events/occurrences?sections=${top}&subtree=true&period=2026-01-01_2027-01-01`,
        'event_uuid',
      ),
    ).to.deep.equal([event])
    expectFaults(await place.home.reader.get('/content?subtree=true'), 'subtree')
    expectFaults(await place.home.reader.get(`/content?sections=${top}&subtree=yes`), 'subtree')
  })
})
