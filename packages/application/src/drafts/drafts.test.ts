/** The draft of an object, and its publication (docs/behaviour/drafts.md). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, file, location, section, tag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { listingImages } from '@publishing-service/domain/locations'
import { maxAppendedBytes } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Precondition } from '../engine/precondition.js'
import {
  addDraftMedium,
  addDraftMember,
  addDraftRelatedLink,
  attachDraftTag,
  attachTag,
  changeDraft,
  changeObject,
  changeSettings,
  createObject,
  detachDraftTag,
  listDraftMedia,
  listDraftSlots,
  listDraftTags,
  listInstanceAudit,
  listMedia,
  listObjects,
  listTagged,
  listTags,
  listVersions,
  publishDraft,
  readDraft,
  readDraftMembers,
  readDraftRelatedLinks,
  readDraftSlot,
  readDraftTagging,
  readMembers,
  readObject,
  readRelatedLinks,
  removeDraft,
  removeDraftSlot,
  removeObject,
  replaceDraft,
  replaceDraftMembers,
  replaceDraftSlot,
  replaceMembers,
  replaceObject,
  restoreFromTrash,
  uploadFile,
} from '../operations.js'
import { bodyOf } from '../test-support/ascii.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { article, aSection, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'

const slotId = 'd939cb21-058f-4b2d-b679-5f052676aaae'

describe('the draft of an object', () => {
  let store: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    store = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents: store })
  })

  type By = 'admin' | 'editor' | 'contributor' | 'reader' | 'public_user'
  const as = (role: By) => ({ ...stage.as(role), requestId: 'r' })
  const create = (body: JsonObject, by: By = 'admin') =>
    right(stage.run(createObject(content), as(by), { body }))
  const change = (id: string, body: JsonObject) =>
    right(stage.run(changeObject(content), as('admin'), { id, body }))
  const draft = (id: string, body: JsonObject, by: By = 'editor') =>
    stage.run(changeDraft(content), as(by), { id, body })
  const read = (id: string) => right(stage.run(readDraft(content), as('editor'), { id }))
  const publish = (id: string, by: By = 'editor') => stage.run(publishDraft(content), as(by), { id })
  const objectAs = (id: string, by: By = 'editor') =>
    right(stage.run(readObject(content), as(by), { id, parameters: {} }))
  const operationsOf = async (id: string) =>
    (await right(stage.run(listVersions(content), as('editor'), { id, parameters: {} }))).items.map(
      ({ operation }) => operation,
    )
  const tagOf = (failing: Parameters<typeof left>[0]) => left(failing).then(({ _tag }) => _tag)

  it('is made by the first change, and leaves the object as it is', async () => {
    const id = await create(article('a', { title: 'One', state: 'published' }))
    const before = await objectAs(id, 'reader')
    expect(await tagOf(stage.run(readDraft(content), as('editor'), { id }))).to.equal('NotFound')
    await right(draft(id, { title: 'Two' }))
    expect(await objectAs(id, 'reader')).to.deep.equal(before)
    expect(await read(id)).to.deep.include({
      ...before,
      title: 'Two',
      has_draft: true,
      based_on: 1,
      draft_modified: '2026-03-01T13:00:00',
      draft_by: 'editor',
    })
    stage.clock.advance(60_000)
    await right(draft(id, { title: 'Two' }))
    expect(await read(id)).to.include({ draft_modified: '2026-03-01T13:00:00' })
    await right(draft(id, { kicker: 'K' }, 'admin'))
    expect(await read(id)).to.include({
      title: 'Two',
      kicker: 'K',
      draft_by: 'admin',
      draft_modified: '2026-03-01T13:01:00',
    })
    expect(await operationsOf(id)).to.deep.equal(['createObject'])
  })

  it('is shown as has_draft to roles that may edit, in lists too', async () => {
    const id = await create(article('a', { state: 'published' }))
    const has = async (by: By) => (await objectAs(id, by))['has_draft']
    expect(await has('editor')).to.equal(false)
    await right(draft(id, {}))
    for (const [by, expected] of [
      ['admin', true],
      ['contributor', true],
      ['reader', undefined],
      ['public_user', undefined],
    ] as const) {
      expect(await has(by), by).to.equal(expected)
      const parameters = { fields: 'has_draft' }
      const { items } = await right(stage.run(listObjects(content), as(by), { parameters }))
      expect(items).to.deep.equal([[expected ?? null]])
    }
  })

  it('becomes the object in one version, and ends', async () => {
    const id = await create(
      article('a', { title: 'One', state: 'published', content: `<slot id="${slotId}"/>` }),
    )
    await right(draft(id, { title: 'Two', urlname: 'b' }))
    await right(
      stage.run(addDraftMedium, as('editor'), {
        contentId: id,
        slotId,
        body: { type: 'embed', embed_code: '<b/>' },
      }),
    )
    await change(id, { kicker: 'K' })
    expect(await right(publish(id))).to.equal(id)
    expect(await objectAs(id)).to.include({ title: 'Two', urlname: 'b', kicker: 'K', has_draft: false })
    const { items } = await right(
      stage.run(listMedia, as('reader'), { contentId: id, slotId, parameters: {} }),
    )
    expect(items).to.have.lengthOf(1)
    const [version] = (await right(stage.run(listVersions(content), as('editor'), { id, parameters: {} })))
      .items
    expect(version).to.include({ version: 3, operation: 'publishDraft', user: 'editor' })
    expect(version?.['changed']).to.have.members(['title', 'urlname', 'slots'])
    expect(await tagOf(publish(id))).to.equal('NotFound')
  })

  it('is not published over what was changed since, until that is confirmed', async () => {
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { title: 'Two', kicker: 'K' }))
    await change(id, { title: 'Other', sub_title: 'S' })
    expect(await left(publish(id))).to.deep.equal({ _tag: 'DraftConflict', attributes: ['title'], own: [] })
    expect(await objectAs(id)).to.include({ title: 'Other', kicker: null })
    expect(await read(id)).to.include({ title: 'Two', sub_title: 'S' })
    expect(await faultsOf(draft(id, { based_on: 7 }))).to.have.property('based_on')
    await right(draft(id, { based_on: 2 }))
    await right(publish(id))
    expect(await objectAs(id)).to.include({ title: 'Two', kicker: 'K', sub_title: 'S' })
  })

  it('is replaced as a whole, and accepts what was read', async () => {
    const id = await create(article('a', { title: 'One', kicker: 'K' }))
    await right(draft(id, { title: 'Two' }))
    const whole = await read(id)
    const put = (body: JsonObject) =>
      stage.run(replaceDraft(content), { ...as('editor'), strict: true }, { id, body })
    await right(put(whole))
    expect(await read(id)).to.deep.equal(whole)
    await right(put(article('a', { title: 'Three' })))
    expect(await read(id)).to.include({ title: 'Three', kicker: null })
    expect(await faultsOf(put(article('a', { unknown: 1 })))).to.have.property('unknown')
    const none = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
    expect(
      await tagOf(stage.run(replaceDraft(content), as('editor'), { id: none, body: article('n') })),
    ).to.equal('NotFound')
  })

  it('is refused with the faults of a write', async () => {
    const parent = await stage.create(section, aSection('s'))
    const id = await create(article('a'))
    await create(article('b'))
    await create(article('c', { section_uuid: parent }))
    expect(await faultsOf(draft(id, { title: '', content: '<p>' }))).to.have.keys('title', 'content')
    expect(await faultsOf(draft(id, { urlname: 'b' }))).to.have.property('urlname')
    expect(await faultsOf(draft(id, { urlname: 'c', section_uuid: parent }))).to.have.property('urlname')
    expect(await faultsOf(draft(id, { section_uuid: id }))).to.have.property('section_uuid')
    expect(await tagOf(stage.run(readDraft(content), as('editor'), { id }))).to.equal('NotFound')
  })

  it('is not published with a name that another object has by then, or in a section that is deleted', async () => {
    const parent = await stage.create(section, aSection('s'))
    const id = await create(article('a'))
    await right(draft(id, { urlname: 'b' }))
    const other = await create(article('b'))
    expect(await faultsOf(publish(id))).to.have.property('urlname')
    await right(stage.run(removeObject(content), as('admin'), { id: other }))
    await right(draft(id, { section_uuid: parent }))
    await right(stage.run(removeObject(section), as('admin'), { id: parent }))
    expect(await faultsOf(publish(id))).to.have.property('section_uuid')
    await right(draft(id, { section_uuid: null }))
    await right(publish(id))
    expect(await objectAs(id)).to.include({ urlname: 'b' })
  })

  it('is read and changed by those who may change the object, and by nobody else', async () => {
    const foreign = await create(article('a'))
    const own = await create(article('b'), 'contributor')
    await right(draft(foreign, { title: 'Two' }))
    await right(draft(own, { title: 'Two' }, 'contributor'))
    for (const run of [
      draft(foreign, { title: 'X' }, 'contributor'),
      draft(own, { state: 'published' }, 'contributor'),
      draft(own, { title: 'X' }, 'reader'),
      stage.run(readDraft(content), as('contributor'), { id: foreign }),
      stage.run(readDraft(content), as('reader'), { id: own }),
      publish(foreign, 'contributor'),
      stage.run(removeDraft(content), as('contributor'), { id: foreign }),
      stage.run(addDraftRelatedLink, as('contributor'), {
        id: foreign,
        body: { type: 'url', link_url: 'https://example.org/' },
      }),
      stage.run(readDraftRelatedLinks, as('contributor'), { id: foreign, parameters: {} }),
    ])
      expect(await tagOf(run)).to.equal('Forbidden')
    await right(draft(own, { state: 'published' }))
    expect(await tagOf(draft(own, { title: 'X' }, 'contributor'))).to.equal('Forbidden')
    expect(await tagOf(publish(own, 'contributor'))).to.equal('Forbidden')
    await right(publish(own))
    expect(await objectAs(own)).to.include({ state: 'published', title: 'Two' })
  })

  it('is dropped', async () => {
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { title: 'Two' }))
    await right(stage.run(removeDraft(content), as('editor'), { id }))
    expect(await tagOf(stage.run(removeDraft(content), as('editor'), { id }))).to.equal('NotFound')
    expect(await objectAs(id)).to.include({ title: 'One', has_draft: false })
  })

  it('is changed, dropped and published only if the precondition is met', async () => {
    const id = await create(article('a', { title: 'One' }))
    const showing = (title: string | null): { readonly precondition: Precondition } => ({
      precondition: (current) => (current?.['title'] ?? null) === title,
    })
    const patching = (title: string | null) =>
      stage.run(changeDraft(content), { ...as('editor'), ...showing(title) }, { id, body: { title: 'Two' } })
    expect(await tagOf(patching('One'))).to.equal('PreconditionFailed')
    await right(patching(null))
    const dropping = (title: string) =>
      stage.run(removeDraft(content), { ...as('editor'), ...showing(title) }, { id })
    expect(await tagOf(dropping('One'))).to.equal('PreconditionFailed')
    const publishing = (title: string) =>
      stage.run(publishDraft(content), { ...as('editor'), ...showing(title) }, { id })
    expect(await tagOf(publishing('Two'))).to.equal('PreconditionFailed')
    await right(publishing('One'))
    expect(await objectAs(id)).to.include({ title: 'Two' })
  })

  it('has slots, media and related links that differ from those of the object', async () => {
    const id = await create(article('a', { content: '<p>No slot</p>' }))
    const at = { contentId: id, slotId }
    expect(await tagOf(stage.run(listDraftSlots, as('editor'), { contentId: id }))).to.equal('NotFound')
    const slot = { relevance: 'aside', display: 'gallery' }
    expect(await faultsOf(stage.run(replaceDraftSlot, as('editor'), { ...at, body: slot }))).to.have.property(
      'slot_uuid',
    )
    await right(draft(id, { content: `<slot id="${slotId}"/>` }))
    await right(stage.run(replaceDraftSlot, as('editor'), { ...at, body: slot }))
    const [listed] = await right(stage.run(listDraftSlots, as('editor'), { contentId: id }))
    expect(listed).to.include({
      ...slot,
      url: `https://api.example.org/1/content/${id}/draft/slots/${slotId}`,
    })
    await right(
      stage.run(addDraftMedium, as('editor'), { ...at, body: { type: 'embed', embed_code: '<b/>' } }),
    )
    const mediaOfDraft = async () =>
      (await right(stage.run(listDraftMedia, as('editor'), { ...at, parameters: {} }))).items
    expect(await mediaOfDraft()).to.have.lengthOf(1)
    await right(stage.run(removeDraftSlot, as('editor'), at))
    expect(await mediaOfDraft()).to.deep.equal([])
    expect(await right(stage.run(readDraftSlot, as('editor'), at))).to.include({ display: null })
    await right(
      stage.run(addDraftRelatedLink, as('editor'), {
        id,
        body: { type: 'url', link_url: 'https://example.org/' },
      }),
    )
    const linksIn = async (run: typeof readRelatedLinks) =>
      (await right(stage.run(run, as('editor'), { id, parameters: {} }))).items
    expect(await linksIn(readDraftRelatedLinks)).to.have.lengthOf(1)
    expect(await linksIn(readRelatedLinks)).to.deep.equal([])
    await right(publish(id))
    expect(await linksIn(readRelatedLinks)).to.have.lengthOf(1)
  })

  it('has tags that differ from those of the object, conflict with later ones, and are published with it', async () => {
    const aTag = (urlname: string) =>
      right(
        stage.run(createObject(tag), as('admin'), {
          body: { last_name_or_title: urlname, urlname, type: 'default', state: 'approved' },
        }),
      )
    const [kept, added, late] = [await aTag('kept'), await aTag('added'), await aTag('late')]
    const id = await create(article('a', { state: 'published' }))
    const on = (tagId: string, predicate = 'describes') => ({ tagId, predicate, objectId: id })
    const attach = (tagId: string, predicate?: string) =>
      stage.run(attachDraftTag(content), as('editor'), { ...on(tagId, predicate), body: {} })
    const tagsOf = async (run: 'draft' | 'object') => {
      const listed = run === 'draft' ? listDraftTags(content) : listTags(content)
      const input = { id, predicate: null, parameters: {} }
      return (await right(stage.run(listed, as('editor'), input))).items.map(({ uuid, predicate }) => [
        uuid,
        predicate,
      ])
    }
    await right(stage.run(attachTag, as('editor'), { ...on(kept), body: {} }))
    expect(await faultsOf(attach(added, 'photographed'))).to.have.keys('predicate')
    expect(await tagOf(attach(id))).to.equal('NotFound')
    await right(attach(added, 'authored'))
    await right(stage.run(detachDraftTag(content), as('editor'), on(kept)))
    expect(await tagOf(stage.run(detachDraftTag(content), as('editor'), on(kept)))).to.equal('NotFound')
    expect(await tagsOf('draft')).to.deep.equal([[added, 'authored']])
    expect(await tagsOf('object')).to.deep.equal([[kept, 'describes']])
    const tagging = stage.run(readDraftTagging(content), as('editor'), on(added, 'authored'))
    expect(await right(tagging)).to.include({
      url: `https://api.example.org/1/content/${id}/draft/tags/authored/${added}`,
    })
    expect(await tagOf(stage.run(readDraftTagging(location), as('editor'), on(added, 'authored')))).to.equal(
      'NotFound',
    )
    await right(stage.run(attachTag, as('editor'), { ...on(late), body: {} }))
    expect(await left(publish(id))).to.deep.equal({
      _tag: 'DraftConflict',
      attributes: ['taggings'],
      own: ['taggings'],
    })
    const versions = async () =>
      (await right(stage.run(listVersions(content), as('editor'), { id, parameters: {} }))).items
    await right(draft(id, { based_on: (await versions())[0]?.['version'] ?? null }))
    await right(publish(id))
    expect(await tagsOf('object')).to.deep.equal([[added, 'authored']])
    const tagged = await right(
      stage.run(listTagged, as('public_user'), {
        tagId: added,
        predicate: 'authored',
        parameters: { fields: 'uuid' },
      }),
    )
    expect(tagged.items).to.deep.equal([[id]])
    expect((await versions())[0]).to.deep.include({ operation: 'publishDraft', changed: ['taggings'] })
  })

  it('of a listing has images that differ from those of the object', async () => {
    await right(stage.run(changeSettings, as('admin'), { body: { directory_addon: true } }))
    const aPicture = async (): Promise<string> => {
      const picture = await right(
        stage.run(createObject(file), as('editor'), { body: { title: 'x', filename: 'x.png' } }),
      )
      const upload = { id: picture, contentType: 'image/png', length: undefined, body: bodyOf('picture 4x3') }
      await right(stage.run(uploadFile, as('editor'), upload))
      return picture
    }
    const [before, after] = [await aPicture(), await aPicture()]
    const body = { title: 'L', urlname: 'l', is_listing: true }
    const id = await right(stage.run(createObject(location), as('editor'), { body }))
    await right(
      stage.run(replaceMembers(listingImages), as('editor'), { id, body: { items: [{ uuid: before }] } }),
    )
    const images = async (run: 'draft' | 'object') => {
      const reading = run === 'draft' ? readDraftMembers(listingImages) : readMembers(listingImages)
      return (await right(stage.run(reading, as('editor'), { id }))).map(({ uuid }) => uuid)
    }
    await right(stage.run(addDraftMember(listingImages), as('editor'), { id, body: { uuid: after } }))
    expect(await images('draft')).to.deep.equal([before, after])
    const only = { id, body: { items: [{ uuid: after }] } }
    await right(stage.run(replaceDraftMembers(listingImages), as('editor'), only))
    expect([await images('draft'), await images('object')]).to.deep.equal([[after], [before]])
    await right(stage.run(publishDraft(location), as('editor'), { id }))
    expect(await images('object')).to.deep.equal([after])
  })

  it('keeps changes that two editors make at the same time', async () => {
    const id = await create(article('a'))
    const other = stage.anotherProcess()
    await Promise.all([
      right(draft(id, { title: 'T' })),
      right(other.run(changeDraft(content), as('admin'), { id, body: { kicker: 'K' } })),
      right(draft(id, { sub_title: 'S' })),
      right(
        other.run(addDraftRelatedLink, as('admin'), {
          id,
          body: { type: 'url', link_url: 'https://example.org/' },
        }),
      ),
    ])
    expect(await read(id)).to.include({ title: 'T', kicker: 'K', sub_title: 'S' })
    const { items } = await right(stage.run(readDraftRelatedLinks, as('editor'), { id, parameters: {} }))
    expect(items).to.have.lengthOf(1)
  })

  it('that is changed while it is published keeps that change', async () => {
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { title: 'Two' }))
    const held = store.hold('replace', 'content')
    const publishing = right(publish(id))
    await held.reached
    await right(draft(id, { kicker: 'K' }))
    held.release()
    await publishing
    expect(await objectAs(id)).to.include({ title: 'Two', kicker: null, has_draft: true })
    await right(publish(id))
    expect(await objectAs(id)).to.include({ title: 'Two', kicker: 'K', has_draft: false })
  })

  it('that is changed in the same attribute while it is published conflicts with nobody', async () => {
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { title: 'Two', kicker: 'K' }))
    const held = store.hold('replace', 'content')
    const publishing = right(publish(id))
    await held.reached
    await right(draft(id, { title: 'Three', kicker: null }))
    held.release()
    await publishing
    expect(await objectAs(id)).to.include({ title: 'Two', kicker: 'K', has_draft: true })
    await right(publish(id))
    expect(await objectAs(id)).to.include({ title: 'Three', has_draft: false })
    expect(await operationsOf(id)).to.deep.equal(['publishDraft', 'publishDraft', 'createObject'])
  })

  it('says which of the changes since are those of the caller', async () => {
    const id = await create(article('a', { title: 'One', kicker: 'K', sub_title: 'S' }))
    const changeAs = (by: By, body: JsonObject) =>
      right(stage.run(changeObject(content), as(by), { id, body }))
    await changeAs('admin', { title: 'Before the draft' })
    await right(draft(id, { title: 'T', kicker: 'L', sub_title: 'M' }))
    await changeAs('editor', { title: 'Mine', kicker: 'Mine' })
    await changeAs('admin', { kicker: 'Of another', sub_title: 'Of another' })
    await changeAs('editor', { title: 'Mine again', sub_title: 'Mine' })
    expect(await left(publish(id))).to.deep.equal({
      _tag: 'DraftConflict',
      attributes: ['title', 'sub_title', 'kicker'],
      own: ['title'],
    })
    expect(await left(publish(id, 'admin'))).to.deep.include({ own: [] })
  })

  for (const applied of [false, true])
    it(
      applied
        ? 'ends with its publication, also if the store does not say so'
        : 'remains, and the object too, if the store fails',
      async () => {
        const id = await create(article('a', { title: 'One' }))
        await right(draft(id, { title: 'Two' }))
        store.fail('remove', 'drafts', applied)
        expect(await tagOf(publish(id))).to.equal('PortFailure')
        expect(await objectAs(id)).to.include({ title: applied ? 'Two' : 'One', has_draft: !applied })
        expect(await operationsOf(id)).to.deep.equal(
          applied ? ['publishDraft', 'createObject'] : ['createObject'],
        )
      },
    )

  it('is removed with the object, and is not that of a later one', async () => {
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { title: 'Two' }))
    await right(stage.run(removeObject(content), as('admin'), { id }))
    await right(stage.run(restoreFromTrash, as('admin'), { collection: 'content', id }))
    expect(await tagOf(stage.run(readDraft(content), as('editor'), { id }))).to.equal('NotFound')
    expect(await tagOf(publish(id))).to.equal('NotFound')
    await right(draft(id, { kicker: 'K' }))
    expect(await read(id)).to.include({ title: 'One', kicker: 'K' })
    await right(stage.run(removeObject(content), as('admin'), { id }))
    await right(stage.run(replaceObject(content), as('admin'), { id, body: article('z') }))
    expect(await objectAs(id)).to.include({ has_draft: false })
  })

  it('has entries in the audit log, and bodies longer than these', async () => {
    const long = `<p>${'漢字 '.repeat(maxAppendedBytes / 6)}</p>`
    const id = await create(article('a', { title: 'One' }))
    await right(draft(id, { content: long }))
    await right(publish(id))
    expect(await objectAs(id)).to.include({ content: long })
    const parameters = { fields: 'operation-collection-object-title', order: 'created' }
    const { items } = await right(stage.run(listInstanceAudit, as('admin'), { parameters }))
    expect(items).to.deep.equal(
      ['createObject', 'changeDraft', 'publishDraft'].map((operation) => [operation, 'content', id, 'One']),
    )
  })

  it('of a location is changed and published too', async () => {
    const id = await right(
      stage.run(createObject(location), as('editor'), { body: { title: 'L', urlname: 'l', street: 'S' } }),
    )
    await right(stage.run(changeDraft(location), as('editor'), { id, body: { street: 'T' } }))
    expect(await right(stage.run(readDraft(location), as('editor'), { id }))).to.include({ street: 'T' })
    expect(await tagOf(stage.run(readDraft(location), as('contributor'), { id }))).to.equal('Forbidden')
    await right(stage.run(publishDraft(location), as('editor'), { id }))
    const shown = await right(stage.run(readObject(location), as('reader'), { id, parameters: {} }))
    expect(shown).to.include({ street: 'T' })
    expect(shown).not.to.have.property('has_draft')
  })
})
