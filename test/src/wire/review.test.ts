/** The review of drafts, and the people of an instance (docs/behaviour/review.md). */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectError, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('the review of drafts', {}, (place) => {
  const article = (more: JsonObject = {}): JsonObject => ({
    content_type: 'article',
    title: 'One',
    urlname: randomUUID(),
    ...more,
  })
  const create = async (api: Api, more: JsonObject = {}): Promise<string> =>
    `/content/${uuidOf(await api.post('/content', article(more)))}`
  const idOf = async ({ token }: Api): Promise<string> =>
    String(expectOk(await createApi(place.service.url, token).get('/me')).object['uuid'])

  it('is requested by the contributor, answered by an editor, and ended by publication', async () => {
    const { contributor, editor, reader } = place.home.as
    const [author, chief] = [await idOf(contributor), await idOf(editor)]
    const request = { review: 'requested', review_note: 'Please', review_assignee: chief }
    const path = await create(contributor, request)
    const asked = { ...request, review_by: author, review_at: '2026-03-01T13:00:00' }
    expect(expectOk(await editor.get(path)).object).to.include(asked)
    expect(expectOk(await reader.get(path)).object).to.include({ review: null, review_note: null })
    expectFaults(await contributor.patch(path, { review: 'approved' }), 'review')
    const answer = { review: 'changes_requested', review_note: 'Shorter', review_assignee: author }
    expectOk(await editor.patch(path, answer))
    expectOk(await contributor.patch(path, { review: 'requested', review_note: 'Done' }))
    expectOk(await editor.patch(path, { state: 'published' }))
    const none = { review: null, review_note: null, review_assignee: null, review_by: null, review_at: null }
    expect(expectOk(await editor.get(path)).object).to.include(none)
  })

  it('is assigned to users of this instance who may edit, and no part of drafts and versions', async () => {
    const { contributor, editor, reader } = place.home.as
    const elsewhere = await createPublication(place.service)
    const path = await create(contributor)
    for (const nobody of [await idOf(reader), await idOf(elsewhere.editor), randomUUID()])
      expectFaults(
        await contributor.patch(path, { review: 'requested', review_assignee: nobody, title: '' }),
        'review_assignee',
        'title',
      )
    expectOk(await contributor.patch(path, { review: 'requested', review_assignee: await idOf(contributor) }))
    expectOk(await editor.patch(`${path}/draft`, { title: 'Two', review: null }))
    expect(expectOk(await editor.get(path)).object).to.include({ review: 'requested', title: 'One' })
    expectOk(await editor.post(`${path}/versions/1/restore`, {}))
    expect(expectOk(await editor.get(path)).object).to.include({ review: 'requested' })
  })

  it('selects and orders lists, for those who read it', async () => {
    const { contributor, editor, reader, public_user: visitor } = place.home.as
    const [author, chief] = [await idOf(contributor), await idOf(editor)]
    const first = await create(contributor, { review: 'requested', review_assignee: chief })
    place.service.clock.advance(60_000)
    const second = await create(contributor, { review: 'requested' })
    const third = await create(editor, { review: 'approved' })
    await create(contributor)
    const listed = async (query: string) =>
      columnOf(await editor.get(`/content?fields=uuid&${query}`, fresh)).map((id) => `/content/${String(id)}`)
    expect(await listed('review=requested&order=review_at.desc')).to.deep.equal([second, first])
    expect(await listed('review=requested-approved&order=review_at')).to.deep.equal([first, second, third])
    expect(await listed(`review_assignee=${chief}`)).to.deep.equal([first])
    expect(await listed(`created_by=${author}&review=requested&state=draft`)).to.deep.equal([first, second])
    for (const filter of ['review=requested', `review_assignee=${chief}`])
      expectFaults(await reader.get(`/content?${filter}`), filter.split('=')[0] ?? '')
    expectFaults(await visitor.get(`/content?created_by=${author}`), 'created_by')
    expectOk(await reader.get(`/content?created_by=${author}`))
  })

  // docs/behaviour/review.md#people
  it('is for the people of the instance, who are listed for each other', async () => {
    const { admin, contributor, editor, reader } = place.home.as
    const people = rowsOf(await contributor.get('/people', fresh))
    const ids = await Promise.all([admin, contributor, editor].map(idOf))
    expect(people.map(([id, , role]) => [id, role])).to.have.deep.members([
      [ids[0], 'admin'],
      [ids[1], 'contributor'],
      [ids[2], 'editor'],
    ])
    const names = people.map(([, name]) => String(name))
    expect(names).to.deep.equal(names.toSorted((one, other) => (one < other ? -1 : 1)))
    const last = columnOf(await contributor.get('/people?fields=name&rpp=2&order=name.desc', fresh))
    expect(last).to.deep.equal(names.toReversed().slice(0, 2))
    expectError(await reader.get('/people'), 403, 'forbidden')
  })
})
