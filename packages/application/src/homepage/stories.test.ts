/**
 * Stories of a homepage: manual ones as they were written, automatic ones by time and tags
 * (docs/behaviour/homepage.md).
 */
import { content, file, homepage, notFound, tag, type Resource, type Role } from '@publishing-service/domain'
import { pipe, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstHomepage, type StoryList } from '@publishing-service/domain/content'
import { unreadable, type DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { removeObject } from '../engine/remove.js'
import { changeObject } from '../engine/write.js'
import { attachTag, detachTag } from '../tags/attach-tag.js'
import { article, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'
import { readStories, replaceStories } from './stories.js'

const lists: readonly StoryList[] = ['headline_stories', 'featured_stories']

describe('stories', () => {
  let stage: Stage
  let home: string
  beforeEach(async () => {
    stage = await createStage()
    home = await stage.create(homepage, { title: 'Home' })
  })

  const put = (body: JsonObject, list: StoryList = 'headline_stories', id = home) =>
    stage.run(replaceStories(list), stage.as('editor'), { id, body })
  const read = (
    list: StoryList = 'headline_stories',
    id = home,
    role: Role = 'public_user',
  ): Promise<JsonObject> => right(stage.run(readStories(list), stage.as(role), { id, parameters: {} }))
  const shown = async (role: Role = 'public_user'): Promise<readonly unknown[]> => {
    const { items } = await read('headline_stories', home, role)
    return (items as readonly JsonObject[]).map(({ link_uuid, link_url }) => link_uuid ?? link_url)
  }
  const published = (urlname: string, more: JsonObject = {}) =>
    stage.create(content, article(urlname, { state: 'published', ...more }))
  const aTag = (urlname: string, more: JsonObject = {}) =>
    stage.create(tag, { last_name_or_title: urlname, urlname, ...more })
  const attach = (tagId: string, objectId: string, predicate = 'describes') =>
    right(stage.run(attachTag, stage.as('editor'), { tagId, predicate, objectId, body: {} }))
  const patch = (id: string, body: JsonObject) =>
    right(stage.run(changeObject(content), stage.as('editor'), { id, body }))
  const remove = (resource: Resource, id: string) =>
    right(stage.run(removeObject(resource), stage.as('admin'), { id }))

  it('are empty in both lists at first', async () => {
    for (const list of lists)
      expect(await read(list)).to.deep.equal({ auto: false, auto_max: 5, auto_tag_uuids: [], items: [] })
  })

  it('are those that were written, in order, for each list', async () => {
    const first = await published('a')
    const items = [
      { type: 'link', link_url: 'https://example.org/', title: 'Elsewhere' },
      { type: 'content', link_uuid: first },
    ]
    await right(put({ items }))
    expect(await shown()).to.deep.equal(['https://example.org/', first])
    expect((await read('featured_stories'))['items']).to.deep.equal([])
    await right(put({ items: [] }))
    expect(await shown()).to.deep.equal([])
  })

  it('can be written back unchanged', async () => {
    const first = await published('a')
    const wine = await aTag('wine')
    for (const input of [
      { items: [{ type: 'content', link_uuid: first, title: 'Lead' }] },
      { auto: true, auto_max: 2, auto_tag_uuids: [wine] },
    ]) {
      await right(put(input))
      const before = await right(stage.documents.get('homepage', 1, home))
      await right(put(await read('headline_stories', home, 'editor')))
      expect(await right(stage.documents.get('homepage', 1, home))).to.deep.equal(before)
    }
  })

  it('name existing objects; every fault is reported with its path', async () => {
    const other = '11111111-0000-4000-8000-000000000009'
    const picture = await stage.create(file, { title: 'x', filename: 'x.png' })
    const items = [
      { type: 'content', link_uuid: other },
      { type: 'link', link_url: 'nowhere' },
      { type: 'link', link_url: 'https://example.org', image_uuid: picture },
    ]
    expect(await faultsOf(put({ items, auto_tag_uuids: [other], auto_max: -1 }))).to.have.all.keys(
      'items.0.link_uuid',
      'items.1.link_url',
      'items.2.image_uuid',
      'auto_tag_uuids.0',
      'auto_max',
    )
    expect(await shown()).to.deep.equal([])
    const nowhere = put({ items: [] }, 'headline_stories', other)
    expect(await left(nowhere)).to.deep.equal(notFound)
  })

  it('that lead to deleted content, or to what the reader may not see, are omitted', async () => {
    const [draft, gone] = [await stage.create(content, article('a')), await published('b')]
    await right(put({ items: [draft, gone].map((link_uuid) => ({ type: 'content', link_uuid })) }))
    expect(await shown('editor')).to.deep.equal([draft, gone])
    expect(await shown()).to.deep.equal([gone])
    await remove(content, gone)
    expect(await shown('editor')).to.deep.equal([draft])
    expect(await shown()).to.deep.equal([])
  })

  describe('chosen automatically', () => {
    it('are the newest live content, up to the limit', async () => {
      const ids = await Promise.all(
        [1, 2, 3, 4].map((day) => published(`a${day}`, { issued: `2026-02-0${day}T10:00:00` })),
      )
      await stage.create(content, article('draft'))
      await right(put({ auto: true, auto_max: 3 }))
      expect(await shown()).to.deep.equal([ids[3], ids[2], ids[1]])
      expect(await shown('admin')).to.deep.equal([ids[3], ids[2], ids[1]])
      expect((await read())['items']).to.have.nested.property('[0].title', 'An article')
    })

    it('have any of the tags, with any predicate, each once', async () => {
      const [wine, beer] = [await aTag('wine'), await aTag('beer')]
      const both = await published('both', { issued: '2026-02-03' })
      const one = await published('one', { issued: '2026-02-04' })
      await published('none', { issued: '2026-02-05' })
      await attach(wine, both)
      await attach(beer, both)
      await attach(beer, one, 'authored')
      await right(put({ auto: true, auto_tag_uuids: [wine, beer] }))
      expect(await shown()).to.deep.equal([one, both])
    })

    it('follow a tag at once, on and off', async () => {
      const wine = await aTag('wine')
      const id = await published('a')
      await right(put({ auto: true, auto_tag_uuids: [wine] }))
      expect(await shown()).to.deep.equal([])
      await attach(wine, id)
      expect(await shown()).to.deep.equal([id])
      const address = { tagId: wine, predicate: 'describes', objectId: id }
      await right(stage.run(detachTag, stage.as('editor'), address))
      expect(await shown()).to.deep.equal([])
    })

    it('follow an issue date immediately, when it is reached and when it is changed', async () => {
      const old = await published('old', { issued: '2026-02-01' })
      const next = await published('next', { issued: '2026-03-01T13:00:01' })
      await right(put({ auto: true, auto_max: 1 }))
      expect(await shown()).to.deep.equal([old])
      stage.clock.advance(999)
      expect(await shown()).to.deep.equal([old])
      stage.clock.advance(1)
      expect(await shown()).to.deep.equal([next])
      await patch(next, { issued: '2026-01-01' })
      expect(await shown()).to.deep.equal([old])
      await patch(old, { state: 'draft' })
      expect(await shown()).to.deep.equal([next])
    })

    it('are empty if all their tags are deleted', async () => {
      const [wine, beer] = [await aTag('wine'), await aTag('beer')]
      const [first, second] = [await published('a'), await published('b')]
      await attach(wine, first)
      await attach(beer, second)
      await right(put({ auto: true, auto_tag_uuids: [wine, beer] }))
      await remove(tag, wine)
      expect(await shown()).to.deep.equal([second])
      expect((await read('headline_stories', home, 'editor'))['auto_tag_uuids']).to.deep.equal([beer])
      await remove(tag, beer)
      expect(await shown()).to.deep.equal([])
    })

    it('leave out a document that is damaged in its store', async () => {
      const [whole, damaged] = [await published('a'), await published('b')]
      const store = stage.documents
      const documents: DocumentStore = {
        ...store,
        find: (...query) =>
          pipe(
            store.find(...query),
            TE.map((page) => ({
              ...page,
              documents: page.documents.map((each) =>
                each.id === damaged ? { ...each, value: unreadable } : each,
              ),
            })),
          ),
      }
      await right(put({ auto: true }))
      const { run } = stage.anotherProcess({ documents })
      const { items } = await right(
        run(readStories('headline_stories'), stage.as('reader'), { id: home, parameters: {} }),
      )
      expect(items).to.have.lengthOf(1).and.to.have.nested.property('[0].link_uuid', whole)
      expect(stage.log.entries().map(({ fields }) => fields)).to.deep.include({
        collection: 'content',
        instance: 1,
        id: damaged,
      })
    })

    it('ignore items that are sent along', async () => {
      const id = await published('a')
      const items = [{ type: 'content', link_uuid: '11111111-0000-4000-8000-000000000009' }]
      await right(put({ auto: true, items }))
      expect(await shown()).to.deep.equal([id])
    })

    it('are removed when the list becomes manual', async () => {
      await published('a')
      await right(put({ auto: true }))
      await right(put({ auto: false, items: [] }))
      expect(await shown()).to.deep.equal([])
    })
  })

  describe('of weekdays', () => {
    const reservedIds = Object.entries(homepage.given?.words ?? {})

    it('can be read and written before the homepage of the day is stored', async () => {
      for (const [word, { id }] of reservedIds) {
        expect((await read('headline_stories', id))['items'], word).to.deep.equal([])
        const story = await published(word)
        await right(put({ items: [{ type: 'content', link_uuid: story }] }, 'headline_stories', id))
        expect((await read('headline_stories', id))['items']).to.have.nested.property('[0].link_uuid', story)
        expect((await read('featured_stories', id))['items']).to.deep.equal([])
      }
      expect(await shown()).to.deep.equal([])
    })

    it('written for the first time by several requests at once are all stored', async () => {
      const id = reservedIds[0]?.[1].id ?? ''
      await Promise.all(
        lists.map(async (list) =>
          right(put({ items: [{ type: 'link', link_url: 'https://example.org' }] }, list, id)),
        ),
      )
      for (const list of lists) expect((await read(list, id))['items']).to.have.lengthOf(1)
    })

    it('are not those of the homepage that an instance starts with', () => {
      expect(reservedIds.map(([, { id }]) => id)).not.to.include(firstHomepage.id)
    })
  })

  it('are separate for each instance', async () => {
    await right(stage.useCases.administerInstances.create({ number: 2, title: 'B', timezone: 'UTC' }))
    const story = await published('a')
    const monday = homepage.given?.words['mon']?.id ?? ''
    const admin = stage.as('admin', 2)
    const items = [{ type: 'content', link_uuid: story }]
    const foreign = stage.run(replaceStories('headline_stories'), admin, { id: monday, body: { items } })
    expect(await faultsOf(foreign)).to.have.keys(['items.0.link_uuid'])
    await right(stage.run(replaceStories('headline_stories'), admin, { id: monday, body: { auto: true } }))
    const chosen = await right(
      stage.run(readStories('headline_stories'), admin, { id: monday, parameters: {} }),
    )
    expect(chosen['items']).to.deep.equal([])
    const ours = stage.run(readStories('headline_stories'), admin, { id: home, parameters: {} })
    expect(await left(ours)).to.deep.equal(notFound)
  })
})
