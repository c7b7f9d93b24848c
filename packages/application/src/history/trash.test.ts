/** Deleted objects, and how they are restored (docs/behaviour/trash.md). */
import { comment, content, file, section } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { maxAppendedBytes } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  changeObject,
  createObject,
  listObjects,
  listTrash,
  listVersions,
  readObject,
  removeFromTrash,
  removeObject,
  replaceObject,
  restoreFromTrash,
  uploadFile,
} from '../operations.js'
import { pipe, TE } from '@publishing-service/domain/fp'
import { changing } from '../test-support/memory-documents.js'
import { bodyOf } from '../test-support/ascii.js'
import {
  article,
  aSection,
  createStage,
  deployment,
  faultsOf,
  left,
  processOver,
  right,
  unavailable,
  type Stage,
} from '../test-support/stage.js'

const day = 86_400_000

describe('the trash', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const as = (role: 'admin' | 'editor' | 'contributor') => ({ ...stage.as(role), requestId: 'r' })
  const create = (body: JsonObject) => right(stage.run(createObject(content), as('admin'), { body }))
  const remove = (id: string) => right(stage.run(removeObject(content), as('admin'), { id }))
  const listed = async (): Promise<readonly (readonly Json[])[]> => {
    const parameters = { fields: 'type-uuid-title-deleted-deleted_by-expires' }
    return (await right(stage.run(listTrash, as('editor'), { parameters }))).items
  }
  const restore = (id: string, collection = 'content') =>
    stage.run(restoreFromTrash, as('admin'), { collection, id })
  const erase = (id: string, collection = 'content') =>
    stage.run(removeFromTrash, as('admin'), { collection, id })
  const read = (id: string) => right(stage.run(readObject(content), as('admin'), { id, parameters: {} }))
  const blobs = async (): Promise<readonly string[]> => {
    const keys: string[] = []
    for await (const { key } of stage.blobs.list('')) keys.push(key)
    return keys
  }
  const upload = async (): Promise<string> => {
    const body = { title: 'F', filename: 'f.txt' }
    const id = await right(stage.run(createObject(file), as('admin'), { body }))
    const data = { contentType: 'text/plain', length: undefined, body: bodyOf('data') }
    await right(stage.run(uploadFile, as('admin'), { id, ...data }))
    return id
  }

  it('has what was deleted, by whom and until when, the last first', async () => {
    const [first, second] = [await create(article('a', { title: 'A' })), await create(article('b'))]
    await remove(first)
    stage.clock.advance(1000)
    await remove(second)
    expect((await listed()).map(([, uuid]) => uuid)).to.deep.equal([second, first])
    expect((await listed())[1]).to.deep.equal([
      'content',
      first,
      'A',
      '2026-03-01T12:00:00.000Z',
      'admin',
      '2026-03-31T12:00:00.000Z',
    ])
  })

  it('gives an object back as it was, with what refers to it, and its versions go on', async () => {
    const parent = await right(stage.run(createObject(section), as('admin'), { body: aSection('s') }))
    const id = await create(article('a', { title: 'One', section_uuid: parent, state: 'published' }))
    const body = { parent_type: 'content', parent_uuid: id, comment: 'Yes.', state: 'published' }
    await right(stage.run(createObject(comment), as('admin'), { body }))
    await right(stage.run(changeObject(content), as('admin'), { id, body: { title: 'Two' } }))
    const before = await read(id)
    stage.clock.advance(60_000)
    await remove(id)
    const comments = () =>
      right(stage.run(listObjects(comment), as('admin'), { parameters: { fields: 'uuid' } }))
    expect((await comments()).items).to.deep.equal([])
    await right(restore(id))
    expect({ ...(await read(id)), modified: before['modified'] }).to.deep.equal(before)
    expect((await comments()).items).to.have.lengthOf(1)
    expect(await listed()).to.deep.equal([])
    const { items: versions } = await right(
      stage.run(listVersions(content), as('admin'), { id, parameters: {} }),
    )
    expect(versions.map(({ version, operation }) => [version, operation])).to.deep.equal([
      [4, 'restoreFromTrash'],
      [2, 'changeObject'],
      [1, 'createObject'],
    ])
  })

  it('keeps a file with its data until it is deleted for good', async () => {
    const id = await upload()
    const stored = await blobs()
    await right(stage.run(removeObject(file), as('admin'), { id }))
    expect(await blobs()).to.deep.equal(stored)
    stage.clock.advance(2 * day)
    await stage.useCases.garbageCollection.collect()
    expect(await stage.useCases.garbageCollection.list()).to.deep.equal([])
    await right(restore(id, 'files'))
    const { blob } = (await right(stage.documents.get('files', 1, id)))?.value ?? {}
    expect(`${String(blob)}/original`).to.equal(stored[0])
    await right(stage.run(removeObject(file), as('admin'), { id }))
    await right(erase(id, 'files'))
    expect(await blobs()).to.deep.equal([])
    expect(await left(restore(id, 'files'))).to.have.property('_tag', 'NotFound')
  })

  it('deletes objects for good when their time has ended, with what is deleted with them', async () => {
    const id = await create(article('a', { content: `<p>${'漢字 '.repeat(maxAppendedBytes / 6)}</p>` }))
    const body = { parent_type: 'content', parent_uuid: id, comment: 'Yes.', state: 'published' }
    await right(stage.run(changeObject(content), as('admin'), { id, body: { state: 'published' } }))
    await right(stage.run(createObject(comment), as('admin'), { body }))
    await remove(id)
    await upload()
    stage.clock.advance(29 * day)
    expect(await stage.useCases.expireTrash()).to.equal(0)
    await stage.useCases.finishCascades()
    const all = { where: [], order: [], skip: 0, limit: 100, detail: 'full' } as const
    const stored = async (collection: string) =>
      (await right(stage.documents.find(collection, 1, all))).documents
    expect(await stored('comments')).to.deep.equal([])
    const textsOfComments = async (): Promise<readonly Json[]> =>
      (await right(stage.documents.find('audit', 0, all))).documents.flatMap(({ value }) =>
        value['collection'] === 'comments' && value['kind'] === 'remove' ? [value['before'] ?? null] : [],
      )
    expect(await textsOfComments()).to.have.nested.property('[0].comment', 'Yes.')
    expect(await stored('earlier_states')).not.to.deep.equal([])
    stage.clock.advance(2 * day)
    // The article and its comment.
    expect(await stage.useCases.expireTrash()).to.equal(2)
    expect(await textsOfComments()).to.deep.equal([null])
    expect(await stored('earlier_states')).to.deep.equal([])
    expect(await listed()).to.deep.equal([])
    expect(await left(restore(id))).to.have.property('_tag', 'NotFound')
    expect(await stage.useCases.expireTrash()).to.equal(0)
  })

  it('gives nothing back against the rules of a write', async () => {
    const id = await create(article('a'))
    await remove(id)
    await create(article('a', { title: 'Another' }))
    expect(await faultsOf(restore(id))).to.have.property('urlname')
    const again = await create(article('b'))
    await remove(again)
    await right(
      stage.run(replaceObject(content), as('admin'), { id: again, body: article('c', { title: 'New' }) }),
    )
    expect(await faultsOf(restore(again))).to.have.property('uuid')
    expect(await read(again)).to.include({ title: 'New' })
    const parent = await right(stage.run(createObject(section), as('admin'), { body: aSection('s') }))
    await right(stage.run(removeObject(section), as('admin'), { id: parent }))
    const byEditor = stage.run(restoreFromTrash, as('editor'), { collection: 'sections', id: parent })
    expect(await left(byEditor)).to.have.property('_tag', 'Forbidden')
    for (const [collection, unknown] of [
      ['content', parent],
      ['comments', id],
      ['nothing', id],
    ] as const)
      expect(await left(restore(unknown, collection))).to.have.property('_tag', 'NotFound')
    expect(
      await left(stage.run(removeFromTrash, as('editor'), { collection: 'sections', id: parent })),
    ).to.have.property('_tag', 'Forbidden')
  })

  it('of one instance has nothing of another', async () => {
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const id = await create(article('a'))
    await remove(id)
    const other = { ...stage.as('admin', 2), requestId: 'r' }
    expect((await right(stage.run(listTrash, other, { parameters: {} }))).items).to.deep.equal([])
    expect(await left(stage.run(restoreFromTrash, other, { collection: 'content', id }))).to.have.property(
      '_tag',
      'NotFound',
    )
  })

  it('gives the comments of an object back although the clock was set during its removal, and only those of this removal', async () => {
    const comments = async () =>
      (await right(stage.run(listObjects(comment), as('admin'), { parameters: { fields: 'comment' } }))).items
    const commentOn = (id: string, text: string) => {
      const body = { parent_type: 'content', parent_uuid: id, comment: text, state: 'published' }
      return right(stage.run(createObject(comment), as('admin'), { body }))
    }
    for (const step of [day / 12, -day / 12, day / 144, -day / 144]) {
      const id = await create(article(`a${step}`))
      await commentOn(id, 'First')
      const documents = changing(stage.documents, 'remove', 'content', (...call) =>
        pipe(
          stage.documents.write(...call),
          TE.map((written) => {
            stage.clock.advance(step)
            return written
          }),
        ),
      )
      const { run } = stage.anotherProcess({ documents })
      const removeThere = () => right(run(removeObject(content), as('admin'), { id }))
      await removeThere()
      await right(run(replaceObject(content), as('admin'), { id, body: article(`b${step}`) }))
      await commentOn(id, 'Second')
      await removeThere()
      expect(await comments()).to.deep.equal([])
      await right(restore(id))
      expect(await comments()).to.deep.equal([['Second']])
      await remove(id)
    }
  })

  it('lacks an object that is removed from a full disk with a state too long for its record', async () => {
    const id = await create(article('a', { content: `<p>${'漢字 '.repeat(maxAppendedBytes / 6)}</p>` }))
    const full = { ...unavailable, storageFull: true } as const
    const documents = changing(stage.documents, 'insert', 'earlier_states', () => TE.left(full))
    const { run } = stage.anotherProcess({ documents })
    expect(
      await left(run(changeObject(content), as('admin'), { id, body: { content: '<p>short</p>' } })),
    ).to.deep.equal(full)
    await right(run(removeObject(content), as('admin'), { id }))
    expect(await listed()).to.deep.equal([])
  })

  it('has nothing of a deployment without one, and of changes that are not recorded', async () => {
    const { run } = processOver(stage, { ...deployment, trashTime: 0 })
    const id = await create(article('a'))
    await right(run(removeObject(content), as('admin'), { id }))
    const unrecorded = await stage.create(content, article('b'))
    await right(stage.run(removeObject(content), stage.as('admin'), { id: unrecorded }))
    expect(await listed()).to.deep.equal([])
    const data = await upload()
    await right(run(removeObject(file), as('admin'), { id: data }))
    expect(await blobs()).to.deep.equal([])
  })
})
