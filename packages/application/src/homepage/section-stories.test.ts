/** The featured stories of sections (docs/behaviour/sections.md#featured-stories). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, notFound, section, type Role } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { storyLimit } from '@publishing-service/domain/content'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { changeObject } from '../engine/write.js'
import { removeObject } from '../engine/remove.js'
import { article, createStage, left, right, unavailable, type Stage } from '../test-support/stage.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { readSectionStories } from './section-stories.js'

describe('the featured stories of a section', () => {
  let stage: Stage
  let queries: string[]
  let store: ControllableStore
  beforeEach(async () => {
    queries = []
    store = controllableStore(memoryDocumentStore(collections))
    const counted: DocumentStore = {
      ...store,
      find: (collection, ...rest) => {
        queries.push(collection)
        return store.find(collection, ...rest)
      },
    }
    stage = await createStage({ documents: counted })
  })

  const unusedName = () => stage.ids.uuid()
  const aSection = (more: JsonObject = {}) =>
    stage.create(section, { title: 'x', urlname: unusedName(), ...more })
  const published = (section_uuid: string, day: number, more: JsonObject = {}) =>
    stage.create(
      content,
      article(unusedName(), { state: 'published', issued: `2026-02-0${day}`, section_uuid, ...more }),
    )
  const change = (id: string, body: JsonObject) =>
    right(stage.run(changeObject(section), stage.as('editor'), { id, body }))
  const read = (id: string, role: Role = 'public_user') =>
    right(stage.run(readSectionStories, stage.as(role), { id, parameters: {} }))
  const shown = async (id: string, role?: Role): Promise<readonly unknown[]> =>
    (await read(id, role)).items.map(({ link_uuid }) => link_uuid)

  it('are the newest live content in the section and below it', async () => {
    const top = await aSection()
    const middle = await aSection({ parent_uuid: top })
    const low = await aSection({ parent_uuid: middle })
    const first = await published(low, 3)
    const second = await published(top, 2)
    const third = await published(middle, 1)
    await published(await aSection(), 4)
    await published(low, 5, { state: 'draft' })
    await published(low, 6, { issued: '2027-01-01' })
    for (const role of ['public_user', 'admin'] as const) {
      expect(await shown(top, role)).to.deep.equal([first, second, third])
      expect(await shown(middle, role)).to.deep.equal([first, third])
    }
    await change(top, { auto_featured_stories_num: 2 })
    expect(await shown(top)).to.deep.equal([first, second])
  })

  it('start with the lead story, which counts and is listed once', async () => {
    const top = await aSection({ auto_featured_stories_num: 2 })
    const lead = await published(top, 1)
    const [newest] = [await published(top, 3), await published(top, 2)]
    await change(top, { content_uuid: lead })
    expect(await shown(top)).to.deep.equal([lead, newest])
    await change(top, { content_uuid: newest, auto_featured_stories_num: 3 })
    expect((await shown(top)).slice(0, 1)).to.deep.equal([newest])
    expect(await shown(top)).to.have.lengthOf(3)
    for (const alone of [{ auto_featured_stories_num: 0 }, { auto_featured_stories: false }]) {
      await change(top, { auto_featured_stories_num: 3, auto_featured_stories: true, ...alone })
      expect(await shown(top)).to.deep.equal([newest])
    }
  })

  it('are at most 100', async () => {
    const top = await aSection({ auto_featured_stories_num: 1000 })
    for (let i = 0; i < 101; i += 1) await published(top, 1)
    expect(await shown(top)).to.have.lengthOf(storyLimit)
    await change(top, { content_uuid: await published(top, 1) })
    expect(await shown(top)).to.have.lengthOf(storyLimit)
  })

  it('leave out a lead story that is not live, or is deleted', async () => {
    const top = await aSection({ auto_featured_stories: false })
    const draft = await stage.create(content, article('draft', { section_uuid: top }))
    await change(top, { content_uuid: draft })
    expect(await shown(top, 'admin')).to.deep.equal([])
    const lead = await published(top, 1)
    await change(top, { content_uuid: lead })
    expect(await shown(top)).to.deep.equal([lead])
    await right(stage.run(removeObject(content), stage.as('admin'), { id: lead }))
    expect(await shown(top)).to.deep.equal([])
  })

  it('are returned with the objects that include names, without hidden ones', async () => {
    const top = await aSection({ title: 'Culture' })
    const id = await published(top, 1)
    await published(top, 2, { state: 'draft' })
    const parameters = { include: 'link,link.section' }
    const { items, included } = await right(
      stage.run(readSectionStories, stage.as('public_user'), { id: top, parameters }),
    )
    expect(items.map(({ link_uuid }) => link_uuid)).to.deep.equal([id])
    expect(Object.keys(included ?? {})).to.have.members([id, top])
    expect(included?.[id]).to.include({ title: 'An article', section_uuid: top })
    expect(included?.[top]).to.include({ title: 'Culture' })
    expect((await read(top)).included).to.equal(null)
  })

  it('have the title and description of the content', async () => {
    const top = await aSection()
    const id = await published(top, 1, { description: 'What happened' })
    const [item] = (await read(top)).items
    expect(item).to.include({
      type: 'content',
      link_uuid: id,
      title: 'An article',
      description: 'What happened',
      image_uuid: null,
    })
  })

  it('appear when their time comes', async () => {
    const top = await aSection()
    const id = await published(top, 1, { issued: '2026-03-01T13:00:01' })
    expect(await shown(top)).to.deep.equal([])
    stage.clock.advance(1000)
    expect(await shown(top)).to.deep.equal([id])
  })

  it('need one query for every 50 sections of each kind, however many there are', async () => {
    const top = await aSection({ auto_featured_stories_num: 3 })
    const children: string[] = []
    for (let i = 0; i < 120; i += 1) children.push(await aSection({ parent_uuid: top }))
    const grandchildren: string[] = []
    for (const parent_uuid of children) grandchildren.push(await aSection({ parent_uuid }))
    const [last = '', child = ''] = [grandchildren.at(-1), children[60]]
    const ids = [await published(last, 3), await published(top, 2), await published(child, 1)]
    queries = []
    expect(await shown(top)).to.deep.equal(ids)
    // Sections below 1, 120 and 120 sections; content in 241.
    expect(queries.filter((each) => each === 'sections')).to.have.lengthOf(1 + 3 + 3)
    expect(queries.filter((each) => each === 'content')).to.have.lengthOf(5)
  })

  it('are not found without the section, and fail with the store', async () => {
    const top = await aSection()
    const missing = stage.run(readSectionStories, stage.as('admin'), { id: stage.ids.uuid(), parameters: {} })
    expect(await left(missing)).to.deep.equal(notFound)
    for (const collection of ['sections', 'content']) {
      store.fail('find', collection)
      expect(
        await left(stage.run(readSectionStories, stage.as('reader'), { id: top, parameters: {} })),
      ).to.deep.equal(unavailable)
    }
  })
})
