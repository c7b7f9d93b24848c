/** The versions of an object, and how one is restored (docs/behaviour/history.md). */
import { content, file, homepage, section, tag } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  addRelatedLink,
  attachTag,
  changeObject,
  createObject,
  listMedia,
  listVersionChanges,
  listVersions,
  readObject,
  readVersion,
  removeObject,
  replaceMedia,
  replaceObject,
  replaceStories,
  restoreFromTrash,
  restoreVersion,
  uploadFile,
  type VersionList,
} from '../operations.js'
import type { Precondition } from '../engine/precondition.js'
import { defaultRetainedVersions as retainedVersions } from '@publishing-service/domain/changes'
import { storyLists } from '@publishing-service/domain/content'
import { maxAppendedBytes } from '@publishing-service/ports'
import { picture } from '../test-support/picture-imaging.js'
import { article, aSection, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'

async function* onePart(): AsyncGenerator<Uint8Array> {
  yield picture(2, 2)
}

describe('the versions of an object', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const as = (role: 'admin' | 'editor' | 'contributor' | 'reader') => ({ ...stage.as(role), requestId: 'r' })
  const create = (body: JsonObject, by: 'admin' | 'contributor' = 'admin') =>
    right(stage.run(createObject(content), as(by), { body }))
  const change = (id: string, body: JsonObject) =>
    right(stage.run(changeObject(content), as('admin'), { id, body }))
  const versions = async (id: string): Promise<readonly JsonObject[]> =>
    (await right(stage.run(listVersions(content), as('editor'), { id, parameters: { rpp: '100' } }))).items
  const read = (id: string, version: number) =>
    right(stage.run(readVersion(content), as('editor'), { id, version }))
  const restore = (id: string, version: number) =>
    right(stage.run(restoreVersion(content), as('editor'), { id, version }))
  const now = (id: string) => right(stage.run(readObject(content), as('admin'), { id, parameters: {} }))

  it('are listed page by page', async () => {
    const id = await create(article('a', { title: 'T1' }))
    for (let i = 2; i <= 7; i += 1) await change(id, { title: `T${i}` })
    const list = (parameters: Readonly<Record<string, string>>) =>
      stage.run(listVersions(content), as('editor'), { id, parameters })
    const numbers: Json[] = []
    for (let parameters: Readonly<Record<string, string>> | null = { rpp: '3' }; parameters !== null;) {
      const { items, next }: VersionList = await right(list(parameters))
      expect(items.length).to.be.at.most(3)
      numbers.push(...items.map(({ version = null }) => version))
      parameters = next === null ? null : { before: String(next.before), rpp: String(next.limit) }
    }
    expect(numbers).to.deep.equal([7, 6, 5, 4, 3, 2, 1])
    expect(await faultsOf(list({ before: '0', rpp: '101' }))).to.have.keys('before', 'rpp')
  })

  it('are compared with the version before: values, and long texts word by word', async () => {
    const words = 'It has been raining for days. '.repeat(20)
    const id = await create(article('a', { title: 'One', content: `<p>${words}The trams run.</p>` }))
    await change(id, { title: 'Two', content: `<p>${words}The trams stand.</p>` })
    await right(
      stage.run(addRelatedLink, as('admin'), { id, body: { type: 'url', link_url: 'https://example.org/' } }),
    )
    const compare = (version: number) => stage.run(listVersionChanges(content), as('editor'), { id, version })
    const changes = await right(compare(2))
    expect(changes).to.deep.include({ attribute: 'title', values: { before: 'One', after: 'Two' } })
    const body = changes.find(({ attribute }) => attribute === 'content')
    expect(body).not.to.have.property('values')
    expect(body?.['words']).to.deep.include.members([
      { change: 'removed', text: 'run' },
      { change: 'added', text: 'stand' },
    ])
    expect(JSON.stringify(body)).to.have.length.below(400)
    expect(await right(compare(3))).to.deep.equal([{ attribute: 'related_links' }])
    expect(await right(compare(1))).to.deep.equal([])
    expect(await left(compare(4))).to.have.property('_tag', 'NotFound')
    await change(id, { content: `<p>${Array.from({ length: 9000 }, (_, i) => `word${i}`).join(' ')}</p>` })
    expect(await right(compare(4))).to.deep.equal([{ attribute: 'content' }])
  })

  it('are one for each write that changes something, with who wrote it, when and what', async () => {
    const id = await create(article('a', { title: 'One' }))
    stage.clock.advance(60_000)
    await change(id, { title: 'Two', kicker: 'of two' })
    await change(id, { title: 'Two' })
    await right(
      stage.run(addRelatedLink, as('admin'), { id, body: { type: 'url', link_url: 'https://example.org/' } }),
    )
    const [links, second, first, ...others] = await versions(id)
    expect(others).to.deep.equal([])
    expect(links).to.include({ version: 3, operation: 'addRelatedLink' })
    expect(links?.['changed']).to.deep.equal(['related_links'])
    expect(second?.['changed']).to.have.members(['title', 'kicker'])
    expect(second).to.include({ version: 2, time: '2026-03-01T12:01:00.000Z', operation: 'changeObject' })
    expect(first).to.include({ version: 1, time: '2026-03-01T12:00:00.000Z', operation: 'createObject' })
    expect(first).to.include({ user: 'admin' })
  })

  it('are read as the object was, and restored with what clients had set', async () => {
    const id = await create(article('a', { title: 'One', content: '<p>First</p>' }))
    const replace = (items: readonly JsonObject[]) =>
      right(stage.run(replaceMedia, as('admin'), { contentId: id, slotId: null, body: { items } }))
    const media = async () =>
      (await right(stage.run(listMedia, as('admin'), { contentId: id, slotId: null, parameters: {} }))).items
    const tagId = await right(
      stage.run(createObject(tag), as('admin'), { body: { last_name_or_title: 'Wine' } }),
    )
    const tagged = { tagId, predicate: 'describes', objectId: id } as const
    await right(stage.run(attachTag, as('admin'), { ...tagged, body: {} }))
    await replace([{ type: 'embed', embed_code: '<iframe></iframe>' }])
    const [before, embedded] = [await now(id), await media()]
    await change(id, { title: 'Two', content: '<p>Second</p>', state: 'published' })
    await replace([])
    expect(await media()).to.deep.equal([])
    expect(await read(id, 3)).to.deep.equal(before)
    expect(await read(id, 1)).to.include({ title: 'One', content: '<p>First</p>' })
    await restore(id, 3)
    expect(await media()).to.deep.equal(embedded)
    const after = await now(id)
    expect(after).to.include({ title: 'One', content: '<p>First</p>', state: 'draft' })
    const [newest] = await versions(id)
    expect(newest).to.include({ operation: 'restoreVersion' })
    expect(newest?.['changed']).to.include.members(['title', 'content', 'state', 'slots'])
    expect(newest?.['changed']).not.to.include('taggings')
  })

  it('are those since the object was created, without those of a former object with its id', async () => {
    const id = await create(article('a', { title: 'One' }))
    await change(id, { title: 'Two' })
    await right(stage.run(removeObject(content), as('admin'), { id }))
    expect(
      await left(stage.run(listVersions(content), as('admin'), { id, parameters: {} })),
    ).to.have.property('_tag', 'NotFound')
    await right(
      stage.run(replaceObject(content), as('admin'), { id, body: article('b', { title: 'Other' }) }),
    )
    expect((await versions(id)).map(({ version }) => version)).to.deep.equal([1])
    expect(await read(id, 1)).to.include({ title: 'Other' })
  })

  it('are those of its own life, although the record of its creation is not retained', async () => {
    const id = await create(article('a', { title: 'One' }))
    await change(id, { title: 'Two' })
    await right(stage.run(removeObject(content), as('admin'), { id }))
    // Nothing records this creation.
    await stage.create(content, article('b', { title: 'Other' }), id)
    expect((await versions(id)).map(({ version }) => version)).to.deep.equal([1])
    await change(id, { title: 'Another' })
    expect((await versions(id)).map(({ version }) => version)).to.deep.equal([2, 1])
    expect(await read(id, 1)).to.include({ title: 'Other' })
  })

  it('of an object that was created before its changes were recorded, begin with the state that it had', async () => {
    const id = await stage.create(content, article('a', { title: 'Old' }))
    const unrecorded = { version: 1, time: null, user: null, name: null, operation: null, changed: [] }
    expect(await versions(id)).to.deep.equal([unrecorded])
    expect(await read(id, 1)).to.include({ title: 'Old' })
    await change(id, { title: 'New' })
    const [second, first] = await versions(id)
    expect(second).to.include({ version: 2, operation: 'changeObject' })
    expect(first).to.deep.equal(unrecorded)
    expect(await read(id, 1)).to.include({ title: 'Old' })
  })

  it('have states that are longer than what is appended to a write', async () => {
    const long = `<p>${'漢字 '.repeat(maxAppendedBytes / 6)}</p>`
    const id = await create(article('a', { content: long }))
    await change(id, { content: '<p>short</p>' })
    expect(await read(id, 1)).to.include({ content: long })
    await restore(id, 1)
    expect(await now(id)).to.include({ content: long })
  })

  it(`are at most ${retainedVersions}`, async () => {
    const id = await create(article('a'))
    for (let count = 0; count < retainedVersions + 5; count += 1)
      await change(id, { title: `Title ${count}` })
    const listed = await versions(id)
    expect(listed).to.have.lengthOf(retainedVersions)
    expect(await read(id, Number(listed.at(-1)?.['version']))).to.have.property('title')
    for (const version of [1, 1000, Number.NaN])
      expect(await left(stage.run(readVersion(content), as('admin'), { id, version }))).to.have.property(
        '_tag',
        'NotFound',
      )
  })

  it('beyond those that are retained lose their states, which leaves the others', async () => {
    const long = (title: string) => ({
      title,
      content: `<p>${`${title} 漢字漢字 `.repeat(maxAppendedBytes / 16)}</p>`,
    })
    const id = await create(article('a', long('Title 1')))
    for (let count = 2; count <= retainedVersions + 3; count += 1) await change(id, long(`Title ${count}`))
    const all = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' } as const
    const found = async (collection: string, instance: number) =>
      (await right(stage.documents.find(collection, instance, all))).documents
    const apart = (await found('earlier_states', 1)).length
    expect(await stage.useCases.pruneVersions()).to.equal(3)
    expect(await stage.useCases.pruneVersions()).to.equal(0)
    expect(await found('earlier_states', 1)).to.have.lengthOf(apart - 3)
    const listed = await versions(id)
    expect(listed.at(-1)).to.include({ version: 4 })
    for (const { version } of listed) expect(await read(id, Number(version))).to.have.property('title')
    expect(await read(id, 4)).to.include({ title: 'Title 4' })
    await change(id, { title: 'Last' })
    expect(await stage.useCases.pruneVersions()).to.equal(1)
  })

  it('are read by those who may change the object, and by nobody else', async () => {
    const foreign = await create(article('a'))
    const own = await create(article('b'), 'contributor')
    const listed = (by: 'contributor' | 'reader', id: string) =>
      stage.run(listVersions(content), as(by), { id, parameters: {} })
    expect((await right(listed('contributor', own))).items).to.have.lengthOf(1)
    expect(await left(listed('contributor', foreign))).to.have.property('_tag', 'Forbidden')
    expect(await left(listed('reader', own))).to.have.property('_tag', 'Forbidden')
  })

  it('are not restored against the rules of a write', async () => {
    const id = await create(article('a', { title: 'One' }))
    await change(id, { urlname: 'b' })
    await create(article('a', { title: 'Another' }))
    const faults = await faultsOf(stage.run(restoreVersion(content), as('admin'), { id, version: 1 }))
    expect(faults).to.have.property('urlname')
    expect(await now(id)).to.include({ urlname: 'b' })

    const parent = await right(stage.run(createObject(section), as('admin'), { body: aSection('s') }))
    const below = await create(article('c', { section_uuid: parent }))
    await change(below, { section_uuid: null })
    await right(stage.run(removeObject(section), as('admin'), { id: parent }))
    expect(
      await faultsOf(stage.run(restoreVersion(content), as('admin'), { id: below, version: 1 })),
    ).to.have.property('section_uuid')

    const published = await create(article('d', { title: 'D' }), 'contributor')
    await change(published, { state: 'published' })
    await change(published, { state: 'draft' })
    expect(
      await left(stage.run(restoreVersion(content), as('contributor'), { id: published, version: 2 })),
    ).to.have.property('_tag', 'Forbidden')
  })

  it('are restored with references to deleted objects, which are null until these are restored', async () => {
    const image = await right(
      stage.run(createObject(file), as('admin'), { body: { title: 'F', filename: 'f.txt' } }),
    )
    const data = { contentType: 'image/gif', length: undefined, body: onePart() }
    await right(stage.run(uploadFile, as('admin'), { id: image, ...data }))
    const id = await create(article('a', { teaser_image_uuid: image }))
    const before = await now(id)
    await change(id, { teaser_image_uuid: null })
    await right(stage.run(removeObject(file), as('admin'), { id: image }))
    await restore(id, 1)
    expect(await now(id)).to.include({ teaser_image_uuid: null })
    await right(stage.run(restoreFromTrash, as('admin'), { collection: 'files', id: image }))
    expect(await now(id)).to.include({ teaser_image_uuid: before['teaser_image_uuid'] })
  })

  it('are restored only if the precondition of the request is met', async () => {
    const id = await create(article('a', { title: 'One' }))
    await change(id, { title: 'Two' })
    const restoring = (expected: string) => {
      const precondition: Precondition = (current) => current?.['title'] === expected
      return stage.run(restoreVersion(content), { ...as('admin'), precondition }, { id, version: 1 })
    }
    expect(await left(restoring('One'))).to.have.property('_tag', 'PreconditionFailed')
    await right(restoring('Two'))
    expect(await now(id)).to.include({ title: 'One' })
  })

  it('of a homepage have its stories', async () => {
    const [list] = storyLists
    if (list === undefined) throw new Error('no list of stories')
    const id = Object.values(homepage.given?.words ?? {})[0]?.id ?? ''
    const story = await create(article('a', { state: 'published' }))
    const put = (items: readonly JsonObject[]) =>
      right(stage.run(replaceStories(list), as('admin'), { id, body: { auto: false, items } }))
    await put([{ type: 'content', link_uuid: story }])
    await put([])
    const { items: listed } = await right(
      stage.run(listVersions(homepage), as('admin'), { id, parameters: {} }),
    )
    expect(listed.length).to.be.greaterThan(1)
    await right(
      stage.run(restoreVersion(homepage), as('admin'), { id, version: Number(listed[1]?.['version']) }),
    )
    const { items: changed } = await right(
      stage.run(listVersions(homepage), as('admin'), { id, parameters: {} }),
    )
    expect(changed[0]).to.include({ operation: 'restoreVersion' })
  })
})
