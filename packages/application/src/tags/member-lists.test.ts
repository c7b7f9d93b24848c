/**
 * Members of an object: read, replaced, added and listed, if they exist and are visible
 * (docs/behaviour/locations.md#listing-images, docs/behaviour/tags.md#members).
 */
import {
  file,
  location,
  notFound,
  tag,
  tagCategory,
  type Resource,
  type Role,
} from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { MemberList } from '@publishing-service/domain/declare'
import { listingImages } from '@publishing-service/domain/locations'
import { categoryTags } from '@publishing-service/domain/tags'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { uploadFile } from '../files/upload-file.js'
import { listTagCategories } from './list-tags.js'
import { bytesOf } from '../test-support/ascii.js'
import { createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'
import { listMembers } from './list-members.js'
import { addMember, readMembers, replaceMembers } from './member-lists.js'
import { removeObject } from '../engine/remove.js'
import { changeObject, createObject, replaceObject } from '../engine/write.js'

describe('member lists', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
    await right(
      stage.useCases.administerInstances.create({
        number: 2,
        title: 'B',
        timezone: 'UTC',
        directory_addon: true,
      }),
    )
  })

  const members = async (list: MemberList, id: string, role: Role = 'editor', number = 1) =>
    (await right(stage.run(readMembers(list), stage.as(role, number), { id }))).map((each) => each[list.item])
  const replace = (list: MemberList, id: string, body: JsonObject, number = 1) =>
    stage.run(replaceMembers(list), stage.as('editor', number), { id, body })
  const add = (list: MemberList, id: string, body: JsonObject, number = 1) =>
    stage.run(addMember(list), stage.as('editor', number), { id, body })

  describe('the tags of a category', () => {
    let category: string
    let tags: readonly string[]
    beforeEach(async () => {
      category = await stage.create(tagCategory, { title: 'Drinks' })
      tags = await Promise.all(
        ['a', 'b', 'c'].map((urlname) =>
          stage.create(tag, { last_name_or_title: urlname.toUpperCase(), urlname }),
        ),
      )
    })
    const items = (ids: readonly string[]) => ({ items: ids.map((tag_uuid) => ({ tag_uuid })) })

    it('are replaced as a whole, in the order that was sent, each once', async () => {
      const [a = '', b = '', c = ''] = tags
      expect(await members(categoryTags, category)).to.deep.equal([])
      await right(replace(categoryTags, category, items([c, a, c, b])))
      expect(await members(categoryTags, category)).to.deep.equal([c, a, b])
      await right(replace(categoryTags, category, items([])))
      expect(await members(categoryTags, category)).to.deep.equal([])
    })

    it('are appended, and keep their position if they are in the list already', async () => {
      const [a = '', b = ''] = tags
      for (const tag_uuid of [b, a, b.toUpperCase()]) await right(add(categoryTags, category, { tag_uuid }))
      expect(await members(categoryTags, category)).to.deep.equal([b, a])
    })

    it('are added concurrently without losing one', async () => {
      await Promise.all(tags.map(async (tag_uuid) => right(add(categoryTags, category, { tag_uuid }))))
      expect(await members(categoryTags, category)).to.have.members([...tags])
    })

    it('must be existing tags; each fault has its path, and nothing is written', async () => {
      const [a = ''] = tags
      await right(replace(categoryTags, category, items([a])))
      const faulty = { items: [{ tag_uuid: a }, { tag_uuid: category }, {}, { tag_uuid: 'x' }] }
      expect(await faultsOf(replace(categoryTags, category, faulty))).to.have.all.keys(
        'items.1.tag_uuid',
        'items.2.tag_uuid',
        'items.3.tag_uuid',
      )
      expect(await faultsOf(replace(categoryTags, category, {}))).to.have.all.keys('items')
      expect(await faultsOf(add(categoryTags, category, { tag_uuid: category }))).to.have.all.keys('tag_uuid')
      expect(await members(categoryTags, category)).to.deep.equal([a])
      expect(await left(replace(categoryTags, a, items([])))).to.deep.equal(notFound)
    })

    it('are shown if they exist and the reader may see them', async () => {
      const [a = '', b = '', c = ''] = tags
      await right(replace(categoryTags, category, items(tags)))
      const editor = stage.as('editor')
      await right(stage.run(changeObject(tag), editor, { id: b, body: { state: 'internal' } }))
      await right(stage.run(removeObject(tag), editor, { id: c }))
      expect(await members(categoryTags, category)).to.deep.equal([a, b])
      expect(await members(categoryTags, category, 'public_user')).to.deep.equal([a])
    })

    it('are listed as rows with the fields of tags, page by page', async () => {
      const [a = '', b = '', c = ''] = tags
      await right(replace(categoryTags, category, items([b, c, a])))
      const listed = (parameters: Readonly<Record<string, string>>) =>
        stage.run(listMembers(categoryTags), stage.as('editor'), { id: category, parameters })
      expect(await right(listed({ fields: 'title,url', rpp: '2' }))).to.deep.equal({
        items: [
          ['B', `https://api.example.org/1/tags/${b}`],
          ['C', `https://api.example.org/1/tags/${c}`],
        ],
        page: 1,
        next: { page: 2, after: null },
        previous: null,
        included: null,
        counted: null,
      })
      expect(await right(listed({ fields: 'title', rpp: '2', page: '2' }))).to.deep.equal({
        items: [['A']],
        page: 2,
        next: null,
        previous: { page: 1, after: null },
        included: null,
        counted: null,
      })
      expect(await faultsOf(listed({ fields: 'nope', order: 'title', page: '0' }))).to.have.all.keys(
        'fields',
        'order',
        'page',
      )
    })

    it('list their categories', async () => {
      const [a = '', b = ''] = tags
      const other = await stage.create(tagCategory, { title: 'Another' })
      for (const id of [category, other]) await right(add(categoryTags, id, { tag_uuid: a }))
      const categories = async (tagId: string): Promise<readonly unknown[]> => {
        const parameters = { fields: 'title', order: 'title' }
        const listing = stage.run(listTagCategories, stage.as('public_user'), { tagId, parameters })
        return (await right(listing)).items.flat()
      }
      expect(await categories(a)).to.deep.equal(['Another', 'Drinks'])
      expect(await categories(b)).to.deep.equal([])
      await right(stage.run(removeObject(tagCategory), stage.as('editor'), { id: other }))
      expect(await categories(a)).to.deep.equal(['Drinks'])
      await right(replace(categoryTags, category, items([b])))
      expect(await categories(a)).to.deep.equal([])
    })

    it('are removed with their tag: a new tag of its UUID is in no category', async () => {
      const [a = '', b = ''] = tags
      await right(replace(categoryTags, category, items([a, b])))
      await right(stage.run(removeObject(tag), stage.as('admin'), { id: a }))
      expect(await members(categoryTags, category)).to.deep.equal([b])
      await stage.create(tag, { last_name_or_title: 'A', urlname: 'a' }, a)
      expect(await members(categoryTags, category)).to.deep.equal([b])
      const categories = stage.run(listTagCategories, stage.as('editor'), { tagId: a, parameters: {} })
      expect((await right(categories)).items).to.deep.equal([])
    })

    it('count towards the limit only while they exist', async () => {
      const gone = Array.from({ length: 10_000 }, (_, index) => `gone ${index}`)
      const found = await right(stage.documents.get('tag_categories', 1, category))
      if (found === null) throw new Error('the category is gone')
      const [a = '', b = ''] = tags
      const value = { ...found.value, members: [b, ...gone.slice(1)] }
      await right(stage.documents.replace('tag_categories', 1, { ...found, unique: null, value }))
      await right(add(categoryTags, category, { tag_uuid: a }))
      expect(await members(categoryTags, category)).to.deep.equal([b, a])
      const stored = await right(stage.documents.get('tag_categories', 1, category))
      expect(stored?.value['members']).to.deep.equal([b, a])
    })

    it('are kept by a PUT of the category', async () => {
      await right(replace(categoryTags, category, items(tags)))
      const put = { id: category, body: { title: 'New', members: [] } }
      await right(stage.run(replaceObject(tagCategory), stage.as('editor'), put))
      expect(await members(categoryTags, category)).to.deep.equal(tags)
    })
  })

  describe('the images of a listing', () => {
    const createOn = (resource: Resource, body: JsonObject): Promise<string> =>
      right(stage.run(createObject(resource), stage.as('editor', 2), { body }))
    const uploaded = async (mimetype: string): Promise<string> => {
      const id = await createOn(file, { title: 'x', filename: 'x' })
      const body = (async function* () {
        yield bytesOf('picture 4x3')
      })()
      const upload = { id, contentType: mimetype, length: undefined, body }
      await right(stage.run(uploadFile, stage.as('editor', 2), upload))
      return id
    }

    it('are images with data, shown to the public only within the listing window', async () => {
      const place = await createOn(location, {
        title: 'x',
        urlname: 'x',
        is_listing: true,
        listing_expires: '2026-03-01T12:00:01',
      })
      const empty = await createOn(file, { title: 'x', filename: 'x.png' })
      expect(await faultsOf(add(listingImages, place, { uuid: empty }, 2))).to.have.all.keys('uuid')
      const picture = await uploaded('image/png')
      await right(replace(listingImages, place, { items: [{ uuid: picture }] }, 2))
      for (const role of ['public_user', 'editor'] as const)
        expect(await members(listingImages, place, role, 2)).to.deep.equal([picture])
      stage.clock.advance(1000)
      expect(await members(listingImages, place, 'public_user', 2)).to.deep.equal([])
      expect(await members(listingImages, place, 'editor', 2)).to.deep.equal([picture])
      await right(stage.run(removeObject(file), stage.as('editor', 2), { id: picture }))
      expect(await members(listingImages, place, 'editor', 2)).to.deep.equal([])
    })

    it('must be images', async () => {
      const place = await createOn(location, { title: 'x', urlname: 'x' })
      const text = await uploaded('text/plain')
      expect(await faultsOf(add(listingImages, place, { uuid: text }, 2))).to.have.all.keys('uuid')
    })

    it('are not available without the directory add-on', async () => {
      const place = await stage.create(location, { title: 'x', urlname: 'x' })
      const editor = stage.as('editor')
      expect(await left(stage.run(readMembers(listingImages), editor, { id: place }))).to.deep.equal(notFound)
      expect(await left(replace(listingImages, place, { items: [] }))).to.deep.equal(notFound)
      expect(await left(add(listingImages, place, { uuid: place }))).to.deep.equal(notFound)
    })
  })
})
