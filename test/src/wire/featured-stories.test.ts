/** The featured stories of sections (docs/behaviour/sections.md#featured-stories). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('featured stories of a section', {}, (place) => {
  const section = async (body: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.admin.post('/sections', { title: 'x', urlname: randomUUID(), ...body }))
  const article = async (section_uuid: string, issued: string, body: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.admin.post('/content', {
        content_type: 'article',
        title: 'x',
        urlname: randomUUID(),
        state: 'published',
        section_uuid,
        issued,
        ...body,
      }),
    )
  const stories = async (
    id: string,
    client = place.home.visitor,
    headers: Readonly<Record<string, string>> = fresh,
  ) => objectsOf(await client.get(`/sections/${id}/featured_stories`, headers))
  const shown = async (id: string, client = place.home.visitor) =>
    (await stories(id, client)).map(({ link_uuid }) => link_uuid)

  it('are the lead story and the newest live content in it and below it', async () => {
    const top = await section({ auto_featured_stories_num: 3 })
    const below = await section({ parent_uuid: await section({ parent_uuid: top }) })
    const [oldest, old, recent, newest] = [
      await article(top, '2025-01-01', { title: 'Lead', description: 'First' }),
      await article(below, '2025-02-01'),
      await article(top, '2025-03-01'),
      await article(below, '2025-04-01'),
    ]
    await article(below, '2025-05-01', { state: 'draft' })
    await article(below, '2999-01-01')
    await article(await section(), '2025-06-01')
    for (const client of [place.home.visitor, place.home.admin])
      expect(await shown(top, client)).to.deep.equal([newest, recent, old])
    const { admin } = place.home
    expectOk(await admin.patch(`/sections/${top}`, { content_uuid: oldest }))
    expect(await shown(top)).to.deep.equal([oldest, newest, recent])
    expect((await stories(top))[0]).to.deep.include({ type: 'content', title: 'Lead', description: 'First' })
    expectOk(await admin.patch(`/content/${oldest}`, { state: 'draft' }))
    expect(await shown(top, admin)).to.deep.equal([newest, recent, old])
    expectOk(await admin.patch(`/sections/${top}`, { auto_featured_stories: false, content_uuid: recent }))
    expect(await shown(top)).to.deep.equal([recent])
  })

  it('follow writes at once', async () => {
    const top = await section()
    const below = await section({ parent_uuid: top })
    const cached = async () => (await stories(top, place.home.visitor, {})).map(({ link_uuid }) => link_uuid)
    expect(await cached()).to.deep.equal([])
    const id = await article(below, '2025-01-01')
    expect(await cached()).to.deep.equal([id])
    expectOk(await place.home.admin.patch(`/sections/${below}`, { parent_uuid: null }))
    expect(await cached()).to.deep.equal([])
  })

  it('are found below several hundred sections', async () => {
    const top = await section({ auto_featured_stories_num: 4 })
    const children = await Promise.all(Array.from({ length: 300 }, () => section({ parent_uuid: top })))
    const expected: string[] = []
    for (const index of [299, 0, 150, 40])
      expected.unshift(await article(children[index] ?? '', `2025-01-0${expected.length + 1}`))
    expect(await shown(top)).to.deep.equal(expected)
  }).timeout(60_000)

  it('do not exist for an unknown section', async () => {
    const path = `/sections/${randomUUID()}/featured_stories`
    expectError(await place.home.reader.get(path), 404, 'not_found')
  })
})
