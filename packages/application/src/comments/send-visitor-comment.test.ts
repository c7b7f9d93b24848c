/** How many comments of visitors wait for an editor (docs/behaviour/comments-and-links.md#visitors-comments). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { comment, content } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import { mostWaitingComments } from '@publishing-service/domain/content'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { changeObject, changeSettings, listObjects, removeObject, sendVisitorComment } from '../operations.js'
import { article, createStage, left, right, type Stage } from '../test-support/stage.js'

describe('the comments of visitors', () => {
  const tooMany = { _tag: 'TooManyRequests', retryAfter: 3600 }
  /** Adds to the number of drafts that a count with these keys finds. */
  let more: { readonly keys: string; readonly count: number }
  let stage: Stage
  beforeEach(async () => {
    const store = memoryDocumentStore(collections)
    more = { keys: '', count: 0 }
    const count: typeof store.count = (collection, instance, selection, most) => {
      const keys = selection.where.map((each) => ('key' in each ? each.key : '')).join(' ')
      const isMore = collection === comment.collection && keys === more.keys
      return isMore ? TE.right(more.count) : store.count(collection, instance, selection, most)
    }
    stage = await createStage({ documents: { ...store, count } })
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_comments: true } }))
  })

  const publish = (urlname: string) =>
    stage.create(content, article(urlname, { state: 'published', issued: '2026-01-01T00:00:00' }))
  const body = { comment: 'Later trams!', creator: 'Ada' }
  const send = (id: string, address = '192.0.2.1') =>
    stage.run(sendVisitorComment, { ...stage.as('public_user'), identity: null, address }, { id, body })
  const stored = async (id: string): Promise<readonly string[]> => {
    const parameters = { content: id, fields: 'uuid', rpp: '100' }
    const { items } = await right(stage.run(listObjects(comment), stage.as('reader'), { parameters }))
    return items.flat().map(String)
  }
  const sendMany = async (count: number, id: string, addressOf: (index: number) => string) => {
    for (let index = 0; index < count; index += 1) await right(send(id, addressOf(index)))
  }

  for (const [what, keys, most] of [
    ['an instance', 'state', mostWaitingComments.ofInstance],
    ['a content object', 'content_uuid state', mostWaitingComments.onContent],
  ] as const)
    it(`are refused while as many wait as ${what} may have`, async () => {
      const id = await publish('a')
      more = { keys, count: most }
      expect(await left(send(id))).to.deep.equal(tooMany)
      expect(await stored(id)).to.deep.equal([])
      more = { keys, count: most - 1 }
      await right(send(id))
      expect(await stored(id)).to.have.lengthOf(1)
    })

  it('on one content object do not close the others', async () => {
    const [id, other] = [await publish('a'), await publish('b')]
    await sendMany(mostWaitingComments.onContent, id, (index) => `192.0.2.${index}`)
    expect(await left(send(id, '198.51.100.1'))).to.deep.equal(tooMany)
    await right(send(other, '198.51.100.1'))
  })

  for (const [sender, addressOf] of [
    ['address', () => '192.0.2.1'],
    ['household', (index) => `2001:db8:0:${(index % 256).toString(16)}::1`],
    ['site', (index) => `2001:db8:0:${(index * 256).toString(16)}::1`],
  ] as readonly (readonly [string, (index: number) => string])[])
    it(`of one ${sender} are refused while too many of it wait, and those of others are not`, async () => {
      const [id, other] = [await publish('a'), await publish('b')]
      await sendMany(mostWaitingComments.ofSender, id, addressOf)
      for (const each of [id, other]) expect(await left(send(each, addressOf(7)))).to.deep.equal(tooMany)
      await right(send(other, '198.51.100.1'))
      await right(send(other, '2001:db8:1::1'))
      // An editor decides on some.
      const [first = '', second = ''] = await stored(id)
      await right(
        stage.run(changeObject(comment), stage.as('editor'), { id: first, body: { state: 'published' } }),
      )
      await right(stage.run(removeObject(comment), stage.as('editor'), { id: second }))
      await right(send(other, addressOf(8)))
      await right(send(other, addressOf(9)))
      expect(await left(send(other, addressOf(7)))).to.deep.equal(tooMany)
    })

  it('that a website passes on with a token are not limited by its address', async () => {
    const id = await publish('a')
    await sendMany(mostWaitingComments.ofSender, id, () => '192.0.2.1')
    await right(stage.run(sendVisitorComment, stage.as('public_user'), { id, body }))
  })

  it('that are discarded leave a line in the log, without their text', async () => {
    const id = await publish('a')
    const sendWith = (website: string) => {
      const visitor = { ...stage.as('public_user'), identity: null }
      return right(stage.run(sendVisitorComment, visitor, { id, body: { ...body, website } }))
    }
    const discarded = () =>
      stage.log.entries().flatMap(({ event, fields }) => (event.includes('discarded') ? [fields] : []))
    await sendWith('')
    expect(discarded()).to.deep.equal([])
    for (const website of ['https://ada.example', 'x']) await sendWith(website)
    expect(discarded()).to.deep.equal([
      { instance: 1, content: id },
      { instance: 1, content: id },
    ])
  })
})
