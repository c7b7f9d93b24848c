/** The tag cloud counts what is live, now: it follows every write and the clock (docs/behaviour/tags.md#tag-cloud). */
import { content, file, location, tag, tagCategory, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { categoryTags } from '@publishing-service/domain/tags'
import type { Parameters } from '@publishing-service/domain/lists'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { replaceMembers } from './member-lists.js'
import { removeObject } from '../engine/remove.js'
import { changeObject } from '../engine/write.js'
import { article, createStage, faultsOf, right, type Stage } from '../test-support/stage.js'
import { attachTag, detachTag } from './attach-tag.js'
import { readTagCloud } from './tag-cloud.js'

describe('the tag cloud', () => {
  let stage: Stage
  let wine: string
  let beer: string
  beforeEach(async () => {
    stage = await createStage()
    wine = await stage.create(tag, { last_name_or_title: 'Wine', urlname: 'wine' })
    beer = await stage.create(tag, { last_name_or_title: 'Beer', urlname: 'beer' })
  })

  const attach = (tagId: string, objectId: string, predicate = 'describes') =>
    right(stage.run(attachTag, stage.as('editor'), { tagId, predicate, objectId, body: {} }))
  const patch = (resource: Resource, id: string, body: JsonObject) =>
    right(stage.run(changeObject(resource), stage.as('editor'), { id, body }))
  const remove = (resource: Resource, id: string) =>
    right(stage.run(removeObject(resource), stage.as('admin'), { id }))
  const cloud = (parameters: Parameters = {}): Promise<readonly JsonObject[]> =>
    right(stage.run(readTagCloud, stage.as('public_user'), { parameters }))
  const counts = async (parameters: Parameters = {}): Promise<JsonObject> =>
    Object.fromEntries(
      (await cloud(parameters)).map(({ urlname, count }) => [String(urlname), count ?? null]),
    )
  const published = async (
    urlname: string,
    tags: readonly string[],
    more: JsonObject = {},
  ): Promise<string> => {
    const id = await stage.create(content, article(urlname, { state: 'published', ...more }))
    for (const each of tags) await attach(each, id)
    return id
  }

  it('is empty if nothing is tagged', async () => {
    expect(await cloud()).to.deep.equal([])
  })

  it('has the tags of live objects with their numbers and weights, the most frequent first', async () => {
    await published('a', [wine, beer])
    await published('b', [wine])
    const place = await stage.create(location, { title: 'x', urlname: 'x' })
    await attach(wine, place)
    expect(await cloud()).to.deep.equal([
      {
        uuid: wine,
        url: `https://api.example.org/1/tags/${wine}`,
        title: 'Wine',
        urlname: 'wine',
        count: 3,
        weight: 1,
      },
      {
        uuid: beer,
        url: `https://api.example.org/1/tags/${beer}`,
        title: 'Beer',
        urlname: 'beer',
        count: 1,
        weight: 0.3333,
      },
    ])
  })

  it('counts an object once, by however many predicates it carries a tag', async () => {
    const id = await published('a', [wine])
    await attach(wine, id, 'authored')
    expect(await counts()).to.deep.equal({ wine: 1 })
    expect(await counts({ predicate: 'authored' })).to.deep.equal({ wine: 1 })
    expect(await counts({ predicate: 'edited' })).to.deep.equal({})
  })

  it('counts neither drafts nor files', async () => {
    const draft = await stage.create(content, article('a'))
    await attach(wine, draft)
    await attach(wine, await stage.create(file, { title: 'x', filename: 'x' }))
    expect(await counts()).to.deep.equal({})
  })

  it('follows publication, withdrawal and deletion at once', async () => {
    const id = await stage.create(content, article('a'))
    await attach(wine, id)
    await patch(content, id, { state: 'published' })
    expect(await counts()).to.deep.equal({ wine: 1 })
    await patch(content, id, { state: 'draft' })
    expect(await counts()).to.deep.equal({})
    await patch(content, id, { state: 'published' })
    await remove(content, id)
    expect(await counts()).to.deep.equal({})
  })

  it('follows tagging and its end', async () => {
    const id = await published('a', [wine])
    const address = { tagId: wine, predicate: 'describes', objectId: id }
    await right(stage.run(detachTag, stage.as('editor'), address))
    expect(await counts()).to.deep.equal({})
  })

  it('omits scheduled objects until the second of their issue date', async () => {
    await published('now', [beer])
    await published('later', [wine, beer], { issued: '2026-03-01T14:00:00' })
    expect(await counts()).to.deep.equal({ beer: 1 })
    stage.clock.advance(59 * 60_000 + 59_999)
    expect(await counts()).to.deep.equal({ beer: 1 })
    stage.clock.advance(1)
    expect(await counts()).to.deep.equal({ beer: 2, wine: 1 })
  })

  it('counts objects that became live during an hour that occurs twice', async () => {
    stage.clock.set(Date.parse('2026-10-25T00:00:00Z'))
    await published('a', [wine], { issued: '2026-10-25T02:30:00' })
    for (const [moment, count] of [
      ['2026-10-25T00:29:59Z', {}],
      ['2026-10-25T00:30:00Z', { wine: 1 }],
      ['2026-10-25T01:00:00Z', { wine: 1 }],
      ['2026-10-25T01:29:59Z', { wine: 1 }],
    ] as const) {
      stage.clock.set(Date.parse(moment))
      expect(await counts(), moment).to.deep.equal(count)
    }
  })

  it('has only approved tags, for every role', async () => {
    await published('a', [wine, beer])
    for (const state of ['internal', 'provisional']) {
      await patch(tag, wine, { state })
      expect(await right(stage.run(readTagCloud, stage.as('admin'), { parameters: {} }))).to.have.lengthOf(1)
    }
    await patch(tag, wine, { state: 'approved' })
    expect(await counts()).to.deep.equal({ beer: 1, wine: 1 })
    await remove(tag, wine)
    expect(await counts()).to.deep.equal({ beer: 1 })
  })

  it('has as many tags as the limit, even if more frequent ones are not shown', async () => {
    const tags = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        stage.create(tag, {
          last_name_or_title: `T${String(index).padStart(2, '0')}`,
          urlname: `t${index}`,
          state: index % 2 === 0 ? 'internal' : 'approved',
        }),
      ),
    )
    for (let index = 0; index < 12; index += 1) await published(`a${index}`, tags.slice(0, 12 - index))
    const shown = await cloud({ limit: '3' })
    expect(shown.map(({ urlname, count }) => [urlname, count])).to.deep.equal([
      ['t1', 11],
      ['t3', 9],
      ['t5', 7],
    ])
    expect(shown.map(({ weight }) => weight)).to.deep.equal([1, 0.8182, 0.6364])
  })

  it('orders tags with the same count by title', async () => {
    await published('a', [wine, beer])
    expect((await cloud({ limit: '1' })).map(({ urlname }) => urlname)).to.deep.equal(['beer'])
  })

  it('is restricted by predicates, content types and categories', async () => {
    const first = await published('a', [wine])
    await attach(beer, first, 'authored')
    await stage
      .create(content, { content_type: 'review_book', title: 'b', urlname: 'b', state: 'published' })
      .then((id) => attach(beer, id))
    const place = await stage.create(location, { title: 'x', urlname: 'x' })
    await attach(wine, place)
    expect(await counts({ predicate: 'authored' })).to.deep.equal({ beer: 1 })
    expect(await counts({ predicate: 'describes' })).to.deep.equal({ wine: 2, beer: 1 })
    expect(await counts({ ctypes: 'articles' })).to.deep.equal({ beer: 1, wine: 1 })
    expect(await counts({ ctypes: 'reviews' })).to.deep.equal({ beer: 1 })
    expect(await counts({ ctypes: 'articles-reviews_book' })).to.deep.equal({ beer: 2, wine: 1 })
    expect(await counts({ ctypes: 'articles', predicate: 'describes' })).to.deep.equal({ wine: 1 })
    const category = await stage.create(tagCategory, { title: 'Drinks' })
    expect(await counts({ category })).to.deep.equal({})
    const editor = stage.as('editor')
    const body = { items: [{ tag_uuid: wine }] }
    await right(stage.run(replaceMembers(categoryTags), editor, { id: category, body }))
    expect(await counts({ category })).to.deep.equal({ wine: 2 })
    const refused = (parameters: Parameters) => faultsOf(stage.run(readTagCloud, editor, { parameters }))
    expect(await refused({ category: wine, limit: '0' })).to.have.keys(['limit'])
    expect(await refused({ category: wine })).to.have.keys(['category'])
  })

  it('subtracts scheduled objects, by predicate and content type too', async () => {
    await published('a', [wine], { issued: '2027-01-01' })
    const review = { content_type: 'review_book', title: 'b', urlname: 'b', state: 'published' }
    await attach(wine, await stage.create(content, review), 'authored')
    expect(await counts({ predicate: 'describes' })).to.deep.equal({})
    expect(await counts({ ctypes: 'articles' })).to.deep.equal({})
    expect(await counts({ ctypes: 'reviews' })).to.deep.equal({ wine: 1 })
    expect(await counts()).to.deep.equal({ wine: 1 })
  })

  it('is separate for each instance', async () => {
    await right(stage.useCases.administerInstances.create({ number: 2, title: 'B', timezone: 'UTC' }))
    await published('a', [wine])
    expect(await right(stage.run(readTagCloud, stage.as('admin', 2), { parameters: {} }))).to.deep.equal([])
  })
})
