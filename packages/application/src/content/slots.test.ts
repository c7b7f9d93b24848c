import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, file, notFound } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { InstanceRequest } from '../operation-request.js'
import { uploadFile } from '../files/upload-file.js'
import { readObject } from '../engine/read-one.js'
import { removeObject } from '../engine/remove.js'
import { changeObject } from '../engine/write.js'
import { bytesOf, textOf } from '../test-support/ascii.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { picture } from '../test-support/picture-imaging.js'
import {
  article,
  createStage,
  faultsOf,
  left,
  unavailable,
  right,
  type Stage,
} from '../test-support/stage.js'
import { addMedium, listMedia, replaceMedia } from './slot-media.js'
import { changeSlot, listSlots, readSlot, removeSlot, replaceSlot } from './slots.js'

const first = '11111111-1111-4111-8111-111111111111'
const second = '22222222-2222-4222-8222-222222222222'
const unplaced = '33333333-3333-4333-8333-333333333333'

const embed = (code: string): JsonObject => ({ type: 'embed', embed_code: code })

describe('slots and their media', () => {
  let documents: ControllableStore
  let stage: Stage
  let editor: InstanceRequest
  let contentId: string
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    editor = stage.as('editor')
    const body = `<slot id="${second}"/><p>Text</p><slot id="${first}"/>`
    contentId = await stage.create(content, article('a', { content: body }))
  })

  const at = (slotId: string) => ({ contentId, slotId })
  const listed = (slotId: string | null) =>
    stage.run(listMedia, editor, { contentId, slotId, parameters: {} })
  const codes = async (slotId: string | null): Promise<readonly unknown[]> =>
    (await right(listed(slotId))).items.map(({ embed_code: code }) => code)
  const put = (slotId: string | null, ...each: readonly string[]) =>
    stage.run(replaceMedia, editor, { contentId, slotId, body: { items: each.map(embed) } })
  const add = (slotId: string | null, body: JsonObject) =>
    right(stage.run(addMedium, editor, { contentId, slotId, body }))
  const read = (slotId: string) => right(stage.run(readSlot, editor, at(slotId)))

  it('are listed in the order of the body, with their defaults', async () => {
    const slots = await right(stage.run(listSlots, editor, { contentId }))
    expect(slots.map(({ uuid }) => uuid)).to.deep.equal([second, first])
    expect(slots[0]).to.deep.include({ relevance: 'inline', content_uuid: contentId })
  })

  it('are changed attribute by attribute', async () => {
    const replace = (body: JsonObject) => right(stage.run(replaceSlot, editor, { ...at(first), body }))
    const change = (body: JsonObject) => right(stage.run(changeSlot, editor, { ...at(first), body }))
    await replace({ display: 'gallery' })
    await change({})
    expect(await read(first)).to.include({ display: 'gallery' })
    await change({ display: null, relevance: 'aside' })
    await change({ relevance: null })
    expect(await read(first)).to.include({ relevance: 'inline', display: null })
  })

  it('can be configured if the body places them', async () => {
    const body = { relevance: 'inline', display: 'gallery' }
    await right(stage.run(replaceSlot, editor, { ...at(first), body }))
    expect(await read(first)).to.include({ display: 'gallery' })
    const faults = await faultsOf(
      stage.run(replaceSlot, editor, { ...at(unplaced), body: { relevance: 'inline' } }),
    )
    expect(faults['slot_uuid']).to.include('add it there first')
    for (const outcome of [
      stage.run(readSlot, editor, at(unplaced)),
      stage.run(removeSlot, editor, at(unplaced)),
      listed(unplaced),
      stage.run(replaceSlot, editor, { contentId: unplaced, slotId: first, body: {} }),
      stage.run(listSlots, editor, { contentId: unplaced }),
    ])
      expect(await left(outcome)).to.deep.equal(notFound)
  })

  it('keep their media while their tag is removed from the body', async () => {
    await right(put(first, 'one'))
    const { content: body } = await right(
      stage.run(readObject(content), editor, { id: contentId, parameters: {} }),
    )
    const change = (text: unknown) =>
      right(stage.run(changeObject(content), editor, { id: contentId, body: { content: String(text) } }))
    await change('<p>Text</p>')
    expect(await left(listed(first))).to.deep.equal(notFound)
    await change(body)
    expect(await codes(first)).to.deep.equal(['one'])
  })

  it('lose settings and media with a DELETE, not their tag', async () => {
    await right(put(first, 'one'))
    await right(stage.run(removeSlot, editor, at(first)))
    expect(await codes(first)).to.deep.equal([])
    expect(await right(stage.run(listSlots, editor, { contentId }))).to.have.lengthOf(2)
  })

  it('accept single media or a whole list', async () => {
    await right(put(first, 'one', 'two'))
    await add(first, embed('three'))
    expect(await codes(first)).to.deep.equal(['one', 'two', 'three'])
    await right(put(first, 'four'))
    expect(await codes(first)).to.deep.equal(['four'])
  })

  it('return the media of all slots in the deprecated single list', async () => {
    await right(put(first, 'of the first'))
    await right(put(second, 'of the second'))
    await add(null, embed('of none'))
    expect(await codes(null)).to.deep.equal(['of the second', 'of the first', 'of none'])
  })

  it('refer to files of this instance, of the right kind', async () => {
    const medium = (id: string): JsonObject => ({ type: 'file', image_uuid: id })
    const id = await stage.create(file, { title: 'A picture', filename: 'p.png' })
    const faults = await faultsOf(
      stage.run(replaceMedia, editor, { ...at(first), body: { items: [embed('x'), medium(id)] } }),
    )
    expect(faults).to.have.keys(['items.1.image_uuid'])
    async function* body() {
      yield bytesOf(textOf(picture(4, 3)))
    }
    const upload = { contentType: 'image/png', length: undefined, body: body() }
    await right(stage.run(uploadFile, editor, { id, ...upload }))
    await add(first, medium(id))
    const [item] = (await right(listed(first))).items
    expect(item).to.include({ image_uuid: id, image_mimetype: 'image/png' })
    await right(stage.run(removeObject(file), editor, { id }))
    expect((await right(listed(first))).items).to.deep.equal([])
  })

  it('change only if the precondition is met', async () => {
    const refused = { _tag: 'PreconditionFailed' }
    const refusing = { ...editor, precondition: () => false }
    for (const outcome of [
      stage.run(replaceSlot, refusing, { ...at(first), body: { relevance: 'aside' } }),
      stage.run(removeSlot, refusing, at(first)),
      stage.run(replaceMedia, refusing, { ...at(first), body: { items: [] } }),
      stage.run(addMedium, refusing, { ...at(first), body: embed('x') }),
    ])
      expect(await left(outcome)).to.deep.equal(refused)
    await right(put(first, 'one'))
    let seen: unknown = null
    const precondition = (current: JsonObject | null): boolean => {
      seen = current
      return true
    }
    await right(stage.run(replaceMedia, { ...editor, precondition }, { ...at(first), body: { items: [] } }))
    expect(seen).to.have.property('items').with.lengthOf(1)
  })

  it('keep all media that several processes add concurrently', async () => {
    const added = Array.from({ length: 8 }, (_, index) =>
      right(stage.anotherProcess().run(addMedium, editor, { ...at(first), body: embed(String(index)) })),
    )
    await Promise.all(added)
    expect((await codes(first)).map(Number).toSorted((a, b) => a - b)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('fail if their store fails', async () => {
    documents.fail('get', 'content')
    expect(await left(stage.run(listSlots, editor, { contentId }))).to.deep.equal(unavailable)
    documents.fail('replace', 'content')
    expect(await left(put(first, 'one'))).to.deep.equal(unavailable)
    expect(await codes(first)).to.deep.equal([])
  })
})
