import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, section, type Resource } from '@publishing-service/domain'
import { pipe, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { unreadable, type Document, type DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from './collections.js'
import { UnreadableDocument } from './instance-store.js'
import { listObjects } from './engine/list.js'
import { readContentInfo } from './content/read-content-info.js'
import { readObject } from './engine/read-one.js'
import { changeObject } from './engine/write.js'
import { article, aSection, createStage, right, type Stage } from './test-support/stage.js'

describe('documents that are damaged in their store', () => {
  let damage: Map<string, JsonObject>
  let stage: Stage
  let parent: string
  let ids: readonly string[]
  beforeEach(async () => {
    damage = new Map()
    const store = memoryDocumentStore(collections)
    const damaged = (document: Document): Document => ({
      ...document,
      value: damage.get(document.id) ?? document.value,
    })
    const documents: DocumentStore = {
      ...store,
      get: (...place) =>
        pipe(
          store.get(...place),
          TE.map((found) => (found === null ? null : damaged(found))),
        ),
      getRelated: (...related) =>
        pipe(
          store.getRelated(...related),
          TE.map((found) => ({ ...found, documents: found.documents.map((each) => each.map(damaged)) })),
        ),
      find: (...query) =>
        pipe(
          store.find(...query),
          TE.map((page) => ({ ...page, documents: page.documents.map(damaged) })),
        ),
    }
    stage = await createStage({ documents })
    parent = await stage.create(section, aSection('s'))
    const made: string[] = []
    for (const name of ['a', 'b', 'c'])
      made.push(await stage.create(content, article(name, { title: name, section_uuid: parent })))
    ids = made
  })

  const listed = async (resource: Resource = content) =>
    (
      await right(
        stage.run(listObjects(resource), stage.as('reader'), {
          parameters: { fields: 'uuid-url-title-section_uuid-teaser_image_uuid', order: 'title' },
        }),
      )
    ).items
  const errors = () => stage.log.entries().filter(({ level }) => level === 'error')
  const rejection = (task: () => Promise<unknown>): Promise<unknown> =>
    task().then(
      () => null,
      (error: unknown) => error,
    )

  /** The middle one of three rows is a gap, and was logged. */
  const expectGap = async (resource?: Resource): Promise<void> => {
    const [first, broken = '', last] = ids
    const [row, ...others] = (await listed(resource)).toSorted(
      ([one], [other]) => Number(other === broken) - Number(one === broken),
    )
    expect(row).to.deep.equal([broken, `https://api.example.org/1/content/${broken}`, null, null, null])
    expect(others.map(([id, , title]) => [id, title])).to.deep.equal([
      [first, 'a'],
      [last, 'c'],
    ])
    expect(errors().length).to.be.above(0)
    for (const { fields } of errors())
      expect(fields).to.include({ collection: 'content', instance: 1, id: broken })
  }

  it('have a row with their address in a list, and are logged', async () => {
    damage.set(ids[1] ?? '', unreadable)
    await expectGap()
    expect((await listed())[1]?.[0]).to.equal(ids[1])
  })

  it('so have documents with a value that is not of its type, if it is shown', async () => {
    const [, broken = ''] = ids
    const stored = await right(stage.documents.get('content', 1, broken))
    damage.set(broken, { ...stored?.value, title: 42 })
    await expectGap()
  })

  for (const [what, wrong] of Object.entries({
    'a number instead of a text': { title: 42 },
    'a word of no meaning': { state: 'nonsense' },
    'a text instead of a list': { related_links: 'none' },
    'another type in a part of it': { placed_slots: [1] },
  }))
    it(`are a defect also with ${what}`, async () => {
      const [, broken = ''] = ids
      const stored = await right(stage.documents.get('content', 1, broken))
      damage.set(broken, { ...stored?.value, ...wrong })
      const editor = stage.as('editor')
      for (const task of [
        stage.run(readObject(content), editor, { id: broken, parameters: {} }),
        stage.run(changeObject(content), editor, { id: broken, body: { kicker: 'x' } }),
      ])
        expect(await rejection(task)).to.be.instanceOf(UnreadableDocument)
    })

  it('so do objects with an invalid state', () =>
    expectGap({
      ...content,
      redact: (state) => {
        if (state['title'] === 'b') throw new Error('a state that cannot be')
        return state
      },
    }))

  it('do not fail lists and objects that refer to them', async () => {
    damage.set(parent, unreadable)
    expect(await listed()).to.have.lengthOf(3)
    await right(stage.run(readObject(content), stage.as('reader'), { id: ids[0] ?? '', parameters: {} }))
    expect(errors()[0]?.fields).to.include({ collection: 'sections', instance: 1, id: parent })
  })

  it('are a defect if they are read or written themselves', async () => {
    const [broken = ''] = ids
    damage.set(broken, unreadable)
    const editor = stage.as('editor')
    for (const task of [
      stage.run(readObject(content), editor, { id: broken, parameters: {} }),
      stage.run(changeObject(content), editor, { id: broken, body: { title: 'x' } }),
      stage.run(readContentInfo, editor, { id: broken }),
    ])
      expect(String(await rejection(task))).to.include(broken)
  })
})
