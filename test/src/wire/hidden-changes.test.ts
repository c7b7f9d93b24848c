/** The public's feed has a change of an object only if the public sees one (docs/behaviour/changes.md#hidden-parts). */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { it } from 'mocha'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectOk, uuidOf } from '../harness/expect-response.js'
import type { Api, ApiResponse } from '../harness/http-client.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { objectWriter } from '../harness/object-writer.js'

/** A write of an admin, and whether the public sees anything of it. */
type Write = readonly [what: string, isSeen: boolean, write: (api: Api) => Promise<ApiResponse>]

onEveryStore('changes of what the public does not see', { directory_addon: true }, (place) => {
  const { content, published, location, tag } = objectWriter(place)

  /** Without what only says when something was written. */
  const withoutTimes = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(withoutTimes)
    if (!isJsonObject(value)) return value
    const { modified: _time = null, ...rest } = value
    return Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, withoutTimes(part)]))
  }

  /** Everything that the public reads at these addresses. */
  const readingOf = async (paths: readonly string[]): Promise<readonly Json[]> => {
    const read: Json[] = []
    for (const path of paths) read.push(withoutTimes(expectOk(await place.home.visitor.get(path)).object))
    return read
  }

  const feed = async (
    since: string,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly next: string }> => {
    const { items = null, next = null } = expectOk(
      await place.home.visitor.get(`/changes?since=${since}`),
    ).object
    if (!Array.isArray(items) || typeof next !== 'string') throw new Error('it is no page of the feed')
    return { items: items.filter(isJsonObject), next }
  }

  /** Makes the writes of an object one after the other, and compares what the public reads and its feed. */
  const expectFeed = async (paths: readonly string[], writes: readonly Write[]): Promise<void> => {
    for (const [what, isSeen, write] of writes) {
      const since = (await feed('now')).next
      const before = await readingOf(paths)
      expectOk(await write(place.home.admin))
      const after = await readingOf(paths)
      if (isSeen) expect(after, what).not.to.deep.equal(before)
      else expect(after, what).to.deep.equal(before)
      // A visible change marks the end: without it, an entry of the write could still be missing.
      const mark = await published()
      let page = await feed(since)
      const kinds: Json[] = []
      for (let read = 0; read < 50; read += 1) {
        kinds.push(
          ...page.items.flatMap(({ uuid, kind = null }) => (paths[0]?.includes(String(uuid)) ? [kind] : [])),
        )
        if (page.items.some(({ uuid }) => uuid === mark)) break
        page = await feed(page.next)
      }
      expect(kinds, what).to.deep.equal(isSeen ? ['updated'] : [])
    }
  }

  const link = (type: 'content' | 'location', id: string) => ({ type, target_uuid: id })

  it('are not in the feed of the public: content', async () => {
    const id = await published('article', { content: '<p>One</p>' })
    const [draft, shown, other] = [
      (await content('article')).slice(-36),
      await published(),
      await published(),
    ]
    const hiddenPlace = await location({ state: 'draft' })
    const [internal, provisional, approved] = await Promise.all(
      ['internal', 'provisional', 'approved'].map(async (state) => (await tag({ state })).slice(-36)),
    )
    const path = `/content/${id}`
    const deleted = await published()
    const paths = [path, `${path}/tags`, `${path}/related_links`, `${path}/slots`, `${path}/path_history`]
    await expectFeed(paths, [
      ['a tag that is internal', false, (api) => api.put(`/tags/${internal}/describes/${id}`, {})],
      ['a tag that is provisional', false, (api) => api.put(`/tags/${provisional}/authored/${id}`, {})],
      ['a tag that is approved', true, (api) => api.put(`/tags/${approved}/describes/${id}`, {})],
      ['no internal tag', false, (api) => api.delete(`/tags/${internal}/describes/${id}`)],
      ['no approved tag', true, (api) => api.delete(`/tags/${approved}/describes/${id}`)],
      ['a link to a draft', false, (api) => api.post(`${path}/related_links`, link('content', draft))],
      [
        'a link to a hidden place',
        false,
        (api) => api.post(`${path}/related_links`, link('location', hiddenPlace)),
      ],
      ['a link', true, (api) => api.post(`${path}/related_links`, link('content', shown))],
      [
        'the same links in another order, with another draft',
        false,
        (api) =>
          api.put(`${path}/related_links`, { items: [link('content', shown), link('content', draft)] }),
      ],
      ['a link less', true, (api) => api.put(`${path}/related_links`, { items: [link('content', draft)] })],
      ['no links', false, (api) => api.put(`${path}/related_links`, { items: [] })],
      [
        'a link to what will be deleted',
        true,
        (api) => api.post(`${path}/related_links`, link('content', deleted)),
      ],
    ])
    expectOk(await place.home.admin.delete(`/content/${deleted}`))
    await expectFeed(paths, [
      ['no link to what was deleted', false, (api) => api.put(`${path}/related_links`, { items: [] })],
      ['an earlier path', true, (api) => api.put(`${path}/path_history`, { items: [{ path: '/was/' }] })],
      ['a text', true, (api) => api.patch(path, { content: `<p>Two</p><slot id="${randomUUID()}"/>` })],
      ['a draft', false, (api) => api.patch(`${path}/draft`, { title: 'Later' })],
      ['another title', true, (api) => api.patch(path, { title: other })],
    ])
  })

  it('are not in the feed of the public: a roundup, and a review', async () => {
    const [draft, shown] = [(await content('article')).slice(-36), await published()]
    const roundup = `/content/${await published('roundup_content', {})}`
    await expectFeed(
      [roundup],
      [
        [
          'a draft',
          false,
          (api) => api.patch(roundup, { roundup_content_targets: [{ target_uuid: draft }] }),
        ],
        [
          'a story',
          true,
          (api) =>
            api.patch(roundup, { roundup_content_targets: [{ target_uuid: draft }, { target_uuid: shown }] }),
        ],
      ],
    )
    const review = `/content/${await published('review_location')}`
    const [hidden, seen] = [await location({ state: 'draft' }), await location({ state: 'published' })]
    await expectFeed(
      [review],
      [
        ['a hidden place', false, (api) => api.patch(review, { location_uuid: hidden })],
        ['a place', true, (api) => api.patch(review, { location_uuid: seen })],
      ],
    )
  })

  it('are not in the feed of the public: a location', async () => {
    const path = `/locations/${await location({ state: 'published', is_listing: true })}`
    const ended = { is_listing: true, listing_start: '2019-01-01', listing_expires: '2020-01-01' }
    await expectFeed(
      [path],
      [
        ['a contact', false, (api) => api.patch(path, { is_listing: true, contact_person: 'Ada' })],
        [
          'a street and a contact',
          true,
          (api) => api.patch(path, { is_listing: true, street: 'Ring', contact_person: 'Bea' }),
        ],
        ['a listing that has ended', true, (api) => api.patch(path, ended)],
        ['its sponsor', false, (api) => api.patch(path, { is_listing: true, sponsored: true })],
      ],
    )
  })

  it('are not in the feed of the public: a section, a tag category, the homepage, a comment', async () => {
    const { admin } = place.home
    const [draft, shown] = [(await content('article')).slice(-36), await published()]
    const [internal, approved] = await Promise.all(
      ['internal', 'approved'].map(async (state) => (await tag({ state })).slice(-36)),
    )
    const section = `/sections/${uuidOf(await admin.post('/sections', { title: 'A section' }))}`
    await expectFeed(
      [section],
      [
        ['a lead story that is a draft', false, (api) => api.patch(section, { content_uuid: draft })],
        ['a lead story', true, (api) => api.patch(section, { content_uuid: shown })],
      ],
    )
    const category = `/tags/categories/${uuidOf(await admin.post('/tags/categories', { title: 'Kinds' }))}`
    await expectFeed(
      [`${category}/tags`],
      [
        ['an internal member', false, (api) => api.post(`${category}/tags`, { tag_uuid: String(internal) })],
        ['a member', true, (api) => api.post(`${category}/tags`, { tag_uuid: String(approved) })],
      ],
    )
    const [homepage] = columnOf(await admin.get('/homepage?fields=uuid'))
    const stories = `/homepage/${String(homepage)}/headline_stories`
    const items = (...ids: readonly string[]) => ({
      items: ids.map((id) => ({ type: 'content', link_uuid: id })),
    })
    await expectFeed(
      [stories],
      [
        ['a draft as a story', false, (api) => api.put(stories, { auto: false, ...items(draft) })],
        ['a story', true, (api) => api.put(stories, { auto: false, ...items(draft, shown) })],
      ],
    )
    const body = { parent_type: 'content', parent_uuid: shown, comment: 'A comment', state: 'published' }
    const comment = `/comments/${uuidOf(await admin.post('/comments', body))}`
    await expectFeed(
      [comment],
      [
        ['an address', false, (api) => api.patch(comment, { email: 'bea@example.org' })],
        ['an edited text', true, (api) => api.patch(comment, { edited_comment: 'Edited' })],
        ['the text that was edited', false, (api) => api.patch(comment, { comment: 'Another comment' })],
      ],
    )
  })
})
