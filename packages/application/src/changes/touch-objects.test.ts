/** When anything that a page shows was last changed (docs/behaviour/changes.md#touched). */
import { comment, content, file, location, section, tag, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  addRelatedLink,
  attachTag,
  changeObject,
  changeSettings,
  createObject,
  listObjects,
  readObject,
  removeObject,
  uploadFile,
} from '../operations.js'
import { picture } from '../test-support/picture-imaging.js'
import { article, aSection, createStage, right, type Stage } from '../test-support/stage.js'

const minute = 60_000
const published = { state: 'published' } as const

describe('touched', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
    await stage.useCases.touchObjects()
  })

  const as = (role: 'admin' | 'public_user') => ({ ...stage.as(role), requestId: 'r' })
  const create = (resource: Resource, body: JsonObject) =>
    right(stage.run(createObject(resource), as('admin'), { body }))
  const change = (resource: Resource, id: string, body: JsonObject) =>
    right(stage.run(changeObject(resource), as('admin'), { id, body }))
  const aPicture = async (): Promise<string> => {
    const id = await create(file, { title: 'A picture', filename: 'a.gif' })
    const data = picture(40, 30)
    const body = (async function* () {
      yield data
    })()
    const upload = { id, contentType: 'image/gif', length: data.length, body }
    await right(stage.run(uploadFile, as('admin'), upload))
    return id
  }
  /** The times of content at which it was touched, the last one first. It is 13:00 when a test begins. */
  const touched = async (parameters: Readonly<Record<string, string>> = {}, resource: Resource = content) => {
    const listing = await right(
      stage.run(listObjects(resource), as('public_user'), {
        parameters: { fields: 'urlname-touched', order: 'touched.desc', ...parameters },
      }),
    )
    return listing.items.map((row) =>
      Array.isArray(row) ? `${row[0]} ${String(row[1]).slice(11, 16)}` : row,
    )
  }
  /** What is changed a minute later, and what that touches. */
  const afterwards = async (act: () => Promise<unknown>): Promise<number> => {
    await stage.useCases.touchObjects()
    stage.clock.advance(minute)
    await act()
    stage.clock.advance(minute)
    return stage.useCases.touchObjects()
  }

  it('is the time of a change of an object, and of its parts', async () => {
    const id = await create(content, article('a', published))
    await create(content, article('b', published))
    expect(await touched()).to.have.members(['a 13:00', 'b 13:00'])
    const link = { type: 'url', link_url: 'https://example.org/' }
    expect(
      await afterwards(() => right(stage.run(addRelatedLink, as('admin'), { id, body: link }))),
    ).to.equal(0)
    expect(await touched()).to.deep.equal(['a 13:01', 'b 13:00'])
    expect(await touched({ touched: '2026-03-01 13:01_' })).to.deep.equal(['a 13:01'])
    expect(await touched({ touched: '_2026-03-01 13:01' })).to.deep.equal(['b 13:00'])
  })

  it('follows the files, tags, and the content and locations that a page shows', async () => {
    const image = await aPicture()
    const author = await create(tag, { last_name_or_title: 'An author' })
    const place = await create(location, { title: 'A place', urlname: 'place', ...published })
    const linked = await create(content, article('linked', published))
    const id = await create(content, article('a', { ...published, header_image_uuid: image }))
    await create(content, {
      ...article('event', published),
      content_type: 'event',
      dtstart: '2026-03-02T20:00:00',
      location_uuid: place,
    })
    const body = { type: 'content', target_uuid: linked }
    await right(stage.run(addRelatedLink, as('admin'), { id, body }))
    const tagging = { tagId: author, objectId: id, predicate: 'authored' }
    await right(stage.run(attachTag, as('admin'), { ...tagging, body: {} }))

    expect(await afterwards(() => change(file, image, { title: 'Another' }))).to.equal(1)
    expect((await touched())[0]).to.equal('a 13:02')
    expect(await afterwards(() => change(tag, author, { last_name_or_title: 'Somebody' }))).to.equal(1)
    expect((await touched())[0]).to.equal('a 13:04')
    expect(await afterwards(() => change(content, linked, { title: 'Linked' }))).to.equal(1)
    expect(await touched()).to.deep.equal(['a 13:06', 'linked 13:05', 'event 13:00'])
    expect(await afterwards(() => change(location, place, { title: 'Another place' }))).to.equal(1)
    expect((await touched())[0]).to.equal('event 13:08')
    expect(await afterwards(() => right(stage.run(removeObject(tag), as('admin'), { id: author })))).to.equal(
      1,
    )
    expect((await touched())[0]).to.equal('a 13:10')
  })

  it('follows the names of the sections above, and nothing else of them', async () => {
    const top = await create(section, aSection('top'))
    const below = await create(section, aSection('below', top))
    await create(content, article('a', { ...published, section_uuid: below }))
    await create(content, article('b', published))
    expect(await afterwards(() => change(section, top, { meta_title: 'Top' }))).to.equal(0)
    expect(await afterwards(() => change(section, top, { title: 'The top' }))).to.equal(2)
    expect(await touched()).to.deep.equal(['a 13:04', 'b 13:00'])
    expect(await touched({}, section)).to.deep.equal(['below 13:04', 'top 13:03'])
  })

  it('follows published comments, and what happens by the clock', async () => {
    const id = await create(content, article('a', published))
    await create(content, article('b', { ...published, issued: '2026-03-01T14:00:00' }))
    const body = { parent_type: 'content', parent_uuid: id, comment: 'Yes' }
    const reply = await create(comment, body)
    expect(await afterwards(() => change(comment, reply, published))).to.equal(1)
    expect(await touched()).to.deep.equal(['a 13:02'])
    await stage.useCases.recordScheduled()
    stage.clock.advance(2 * 60 * minute)
    await stage.useCases.recordScheduled()
    expect(await stage.useCases.touchObjects()).to.equal(1)
    expect(await touched()).to.deep.equal(['b 15:02', 'a 13:02'])
  })

  it('follows nothing that the public does not see', async () => {
    const draft = await create(content, article('draft'))
    const id = await create(content, article('a', published))
    const body = { type: 'content', target_uuid: draft }
    await right(stage.run(addRelatedLink, as('admin'), { id, body }))
    expect(await afterwards(() => change(content, draft, { title: 'Draft' }))).to.equal(0)
  })

  it('does not change the object, so that its entity tag remains', async () => {
    const news = await create(section, aSection('news'))
    const id = await create(content, article('a', { ...published, section_uuid: news }))
    const read = () => right(stage.run(readObject(content), as('admin'), { id, parameters: {} }))
    const before = await read()
    expect(await afterwards(() => change(section, news, { title: 'The news' }))).to.equal(1)
    expect(await read()).to.deep.equal(before)
  })

  it('is what another process does after a crash, and once', async () => {
    const image = await aPicture()
    for (let i = 0; i < 3; i += 1)
      await create(content, article(`a${i}`, { ...published, header_image_uuid: image }))
    await stage.useCases.touchObjects()
    stage.clock.advance(minute)
    await change(file, image, { title: 'Another' })
    const another = stage.anotherProcess()
    expect(await another.touchObjects()).to.equal(3)
    expect(await another.touchObjects()).to.equal(0)
    expect(await stage.useCases.touchObjects()).to.equal(0)
  })

  it('is read of a new instance, with another time zone', async () => {
    await right(stage.run(changeSettings, as('admin'), { body: { timezone: 'UTC' } }))
    await create(content, article('a', published))
    expect(await touched()).to.deep.equal(['a 12:00'])
  })
})
