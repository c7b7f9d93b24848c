/** Previews of objects with their drafts (docs/behaviour/drafts.md#previews). */
import { content, location, section, tag, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { readMe } from '../deployment-operations.js'
import {
  addToPathHistory,
  addDraftMedium,
  addDraftRelatedLink,
  attachTag,
  changeDraft,
  changeObject,
  changeSettings,
  createObject,
  createPreview,
  listMedia,
  listObjects,
  listSlots,
  listTags,
  publishDraft,
  readContentInfo,
  readDraft,
  readObject,
  readRelatedLinks,
  readWebPage,
  removeObject,
  removePreviews,
  resolvePath,
  restoreFromTrash,
  sendVisitorComment,
} from '../operations.js'
import type { InstanceRequest } from '../operation-request.js'
import {
  article,
  aSection,
  createStage,
  faultsOf,
  forbidden,
  left,
  right,
  type Stage,
} from '../test-support/stage.js'
import { userCommands } from '../test-support/user-commands.js'

const slotId = 'd939cb21-058f-4b2d-b679-5f052676aaae'
const hour = 3_600_000
const day = 24 * hour

describe('a preview of an object', () => {
  let stage: Stage
  let user: string
  let key: string
  beforeEach(async () => {
    stage = await createStage()
    user = (await right(userCommands(stage).create('ed'))).user
    await right(userCommands(stage).grant(user, 1, 'editor'))
    key = (await right(stage.useCases.administerKeys.create({ user }))).api_key
    await right(
      stage.run(changeSettings, stage.as('admin'), { body: { website_url: 'https://www.example.org' } }),
    )
  })

  const asEditor = (): InstanceRequest => {
    const request = stage.as('editor')
    if (request.identity === null || E.isLeft(request.identity)) throw new Error('no identity')
    return { ...request, requestId: 'r', identity: E.right({ ...request.identity.right, id: user, key }) }
  }
  const create = (body: JsonObject) => right(stage.run(createObject(content), asEditor(), { body }))
  const draft = (id: string, body: JsonObject) =>
    right(stage.run(changeDraft(content), asEditor(), { id, body }))
  const previewOf = (id: string, body: JsonObject = {}, resource: Resource = content) =>
    stage.run(createPreview(resource), asEditor(), { id, body })
  const tokenOf = async (id: string, body: JsonObject = {}, resource: Resource = content) =>
    String((await right(previewOf(id, body, resource)))['token'])
  /** A request with the token, as a process that has not seen it yet. */
  const withToken = async (token: string, process = stage.anotherProcess()): Promise<InstanceRequest> => ({
    ...stage.as('public_user'),
    identity: await process.principals(token)(),
  })
  const readAs = (request: InstanceRequest, id: string, parameters = {}) =>
    stage.run(readObject(content), request, { id, parameters })
  const tagOf = (failing: Parameters<typeof left>[0]) => left(failing).then(({ _tag }) => _tag)
  const resolveAs = (request: InstanceRequest, path: string) =>
    stage.run(resolvePath, request, { parameters: { path } })

  it('sends no comments, also where everybody may', async () => {
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_comments: true } }))
    const published = { state: 'published', issued: '2026-01-01T00:00:00' }
    const [unpublished, visible] = [await create(article('a')), await create(article('b', published))]
    const body = { comment: 'Later trams!', creator: 'Ada' }
    for (const previewed of [unpublished, visible]) {
      const request = await withToken(await tokenOf(previewed))
      for (const id of [unpublished, visible])
        expect(await left(stage.run(sendVisitorComment, request, { id, body }))).to.deep.equal(forbidden)
    }
    await right(
      stage.run(sendVisitorComment, { ...stage.as('public_user'), identity: null }, { id: visible, body }),
    )
  })

  it('shows the page of the draft, which search engines do not list', async () => {
    const id = await create(article('a', { state: 'published' }))
    await draft(id, { title: 'Two', urlname: 'two' })
    const request = await withToken(await tokenOf(id))
    const page = await right(stage.run(readWebPage, request, { parameters: { path: '/two/' } }))
    expect(page.body['object']).to.deep.include({ title: 'Two' })
    expect(page.body['seo']).to.deep.include({ title: 'Two', robots: 'noindex' })
  })

  it('shows the draft of an object that is published, or not, and what it has', async () => {
    const place = await stage.create(location, { title: 'Place', urlname: 'place', state: 'published' })
    const tagId = await stage.create(tag, { last_name_or_title: 'Wine', state: 'approved' })
    const target = await create(article('target', { state: 'published' }))
    for (const state of ['draft', 'published']) {
      const id = await create({
        ...article(`of-${state}`, { title: 'One', state }),
        content_type: 'review_location',
        location_uuid: place,
        rating: '4',
      })
      await right(stage.run(attachTag, asEditor(), { tagId, predicate: 'describes', objectId: id, body: {} }))
      await draft(id, { title: 'Two', content: `<slot id="${slotId}"/>` })
      const medium = { type: 'embed', embed_code: '<b/>' }
      await right(stage.run(addDraftMedium, asEditor(), { contentId: id, slotId, body: medium }))
      const link = { type: 'content', target_uuid: target }
      await right(stage.run(addDraftRelatedLink, asEditor(), { id, body: link }))
      const request = await withToken(await tokenOf(id))
      const shown = await right(readAs(request, id, { include: 'location' }))
      expect(shown).to.include({ title: 'Two', state })
      expect(shown).not.to.have.property('has_draft')
      expect(shown['included']).to.have.property(place)
      expect(await right(stage.run(listSlots, request, { contentId: id }))).to.have.lengthOf(1)
      const inObject = { id, parameters: {} }
      for (const { items } of [
        await right(stage.run(listMedia, request, { contentId: id, slotId, parameters: {} })),
        await right(stage.run(readRelatedLinks, request, inObject)),
        await right(stage.run(listTags(content), request, { ...inObject, predicate: null })),
      ])
        expect(items).to.have.lengthOf(1)
      expect(await right(stage.run(readContentInfo, request, { id }))).to.deep.equal({
        public_url: `https://www.example.org/of-${state}/`,
      })
      expect(await right(resolveAs(request, `/of-${state}/`))).to.include({ uuid: id })
    }
  })

  it('shows later changes of the draft, and the object once it is published', async () => {
    const id = await create(article('a', { title: 'One', state: 'published' }))
    const request = await withToken(await tokenOf(id))
    const title = async () => (await right(readAs(request, id)))['title']
    expect(await title()).to.equal('One')
    await draft(id, { title: 'Two' })
    expect(await title()).to.equal('Two')
    await draft(id, { title: 'Three' })
    expect(await title()).to.equal('Three')
    await right(stage.run(publishDraft(content), asEditor(), { id }))
    await right(stage.run(changeObject(content), asEditor(), { id, body: { kicker: 'K' } }))
    expect(await right(readAs(request, id))).to.include({ title: 'Three', kicker: 'K' })
  })

  it('is at the path of the draft', async () => {
    const parent = await stage.create(section, aSection('news'))
    const id = await create(article('a', { state: 'published' }))
    const other = await create(article('b', { state: 'published' }))
    await draft(id, { urlname: 'c', section_uuid: parent })
    const request = await withToken(await tokenOf(id))
    expect(await right(resolveAs(request, '/news/c/'))).to.include({ uuid: id, path: '/news/c/' })
    await right(stage.run(addToPathHistory(content), stage.as('admin'), { id, body: { path: '/earlier/' } }))
    for (const former of ['/a/', '/earlier/'])
      expect(await right(resolveAs(request, former))).to.deep.equal({
        type: 'redirect',
        location: '/news/c/',
        status: 302,
      })
    expect(await right(resolveAs(request, '/b/'))).to.include({ uuid: other })
    expect(await right(resolveAs(stage.as('public_user'), '/a/'))).to.include({ uuid: id })
    expect(await tagOf(resolveAs(stage.as('public_user'), '/news/c/'))).to.equal('NotFound')
  })

  it('shows nothing else that is not public, and writes nothing', async () => {
    const id = await create(article('a', { title: 'One', state: 'published' }))
    const hidden = await create(article('b'))
    await draft(id, { title: 'Two' })
    await draft(hidden, { title: 'Hidden' })
    const request = await withToken(await tokenOf(id))
    expect(await tagOf(readAs(request, hidden))).to.equal('NotFound')
    const { items } = await right(
      stage.run(listObjects(content), request, { parameters: { fields: 'title' } }),
    )
    expect(items).to.deep.equal([['One']])
    for (const run of [
      stage.run(readDraft(content), request, { id }),
      stage.run(changeObject(content), request, { id, body: { title: 'X' } }),
      stage.run(changeDraft(content), request, { id, body: { title: 'X' } }),
      stage.run(createPreview(content), request, { id, body: {} }),
      stage.run(removePreviews(content), request, { id }),
      stage.run(removeObject(content), request, { id }),
      readAs({ ...request, instance: 2 }, id),
      stage.useCases.executeOnDeployment(readMe, request, async () => E.right(null)),
    ])
      expect(await tagOf(run)).to.equal('Forbidden')
  })

  it('is of a location too', async () => {
    const id = await right(
      stage.run(createObject(location), asEditor(), { body: { title: 'L', urlname: 'l', state: 'draft' } }),
    )
    await right(stage.run(changeDraft(location), asEditor(), { id, body: { title: 'M' } }))
    const request = await withToken(await tokenOf(id, {}, location))
    expect(await right(stage.run(readObject(location), request, { id, parameters: {} }))).to.include({
      title: 'M',
      state: 'draft',
    })
    expect(await right(resolveAs(request, '/locations/l/'))).to.include({ uuid: id })
  })

  it('has the address that the setting says', async () => {
    const parent = await stage.create(section, aSection('news'))
    const id = await create(article('a', { section_uuid: parent }))
    expect(await right(previewOf(id))).to.include({ url: null })
    const set = (template: string) =>
      stage.run(changeSettings, stage.as('admin'), { body: { preview_url: template } })
    await right(set('https://www.example.org/preview{path}?token={token}'))
    await draft(id, { urlname: 'b' })
    const { token, url, expires } = await right(previewOf(id))
    expect(url).to.equal(`https://www.example.org/preview/news/b/?token=${String(token)}`)
    expect(expires).to.equal('2026-03-02T12:00:00.000Z')
    for (const wrong of [
      'https://www.example.org/{path}',
      'javascript:{path}{token}',
      'https://{path}{token}',
    ])
      expect(await faultsOf(set(wrong)), wrong).to.have.property('preview_url')
  })

  it('is valid from an hour to 14 days, one day by default', async () => {
    const id = await create(article('a'))
    for (const seconds of [3599, 14 * 86_400 + 1, 0, 'soon'])
      expect(await faultsOf(previewOf(id, { expires_in: seconds })), String(seconds)).to.have.property(
        'expires_in',
      )
    for (const [body, lasts] of [
      [{ expires_in: 3600 }, hour],
      [{}, day],
      [{ expires_in: 14 * 86_400 }, 14 * day],
    ] as const) {
      const token = await tokenOf(id, body)
      stage.clock.advance(lasts - 1)
      await right(readAs(await withToken(token), id))
      stage.clock.advance(1)
      expect(await tagOf(readAs(await withToken(token), id))).to.equal('InvalidToken')
    }
    expect(await stage.useCases.expireTokens()).to.equal(3)
  })

  it('ends when all of the object are ended, and other previews do not', async () => {
    const [id, other] = [await create(article('a')), await create(article('b'))]
    const [first, second, third] = [await tokenOf(id), await tokenOf(id), await tokenOf(other)]
    const process = stage.anotherProcess()
    await right(readAs(await withToken(first, process), id))
    await right(stage.run(removePreviews(content), asEditor(), { id }))
    stage.clock.advance(5000)
    for (const token of [first, second])
      expect(await tagOf(readAs(await withToken(token, process), id))).to.equal('InvalidToken')
    await right(readAs(await withToken(third), other))
    await right(stage.useCases.revokeToken(third))
    expect(await tagOf(readAs(await withToken(third), other))).to.equal('InvalidToken')
  })

  it('ends with the object, and is none of a restored one', async () => {
    const id = await create(article('a'))
    const request = await withToken(await tokenOf(id))
    await right(stage.run(removeObject(content), asEditor(), { id }))
    expect(await tagOf(readAs(request, id))).to.equal('InvalidToken')
    await right(stage.run(restoreFromTrash, asEditor(), { collection: 'content', id }))
    expect(await tagOf(readAs(request, id))).to.equal('InvalidToken')
  })

  for (const [what, end] of [
    ['the key', () => right(stage.useCases.administerKeys.revoke(key))],
    ['the role', () => right(userCommands(stage).revokeRole(user, { instance: 1, role: 'editor' }))],
  ] as const)
    it(`ends with ${what} of who has made it`, async () => {
      const id = await create(article('a'))
      const token = await tokenOf(id)
      await end()
      expect(await tagOf(readAs(await withToken(token), id))).to.equal('InvalidToken')
    })

  it('is no use of the key of who has made it, and does not count against the limit of that user', async () => {
    const id = await create(article('a'))
    const process = stage.anotherProcess()
    const request = await withToken(await tokenOf(id), process)
    await process.keyUses.write()
    const stored = await right(stage.documents.get('keys', 0, key))
    expect(stored?.value['last_used'] ?? null).to.equal(null)
    const { identity } = request
    expect(identity !== null && E.isRight(identity) ? identity.right.id : user).to.equal(null)
  })

  it('is made by those who may change the object', async () => {
    const id = await create(article('a'))
    for (const role of ['contributor', 'reader', 'public_user'] as const) {
      expect(await tagOf(stage.run(createPreview(content), stage.as(role), { id, body: {} }))).to.equal(
        'Forbidden',
      )
      expect(await tagOf(stage.run(removePreviews(content), stage.as(role), { id }))).to.equal('Forbidden')
    }
  })
})
