/** docs/behaviour/sections.md, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, infoOf, uuidOf } from '../harness/expect-response.js'
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

  // docs/behaviour/sections.md#position
  it('sets ord after the last sibling by default', async () => {
    const parent = await create('parent')
    const ords = []
    for (const [urlname, more] of [
      ['a', {}],
      ['b', { ord: 40 }],
      ['c', {}],
      ['d', { ord: -3 }],
      ['e', {}],
    ] as const)
      ords.push((await read(await create(urlname, { parent_uuid: parent, ...more })))['ord'])
    expect(ords).to.deep.equal([1, 40, 41, -3, 42])
    expect((await read(await create('other')))['ord']).to.equal(2)
  })

  // docs/behaviour/limits.md#declared-limits
  it('accepts a title of the declared length in characters, and reports a longer one', async () => {
    const id = await create('a')
    const title = '😀'.repeat(255)
    expectOk(await place.home.admin.patch(`/sections/${id}`, { title }))
    expect(await read(id)).to.include({ title })
    expectFaults(await place.home.admin.patch(`/sections/${id}`, { title: `${title}x` }), 'title')
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

  // docs/behaviour/sections.md#required
  it('keeps urlname unique per parent, also after a move and with simultaneous creations', async () => {
    const [a, b] = [await create('a'), await create('b')]
    const inA = await create('x', { parent_uuid: a })
    await create('x', { parent_uuid: b })
    expectFaults(await place.home.admin.patch(`/sections/${inA}`, { parent_uuid: b }), 'urlname')
    expectFaults(
      await place.home.admin.patch(`/sections/${inA}`, { parent_uuid: null, urlname: 'b' }),
      'urlname',
    )
    expectOk(await place.home.admin.patch(`/sections/${inA}`, { parent_uuid: b, urlname: 'y' }))
    await create('x', { parent_uuid: a })
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => place.home.admin.post('/sections', { title: 't', urlname: 'same' })),
    )
    expect(responses.filter(({ status }) => status === 200)).to.have.lengthOf(1)
    for (const response of responses.filter(({ status }) => status !== 200))
      expect(infoOf(response)).to.have.all.keys('urlname')
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

  // docs/behaviour/sections.md#tree
  it('rejects a parent_uuid that makes a cycle of any length or nests too deep', async () => {
    const chain: string[] = []
    for (let depth = 0; depth < 4; depth += 1)
      chain.push(await create(`s${depth}`, depth === 0 ? {} : { parent_uuid: chain[depth - 1] ?? null }))
    const [top = '', ...below] = chain
    for (const parent of chain)
      expectFaults(await place.home.admin.patch(`/sections/${top}`, { parent_uuid: parent }), 'parent_uuid')
    const id = randomUUID()
    expectFaults(
      await place.home.admin.put(`/sections/${id}`, { title: 'x', urlname: 'x', parent_uuid: id }),
      'parent_uuid',
    )
    expectOk(await place.home.admin.patch(`/sections/${below[1] ?? ''}`, { parent_uuid: null }))
    expectOk(await place.home.admin.patch(`/sections/${top}`, { parent_uuid: below[2] ?? null }))
    let parent = await create('deep')
    let rejected = false
    for (let depth = 1; depth < 40 && !rejected; depth += 1) {
      const response = await place.home.admin.post('/sections', {
        title: 'x',
        urlname: 'x',
        parent_uuid: parent,
      })
      rejected = response.status !== 200
      if (rejected) expectFaults(response, 'parent_uuid')
      else parent = uuidOf(response)
    }
    expect(rejected).to.equal(true)
    // Sections below a moved section may not nest too deep either: `parent` has the greatest permitted depth.
    const above = String(expectOk(await place.home.admin.get(`/sections/${parent}`)).object['parent_uuid'])
    const leaf = await create('leaf')
    const holder = await create('holder')
    expectOk(await place.home.admin.patch(`/sections/${leaf}`, { parent_uuid: holder }))
    expectFaults(await place.home.admin.patch(`/sections/${holder}`, { parent_uuid: above }), 'parent_uuid')
    expectOk(await place.home.admin.patch(`/sections/${leaf}`, { parent_uuid: above }))
    expectOk(await place.home.admin.patch(`/sections/${holder}`, { parent_uuid: above }))
  })

  it('makes no cycle by simultaneous moves', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b, c] = [await create(`a${round}`), await create(`b${round}`), await create(`c${round}`)]
      const moves = [
        [a, b],
        [b, c],
        [c, a],
      ] as const
      await Promise.all(
        moves.map(([id, parent]) => place.home.admin.patch(`/sections/${id}`, { parent_uuid: parent })),
      )
      const parents = new Map<unknown, unknown>()
      for (const id of [a, b, c]) parents.set(id, (await read(id))['parent_uuid'])
      for (const start of [a, b, c]) {
        let at: unknown = start
        for (let step = 0; step < 3 && at !== null; step += 1) at = parents.get(at)
        expect(at, 'the top is reached').to.equal(null)
      }
    }
  })
})
