/** Comments of visitors (docs/behaviour/comments-and-links.md#visitors-comments). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService } from '../harness/start-test-service.js'

const sent = { comment: 'The last tram should run later.', creator: 'Ada', email: 'ada@example.org' }

const publish = async ({ admin }: Publication, body: JsonObject = {}): Promise<string> =>
  uuidOf(
    await admin.post('/content', {
      content_type: 'article',
      title: 'Trams',
      urlname: crypto.randomUUID(),
      state: 'published',
      issued: '2026-01-01',
      ...body,
    }),
  )

onEveryStore('comments of visitors', { public_comments: true }, (place) => {
  const send = (id: string, body: JsonObject, api = place.home.anonymous) =>
    api.post(`/content/${id}/visitor_comments`, body)
  const commentsOn = async (id: string): Promise<readonly JsonObject[]> => {
    const { items } = expectOk(
      await place.home.admin.get(`/comments?content=${id}&fields=uuid,comment,creator,state,parent_uuid`),
    ).object as { readonly items: readonly (readonly string[])[] }
    return items.map(([uuid = '', comment = '', creator = '', state = '', parent_uuid = '']) => ({
      uuid,
      comment,
      creator,
      state,
      parent_uuid,
    }))
  }

  it('are drafts until an editor publishes them, and have a record without the address', async () => {
    const { admin, anonymous, visitor, number } = place.home
    const id = await publish(place.home)
    for (const api of [anonymous, visitor])
      expect(expectOk(await send(id, sent, api)).object).to.deep.equal({ msg: 'received' })
    const [first] = await commentsOn(id)
    expect(first).to.include({ comment: sent.comment, creator: 'Ada', state: 'draft', parent_uuid: id })
    const path = `/comments/${String(first?.['uuid'])}`
    expectError(await visitor.get(path), 404, 'not_found')
    expectOk(await admin.patch(path, { state: 'published' }))
    expect(expectOk(await visitor.get(path)).object).to.include({ creator: 'Ada', email: null })
    const audit = expectOk(
      await admin.get(`/audit?operations=sendVisitorComment&fields=name,address,object,operation`),
    ).object as { readonly items: readonly (readonly (string | null)[])[] }
    expect(audit.items.find(([name]) => name === 'visitor')?.[1], String(number)).to.equal(null)
  })

  it('reply to published comments on the same content', async () => {
    const { admin } = place.home
    const [id, other] = [await publish(place.home), await publish(place.home)]
    expectOk(await send(id, sent))
    const [first] = await commentsOn(id)
    const reply_to = String(first?.['uuid'])
    expectFaults(await send(id, { ...sent, reply_to }), 'reply_to')
    expectOk(await admin.patch(`/comments/${reply_to}`, { state: 'published' }))
    expectFaults(await send(other, { ...sent, reply_to }), 'reply_to')
    expectOk(await send(id, { ...sent, comment: 'A reply.', reply_to }))
    expect((await commentsOn(id)).map(({ parent_uuid }) => parent_uuid)).to.have.members([id, reply_to])
  })

  it('have named faults, and are discarded if a program has filled in the trap', async () => {
    const id = await publish(place.home)
    expectFaults(await send(id, {}), 'comment', 'creator')
    expectFaults(await send(id, { ...sent, comment: 'x'.repeat(5001), email: 'none' }), 'comment', 'email')
    expectFaults(await send(id, { ...sent, reply_to: 'x' }), 'reply_to')
    expectOk(await send(id, { ...sent, website: 'https://spam.example.org' }))
    expect(await commentsOn(id)).to.deep.equal([])
    expectOk(await send(id, { ...sent, website: '' }))
    expect(await commentsOn(id)).to.have.lengthOf(1)
  })

  it('are for content that the public sees, and need the setting', async () => {
    const { admin, editor } = place.home
    const [id, draft] = [await publish(place.home), await publish(place.home, { state: 'draft' })]
    for (const hidden of [draft, crypto.randomUUID()]) expectError(await send(hidden, sent), 404, 'not_found')
    expectOk(await admin.patch('/settings', { public_comments: false }))
    expectError(await send(id, sent), 401, 'unauthorized')
    expectError(await send(id, sent, editor), 403, 'forbidden')
    expect(await commentsOn(id)).to.deep.equal([])
  })
})

describe('comments of visitors from one address', () => {
  it('are limited, apart from its other requests', async () => {
    const service = await startTestService({
      RATE_LIMIT: 'process',
      RATE_LIMIT_COMMENTS: '2',
    })
    try {
      const home = await createPublication(service, { public_comments: true, public_reading: true })
      const id = await publish(home)
      const send = () => home.anonymous.post(`/content/${id}/visitor_comments`, sent)
      for (let count = 0; count < 2; count += 1) expectOk(await send())
      const { headers } = expectError(await send(), 429, 'too_many_requests')
      expect(headers['ratelimit-policy']).to.equal('"comments";q=2;w=60')
      expectOk(await home.anonymous.get(`/content/${id}`))
      service.clock.advance(60_000)
      expectOk(await send())
    } finally {
      await service.stop()
    }
  })
})
