import { comment, content } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Change } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { removeObject } from './engine/remove.js'
import { createObject } from './engine/write.js'
import { mayUseReserve } from './may-use-reserve.js'
import { article, createStage, right } from './test-support/stage.js'

const replace = (collection: string, value: JsonObject): Change => ({
  collection,
  kind: 'replace',
  document: { id: 'a', version: 1, unique: null, value },
})
const insert = (collection: string): Change => ({
  collection,
  kind: 'insert',
  document: { id: 'a', position: 1, unique: null, value: {} },
})

describe('the changes that may use the reserve of a full disk', () => {
  it('are removals, what sign-in and revocations write, and no other', () => {
    expect(mayUseReserve({ collection: 'content', kind: 'remove', id: 'a', version: 1 })).to.equal(true)
    for (const collection of ['tokens', 'keys', 'users', 'rights_changes', 'removals', 'instances', 'audit'])
      expect(mayUseReserve(insert(collection)), collection).to.equal(true)
    for (const collection of ['content', 'comments', 'files', 'places', 'orphans', 'rate_counts'])
      expect(mayUseReserve(insert(collection)), collection).to.equal(false)
    expect(mayUseReserve(replace('sections', { title: 'S' }))).to.equal(false)
  })

  it('are the placeholder of a comment with replies', async () => {
    const stage = await createStage()
    const story = await stage.create(content, article('a'))
    const on = (type: string, id: string) => ({
      parent_type: type,
      parent_uuid: id,
      title: 'T',
      comment: 'C',
    })
    const run = (body: JsonObject) => right(stage.run(createObject(comment), stage.as('admin'), { body }))
    const parent = await run(on('content', story))
    await run(on('comment', parent))
    await right(stage.run(removeObject(comment), stage.as('admin'), { id: parent }))
    const placeholder = await right(stage.documents.get('comments', 1, parent))
    expect(mayUseReserve(replace('comments', placeholder?.value ?? {}))).to.equal(true)
  })
})
