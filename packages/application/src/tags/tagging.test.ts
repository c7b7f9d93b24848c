/**
 * Tags on objects, attached, listed, detached, and removed with the object or the tag
 * (docs/behaviour/tags.md#taggings).
 */
import {
  badParameters,
  blog,
  comment,
  content,
  fault,
  file,
  location,
  notFound,
  section,
  tag,
  type Resource,
  type Role,
} from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { taggingsOf } from '@publishing-service/domain/tags'
import type { Parameters } from '@publishing-service/domain/lists'
import { withComputed } from '@publishing-service/domain/engine'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { removeObject } from '../engine/remove.js'
import { changeObject, replaceObject } from '../engine/write.js'
import { article, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'
import { attachTag, detachTag, readTagging } from './attach-tag.js'
import { listTagged } from './list-tagged.js'
import { listTags } from './list-tags.js'

const aTag = (urlname: string, more: JsonObject = {}): JsonObject => ({
  last_name_or_title: `Tag ${urlname}`,
  urlname,
  ...more,
})

describe('tagging', () => {
  let stage: Stage
  let wine: string
  let story: string
  beforeEach(async () => {
    stage = await createStage()
    wine = await stage.create(tag, aTag('wine'))
    story = await stage.create(content, article('story', { state: 'published' }))
  })

  const put = (tagId: string, predicate: string, objectId: string, body: JsonObject = {}) =>
    stage.run(attachTag, stage.as('editor'), { tagId, predicate, objectId, body })
  const attach = (tagId: string, predicate: string, objectId: string) =>
    right(put(tagId, predicate, objectId))
  const read = (tagId: string, predicate: string, objectId: string, role: Role = 'editor') =>
    stage.run(readTagging, stage.as(role), { tagId, predicate, objectId })
  const detach = (tagId: string, predicate: string, objectId: string) =>
    stage.run(detachTag, stage.as('editor'), { tagId, predicate, objectId })
  const tagsOf = async (
    resource: Resource,
    id: string,
    role: Role = 'editor',
    predicate: string | null = null,
  ): Promise<readonly JsonObject[]> =>
    (await right(stage.run(listTags(resource), stage.as(role), { id, predicate, parameters: {} }))).items
  const tagged = (tagId: string, predicate: string, parameters: Parameters = {}, role: Role = 'editor') =>
    stage.run(listTagged, stage.as(role), { tagId, predicate, parameters })
  const taggedUuids = (tagId: string, predicate: string, parameters: Parameters = {}, role?: Role) =>
    right(tagged(tagId, predicate, { fields: 'uuid', ...parameters }, role))
  const remove = (resource: Resource, id: string) =>
    right(stage.run(removeObject(resource), stage.as('admin'), { id }))

  it('reads what was attached, and nothing that was not', async () => {
    await attach(wine, 'describes', story)
    expect(await right(read(wine, 'describes', story))).to.deep.equal({
      url: `/tags/${wine}/describes/${story}`,
      uuid: story,
      tag_uuid: wine,
      predicate: 'describes',
      created: '2026-03-01T13:00:00',
    })
    expect(await left(read(wine, 'authored', story))).to.deep.equal(notFound)
    expect(await left(read(wine, 'likes', story))).to.deep.equal(notFound)
    expect(await left(read(story, 'describes', wine))).to.deep.equal(notFound)
  })

  it('changes nothing if the tag is attached already', async () => {
    await attach(wine, 'describes', story)
    const before = await right(stage.documents.get('content', 1, story))
    stage.clock.advance(60_000)
    await attach(wine, 'describes', story)
    expect(await right(stage.documents.get('content', 1, story))).to.deep.equal(before)
    expect(await tagsOf(content, story)).to.have.lengthOf(1)
  })

  it('attaches tags concurrently', async () => {
    const tags = await Promise.all(
      Array.from({ length: 10 }, (_, index) => stage.create(tag, aTag(`t${index}`))),
    )
    await Promise.all(tags.map((id) => attach(id, 'describes', story)))
    expect((await tagsOf(content, story)).map(({ uuid }) => uuid)).to.have.members(tags)
  })

  it('attaches to every kind of taggable object, by the predicates of its kind', async () => {
    const others = [
      [location, await stage.create(location, { title: 'x', urlname: 'x' })],
      [file, await stage.create(file, { title: 'x', filename: 'x.png' })],
      [blog, await stage.create(blog, { title: 'x', urlname: 'x' })],
    ] as const
    for (const [resource, id] of others) {
      await attach(wine, 'describes', id)
      expect((await tagsOf(resource, id)).map(({ uuid }) => uuid)).to.deep.equal([wine])
      expect(await left(put(wine, 'authored', id))).to.deep.equal(
        badParameters([
          fault('predicate', 'rule', 'this kind of object does not accept the predicate authored'),
        ]),
      )
    }
    expect(await faultsOf(put(wine, 'photographed', story))).to.have.keys(['predicate'])
    expect(await left(put(wine, 'describes', wine))).to.deep.equal(notFound)
  })

  it('detaches one predicate, once', async () => {
    await attach(wine, 'describes', story)
    await attach(wine, 'authored', story)
    await right(detach(wine, 'describes', story))
    expect((await tagsOf(content, story)).map(({ predicate }) => predicate)).to.deep.equal(['authored'])
    expect(await left(detach(wine, 'describes', story))).to.deep.equal(notFound)
  })

  it('checks preconditions against what the caller reads', async () => {
    await attach(wine, 'describes', story)
    const address = { tagId: wine, predicate: 'describes', objectId: story }
    const shown = await right(read(wine, 'describes', story))
    const seen: (JsonObject | null)[] = []
    const isNew = (current: JsonObject | null): boolean => {
      seen.push(current)
      return current === null
    }
    const editor = { ...stage.as('editor'), precondition: isNew }
    const refused = { _tag: 'PreconditionFailed' } as const
    expect(await left(stage.run(attachTag, editor, { ...address, body: {} }))).to.deep.equal(refused)
    expect(await left(stage.run(detachTag, editor, address))).to.deep.equal(refused)
    await right(stage.run(attachTag, editor, { ...address, predicate: 'authored', body: {} }))
    expect(seen).to.deep.equal([shown, shown, null])
  })

  it('lists tags by predicate, with names, types and states', async () => {
    const ada = await stage.create(
      tag,
      aTag('ada', { type: 'person', first_name: 'Ada', last_name_or_title: 'Lovelace' }),
    )
    await attach(wine, 'describes', story)
    await attach(ada, 'authored', story)
    expect(await tagsOf(content, story, 'public_user', 'authored')).to.deep.equal([
      {
        uuid: ada,
        url: `https://api.example.org/1/tags/${ada}`,
        predicate: 'authored',
        title: 'Ada Lovelace',
        type: 'person',
        state: 'approved',
      },
    ])
    expect(await tagsOf(content, story)).to.have.lengthOf(2)
    const unknown = stage.run(listTags(content), stage.as('editor'), {
      id: story,
      predicate: 'likes',
      parameters: {},
    })
    expect(await left(unknown)).to.deep.equal(notFound)
  })

  it('shows the public neither internal tags nor drafts', async () => {
    const hidden = await stage.create(tag, aTag('hidden', { state: 'internal' }))
    const draft = await stage.create(content, article('draft'))
    await attach(hidden, 'describes', story)
    await attach(wine, 'describes', draft)
    expect(await tagsOf(content, story, 'public_user')).to.deep.equal([])
    expect(await left(read(hidden, 'describes', story, 'public_user'))).to.deep.equal(notFound)
    expect(await left(read(wine, 'describes', draft, 'public_user'))).to.deep.equal(notFound)
    expect((await taggedUuids(wine, 'describes', {}, 'public_user')).items).to.deep.equal([])
    expect((await taggedUuids(wine, 'describes')).items).to.deep.equal([[draft]])
    expect(await left(tagged(hidden, 'describes', {}, 'public_user'))).to.deep.equal(notFound)
  })

  it('is removed with the object: it is in no list, and a new object of its UUID has no tags', async () => {
    await attach(wine, 'describes', story)
    await remove(content, story)
    expect((await taggedUuids(wine, 'describes')).items).to.deep.equal([])
    await stage.create(content, article('story'), story)
    expect(await tagsOf(content, story)).to.deep.equal([])
    expect((await taggedUuids(wine, 'describes')).items).to.deep.equal([])
  })

  it('is removed with the tag: it is not shown, and a new tag of its UUID is on nothing', async () => {
    const place = await stage.create(location, { title: 'x', urlname: 'x' })
    const other = await stage.create(tag, aTag('other'))
    const stories = await Promise.all(
      Array.from({ length: 230 }, (_, index) => stage.create(content, article(`a${index}`))),
    )
    for (const id of [...stories, place, story]) await attach(wine, 'describes', id)
    await attach(other, 'describes', story)
    await remove(tag, wine)
    expect((await tagsOf(content, story)).map(({ uuid }) => uuid)).to.deep.equal([other])
    expect(await left(read(wine, 'describes', story))).to.deep.equal(notFound)
    expect(await left(tagged(wine, 'describes'))).to.deep.equal(notFound)
    await stage.create(tag, aTag('wine'), wine)
    expect((await taggedUuids(wine, 'describes')).items).to.deep.equal([])
    expect((await tagsOf(content, story)).map(({ uuid }) => uuid)).to.deep.equal([other])
    for (const [collection, id] of [
      ['locations', place],
      ['content', stories[229] ?? ''],
    ] as const) {
      const document = await right(stage.documents.get(collection, 1, id))
      expect(taggingsOf(document?.value ?? {})).to.deep.equal([])
      expect(document?.value).to.deep.include({ tagged: [], tagged_as: [] })
    }
  })

  describe('on an object with 500 taggings', () => {
    const fill = async (tags: readonly string[]) => {
      const found = await right(stage.documents.get('content', 1, story))
      if (found === null) throw new Error('the story is gone')
      const taggings = tags.map((each) => ({
        tag: each,
        predicate: 'describes',
        created: '2026-01-01T00:00:00',
      }))
      const value = withComputed(content, { ...found.value, taggings })
      await right(stage.documents.replace('content', 1, { ...found, unique: null, value }))
    }
    const numbered = Array.from(
      { length: 500 },
      (_, index) => `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    )

    it('is rejected if all of their tags exist', async () => {
      for (const id of numbered) await stage.create(tag, aTag(id), id)
      await fill(numbered)
      expect(await faultsOf(put(wine, 'describes', story))).to.have.keys(['tag'])
    })

    it('replaces taggings of deleted tags', async () => {
      const [first = ''] = numbered
      await stage.create(tag, aTag('first'), first)
      await fill(numbered)
      await attach(wine, 'describes', story)
      expect((await tagsOf(content, story)).map(({ uuid }) => uuid)).to.deep.equal([first, wine])
      const stored = await right(stage.documents.get('content', 1, story))
      expect(taggingsOf(stored?.value ?? {})).to.have.lengthOf(2)
      expect(stored?.value['tagged']).to.deep.equal([first, wine])
    })
  })

  it('is preserved by changes of the object and the tag', async () => {
    await attach(wine, 'describes', story)
    const editor = stage.as('editor')
    await right(stage.run(replaceObject(content), editor, { id: story, body: article('renamed') }))
    await right(stage.run(changeObject(tag), editor, { id: wine, body: { urlname: 'vine' } }))
    expect((await tagsOf(content, story)).map(({ uuid }) => uuid)).to.deep.equal([wine])
  })

  describe('listed by the tag', () => {
    it('returns content, then locations, files and blogs, in the order of creation, page by page', async () => {
      const blogs = [await stage.create(blog, { title: 'x', urlname: 'x' })]
      const files = await Promise.all([1, 2, 3].map(() => stage.create(file, { title: 'x', filename: 'x' })))
      const places = await Promise.all(
        [1, 2, 3, 4].map((n) => stage.create(location, { title: 'x', urlname: `x${n}` })),
      )
      const stories = [
        story,
        await stage.create(content, article('b')),
        await stage.create(content, article('c')),
      ]
      const all = [...stories, ...places, ...files, ...blogs]
      for (const id of all.toReversed()) await attach(wine, 'describes', id)
      for (let rpp = 1; rpp <= all.length + 1; rpp += 1) {
        const seen: unknown[] = []
        for (let page = 1; ; page += 1) {
          const listing = await taggedUuids(wine, 'describes', { page: String(page), rpp: String(rpp) })
          seen.push(...listing.items.flat())
          expect(listing.items.length).to.be.at.most(rpp)
          if (listing.next === null) break
        }
        expect(seen, `${rpp} a page`).to.deep.equal(all)
      }
      const beyond = await taggedUuids(wine, 'describes', { page: '9', rpp: '5' })
      expect(beyond).to.deep.equal({
        items: [],
        page: 9,
        next: null,
        previous: { page: 8, after: null },
        included: null,
        counted: null,
      })
    })

    it('has the fields of all kinds, null where a kind has none', async () => {
      const place = await stage.create(location, { title: 'Bar', urlname: 'bar', coords: [48, 16] })
      const picture = await stage.create(file, { title: 'Glass', filename: 'glass.png' })
      for (const id of [story, place, picture]) await attach(wine, 'describes', id)
      const fields = 'type-uuid-title,urlname-state-filename-content_type-lat'
      expect((await right(tagged(wine, 'describes', { fields }))).items).to.deep.equal([
        ['content', story, 'An article', 'story', 'published', null, 'article', null],
        ['location', place, 'Bar', 'bar', 'published', null, null, 48],
        ['file', picture, 'Glass', null, null, 'glass.png', null, null],
      ])
      expect((await right(tagged(wine, 'describes'))).items).to.deep.equal(
        [`content/${story}`, `locations/${place}`, `files/${picture}`].map((path) => [
          `https://api.example.org/1/${path}`,
        ]),
      )
      const refused = tagged(wine, 'describes', {
        fields: 'x',
        rpp: '101',
        order: 'x',
        state: 'x',
        type: 'x',
      })
      expect(await faultsOf(refused)).to.have.keys(['fields', 'rpp', 'order', 'state', 'type'])
    })

    it('has references, counts and long texts of the rows', async () => {
      const news = await stage.create(section, { title: 'News', urlname: 'news', state: 'published' })
      const filed = article('filed', { content: '<p>x</p>', section_uuid: news, state: 'published' })
      const id = await stage.create(content, filed)
      const place = await stage.create(location, { title: 'Bar', urlname: 'bar', content: 'y' })
      await stage.create(comment, {
        parent_type: 'content',
        parent_uuid: id,
        comment: 'z',
        state: 'published',
      })
      for (const each of [id, place]) await attach(wine, 'describes', each)
      const fields = 'section_uuid-comments_count-content'
      expect((await right(tagged(wine, 'describes', { fields, order: 'title' }))).items).to.deep.equal([
        [news, 1, '<p>x</p>'],
        [null, null, 'y'],
      ])
    })

    describe('in an order, or filtered', () => {
      let objects: Readonly<Record<string, string>>
      beforeEach(async () => {
        const created = (day: number) => `2026-01-0${day}T00:00:00`
        objects = {
          z: await stage.create(
            content,
            article('z', { title: 'B', created: created(3), state: 'published' }),
          ),
          draft: await stage.create(content, article('draft', { title: 'é', created: created(1) })),
          event: await stage.create(
            content,
            article('event', { title: 'E', content_type: 'event', dtstart: created(1), created: created(1) }),
          ),
          bar: await stage.create(location, { title: 'a', urlname: 'y', created: created(2) }),
          club: await stage.create(location, {
            title: 'D',
            urlname: 'b',
            created: created(1),
            state: 'draft',
          }),
          glass: await stage.create(file, { title: 'b', filename: 'a.png', created: created(1) }),
          photo: await stage.create(file, { title: 'c', filename: 'b.png', created: created(9) }),
          log: await stage.create(blog, { title: 'b', urlname: 'log' }),
        }
        for (const id of Object.values(objects).toReversed()) await attach(wine, 'describes', id)
      })
      const listed = async (parameters: Parameters, role?: Role): Promise<readonly string[]> => {
        const { items } = await taggedUuids(wine, 'describes', parameters, role)
        return items.flat().map((id) => Object.keys(objects).find((name) => objects[name] === id) ?? '?')
      }

      for (const [order, expected] of Object.entries({
        title: 'bar z glass log photo club draft event',
        'title.desc': 'event draft club photo log glass z bar',
        created: 'log draft event club glass bar z photo',
        'created.desc-title': 'photo z bar glass club event draft log',
        urlname: 'glass photo club draft event log bar z',
        filename: 'z draft event bar club log glass photo',
      }))
        it(`by ${order} has the objects of all kinds merged, on pages of every size`, async () => {
          expect(await listed({ order })).to.deep.equal(expected.split(' '))
          for (let rpp = 1; rpp < 8; rpp += 1) {
            const seen: string[] = []
            for (let page = 1; page <= Math.ceil(8 / rpp); page += 1)
              seen.push(...(await listed({ order, rpp: String(rpp), page: String(page) })))
            expect(seen, `${rpp} a page`).to.deep.equal(expected.split(' '))
          }
        })

      for (const [parameters, expected] of [
        [{ state: 'published' }, 'z bar glass photo log'],
        [{ state: 'live' }, 'z bar glass photo log'],
        [{ state: 'draft' }, 'draft event club'],
        [{ type: 'location-blog' }, 'bar club log'],
        [{ type: 'file' }, 'glass photo'],
        [{ created: '2026-01-02_' }, 'z bar photo'],
        [{ ctypes: 'events' }, 'event'],
        [{ closed: 'false' }, 'bar club'],
        [{ closed: 'false', state: 'draft' }, 'club'],
        [{ groups: 'image' }, ''],
        [{ type: 'file', order: 'title.desc' }, 'photo glass'],
        [{ state: 'published', order: 'title.desc' }, 'photo log glass z bar'],
      ] satisfies (readonly [Parameters, string])[])
        it(`by ${JSON.stringify(parameters)} has the objects that meet it`, async () => {
          expect((await listed(parameters)).join(' ')).to.equal(expected)
        })

      it('by a section has the content and the blogs in it', async () => {
        const news = await stage.create(section, { title: 'News', urlname: 'news' })
        const inNews = [
          await stage.create(content, article('filed', { section_uuid: news })),
          await stage.create(blog, { title: 'b', urlname: 'filed', section_uuid: news }),
        ]
        for (const id of inNews) await attach(wine, 'describes', id)
        const { items } = await taggedUuids(wine, 'describes', { sections: news })
        expect(items.flat()).to.deep.equal(inNews)
      })

      it('has what further tags are on, with any predicate', async () => {
        const red = await stage.create(tag, aTag('red'))
        await attach(red, 'authored', objects['z'] ?? '')
        for (const name of ['bar', 'log']) await attach(red, 'describes', objects[name] ?? '')
        expect(await listed({ tags: red })).to.deep.equal(['z', 'bar', 'log'])
        expect(await listed({ tags_any: red, predicate: 'describes' })).to.deep.equal(['z', 'bar', 'log'])
        expect(await listed({ tags: `${red}_${story}` })).to.deep.equal([])
      })

      it('has for the public only what it sees in each collection', async () => {
        expect(await listed({}, 'public_user')).to.deep.equal(['z', 'bar', 'log'])
        expect(await listed({ order: 'title' }, 'public_user')).to.deep.equal(['bar', 'z', 'log'])
        expect(await listed({ order: 'created.desc' }, 'public_user')).to.deep.equal(['z', 'bar', 'log'])
        const drafts = tagged(wine, 'describes', { state: 'draft' }, 'public_user')
        expect(await faultsOf(drafts)).to.have.keys(['state'])
      })
    })

    it('is empty for a predicate without taggings, and NotFound for an unknown one', async () => {
      expect((await taggedUuids(wine, 'illustrated')).items).to.deep.equal([])
      expect(await left(tagged(wine, 'likes'))).to.deep.equal(notFound)
    })
  })

  it('does not affect other instances', async () => {
    await right(stage.useCases.administerInstances.create({ number: 2, title: 'B', timezone: 'UTC' }))
    await attach(wine, 'describes', story)
    const admin = stage.as('admin', 2)
    const address = { tagId: wine, predicate: 'describes', objectId: story }
    expect(await left(stage.run(readTagging, admin, address))).to.deep.equal(notFound)
    expect(await left(stage.run(attachTag, admin, { ...address, body: {} }))).to.deep.equal(notFound)
    const listed = stage.run(listTagged, admin, { tagId: wine, predicate: 'describes', parameters: {} })
    expect(await left(listed)).to.deep.equal(notFound)
  })
})
