import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, file, notFound, type JsonObject } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { Caller } from '../caller.js'
import { collections } from '../collections.js'
import { bytesOf, textOf } from '../test-support/ascii.js'
import { storeInHand, type StoreInHand } from '../test-support/document-store-in-hand.js'
import { picture } from '../test-support/picture-imaging.js'
import { article, createStage, faultsOf, left, outOfReach, right, type Stage } from '../test-support/stage.js'

const first = '11111111-1111-4111-8111-111111111111'
const second = '22222222-2222-4222-8222-222222222222'
const unplaced = '33333333-3333-4333-8333-333333333333'

const embed = (code: string): JsonObject => ({ type: 'embed', embed_code: code })

const asPut = (input: JsonObject) => ({ mode: 'put', input }) as const

describe('slots and their media', () => {
  let documents: StoreInHand
  let stage: Stage
  let caller: Caller
  let contentId: string
  beforeEach(async () => {
    documents = storeInHand(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    caller = await stage.as('editor')
    const body = `<slot id="${second}"/><p>Text</p><slot id="${first}"/>`
    contentId = await stage.create(content, article('a', { content: body }))
  })

  const at = (slotId: string) => ({ contentId, slotId })
  const codes = async (slotId: string | null): Promise<readonly unknown[]> =>
    (await right(stage.useCases.listMedia(caller, { contentId, slotId }))).map(({ embed_code: code }) => code)
  const put = (slotId: string | null, ...each: readonly string[]) =>
    stage.useCases.replaceMedia(caller, { contentId, slotId }, { items: each.map(embed) })

  it('stand in the order of the body, with their defaults', async () => {
    const slots = await right(stage.useCases.listSlots(caller, contentId))
    expect(slots.map(({ uuid }) => uuid)).to.deep.equal([second, first])
    expect(slots[0]).to.deep.include({ relevance: 'inline', content_uuid: contentId })
  })

  it('are changed attribute by attribute', async () => {
    const write = (mode: 'put' | 'patch', input: JsonObject) =>
      right(stage.useCases.writeSlot(caller, at(first), { mode, input }))
    await write('put', { display: 'gallery' })
    await write('patch', {})
    expect(await right(stage.useCases.readSlot(caller, at(first)))).to.include({ display: 'gallery' })
    await write('patch', { display: null, relevance: 'aside' })
    await write('patch', { relevance: null })
    expect(await right(stage.useCases.readSlot(caller, at(first)))).to.include({
      relevance: 'inline',
      display: null,
    })
  })

  it('are configured where they are placed', async () => {
    await right(
      stage.useCases.writeSlot(caller, at(first), asPut({ relevance: 'inline', display: 'gallery' })),
    )
    expect(await right(stage.useCases.readSlot(caller, at(first)))).to.include({ display: 'gallery' })
    const faults = await faultsOf(
      stage.useCases.writeSlot(caller, at(unplaced), asPut({ relevance: 'inline' })),
    )
    expect(faults['slot_uuid']).to.include('place it there first')
    for (const outcome of [
      stage.useCases.readSlot(caller, at(unplaced)),
      stage.useCases.removeSlot(caller, at(unplaced)),
      stage.useCases.listMedia(caller, at(unplaced)),
      stage.useCases.writeSlot(caller, { contentId: unplaced, slotId: first }, asPut({})),
      stage.useCases.listSlots(caller, unplaced),
    ])
      expect(await left(outcome)).to.deep.equal(notFound)
  })

  it('keep their media while their tag is away', async () => {
    await right(put(first, 'one'))
    const { content: body } = await right(stage.useCases.readObject(content, caller, contentId))
    const change = (text: unknown) =>
      right(
        stage.useCases.writeObject(content, caller, {
          mode: 'patch',
          id: contentId,
          input: { content: String(text) },
        }),
      )
    await change('<p>Text</p>')
    expect(await left(stage.useCases.listMedia(caller, at(first)))).to.deep.equal(notFound)
    await change(body)
    expect(await codes(first)).to.deep.equal(['one'])
  })

  it('lose settings and media with a DELETE, not their tag', async () => {
    await right(put(first, 'one'))
    await right(stage.useCases.removeSlot(caller, at(first)))
    expect(await codes(first)).to.deep.equal([])
    expect(await right(stage.useCases.listSlots(caller, contentId))).to.have.lengthOf(2)
  })

  it('take media one by one or as a whole list', async () => {
    await right(put(first, 'one', 'two'))
    await right(stage.useCases.addMedium(caller, at(first), embed('three')))
    expect(await codes(first)).to.deep.equal(['one', 'two', 'three'])
    await right(put(first, 'four'))
    expect(await codes(first)).to.deep.equal(['four'])
  })

  it('give their media one after the other in the deprecated single list', async () => {
    await right(put(first, 'of the first'))
    await right(put(second, 'of the second'))
    await right(stage.useCases.addMedium(caller, { contentId, slotId: null }, embed('of none')))
    expect(await codes(null)).to.deep.equal(['of the second', 'of the first', 'of none'])
  })

  it('refer to files of this instance, of the right kind', async () => {
    const medium = (id: string): JsonObject => ({ type: 'file', image_uuid: id })
    const id = await stage.create(file, { title: 'A picture', filename: 'p.png' })
    const faults = await faultsOf(
      stage.useCases.replaceMedia(caller, at(first), { items: [embed('x'), medium(id)] }),
    )
    expect(faults).to.have.keys(['items.1.image_uuid'])
    async function* body() {
      yield bytesOf(textOf(picture(4, 3)))
    }
    await right(
      stage.useCases.uploadFile(caller, id, { contentType: 'image/png', length: undefined, body: body() }),
    )
    await right(stage.useCases.addMedium(caller, at(first), medium(id)))
    const [item] = await right(stage.useCases.listMedia(caller, at(first)))
    expect(item).to.include({ image_uuid: id, image_mimetype: 'image/png' })
    await right(stage.useCases.removeObject(file, caller, id))
    expect(await right(stage.useCases.listMedia(caller, at(first)))).to.deep.equal([])
  })

  it('change only where the precondition permits it', async () => {
    const refused = { _tag: 'PreconditionFailed' }
    const no = () => false
    for (const outcome of [
      stage.useCases.writeSlot(caller, at(first), { ...asPut({ relevance: 'aside' }), precondition: no }),
      stage.useCases.removeSlot(caller, at(first), no),
      stage.useCases.replaceMedia(caller, at(first), { items: [] }, no),
      stage.useCases.addMedium(caller, at(first), embed('x'), no),
    ])
      expect(await left(outcome)).to.deep.equal(refused)
    await right(put(first, 'one'))
    let seen: unknown = null
    const look = (current: JsonObject | null): boolean => {
      seen = current
      return true
    }
    await right(stage.useCases.replaceMedia(caller, at(first), { items: [] }, look))
    expect(seen).to.have.property('items').with.lengthOf(1)
  })

  it('media added by several processes at once all stay', async () => {
    const added = Array.from({ length: 8 }, (_, index) =>
      right(stage.anotherProcess().addMedium(caller, at(first), embed(String(index)))),
    )
    await Promise.all(added)
    expect((await codes(first)).map(Number).toSorted((a, b) => a - b)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('fail with their store', async () => {
    documents.fail('get', 'content')
    expect(await left(stage.useCases.listSlots(caller, contentId))).to.deep.equal(outOfReach)
    documents.fail('replace', 'content')
    expect(await left(put(first, 'one'))).to.deep.equal(outOfReach)
    expect(await codes(first)).to.deep.equal([])
  })
})
