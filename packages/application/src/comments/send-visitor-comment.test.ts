/** How many comments of visitors wait for an editor (docs/behaviour/comments-and-links.md#visitors-comments). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { comment, content } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import { mostWaitingComments } from '@publishing-service/domain/content'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import { changeSettings, listObjects, sendVisitorComment } from '../operations.js'
import { article, createStage, left, right } from '../test-support/stage.js'

describe('the comments of visitors', () => {
  it('are refused while as many wait as an instance may have', async () => {
    const store = memoryDocumentStore(collections)
    let waiting = mostWaitingComments
    const count: typeof store.count = (collection, ...rest) =>
      collection === comment.collection ? TE.right(waiting) : store.count(collection, ...rest)
    const stage = await createStage({ documents: { ...store, count } })
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_comments: true } }))
    const id = await stage.create(
      content,
      article('a', { state: 'published', issued: '2026-01-01T00:00:00' }),
    )
    const visitor = { ...stage.as('public_user'), identity: null }
    const send = (body = {}) =>
      stage.run(sendVisitorComment, visitor, {
        id,
        body: { comment: 'Later trams!', creator: 'Ada', ...body },
      })
    const stored = async () =>
      (await right(stage.run(listObjects(comment), stage.as('reader'), { parameters: {} }))).items
    expect(await left(send())).to.deep.equal({ _tag: 'TooManyRequests', retryAfter: 3600 })
    expect(await stored()).to.deep.equal([])
    waiting -= 1
    await right(send())
    expect(await stored()).to.have.lengthOf(1)
  })

  it('that are discarded leave a line in the log, without their text', async () => {
    const stage = await createStage()
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_comments: true } }))
    const published = { state: 'published', issued: '2026-01-01T00:00:00' }
    const id = await stage.create(content, article('a', published))
    const visitor = { ...stage.as('public_user'), identity: null }
    const send = (website: string) =>
      right(
        stage.run(sendVisitorComment, visitor, {
          id,
          body: { comment: 'Later trams!', creator: 'Ada', website },
        }),
      )
    const discarded = () =>
      stage.log.entries().flatMap(({ event, fields }) => (event.includes('discarded') ? [fields] : []))
    await send('')
    expect(discarded()).to.deep.equal([])
    for (const website of ['https://ada.example', 'x']) await send(website)
    expect(discarded()).to.deep.equal([
      { instance: 1, content: id },
      { instance: 1, content: id },
    ])
  })
})
