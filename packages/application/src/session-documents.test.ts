import { comment, content, tag, type Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { removeObject } from './engine/remove.js'
import { changeObject, createObject, replaceObject } from './engine/write.js'
import { attachTag } from './tags/attach-tag.js'
import { article, createStage, right, type Stage } from './test-support/stage.js'
import { listInstanceAudit } from './audit/list-audit.js'

describe('entries of the audit log', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const recorded = () => ({ ...stage.as('admin'), requestId: 'a request' })
  const newest = async (): Promise<readonly Json[] | undefined> => {
    const parameters = { fields: 'operation-title-changes', rpp: '1' }
    const { items } = await right(stage.run(listInstanceAudit, stage.as('admin'), { parameters }))
    stage.clock.advance(1000)
    return items[0]
  }
  const create = (resource: Resource, body: JsonObject) =>
    right(stage.run(createObject(resource), recorded(), { body }))

  it('name the object as it was at that time, and state what has changed', async () => {
    const id = await create(content, article('a', { title: 'Fog' }))
    expect(await newest()).to.deep.equal(['createObject', 'Fog', { state: { before: null, after: 'draft' } }])
    const change = (body: JsonObject) => right(stage.run(changeObject(content), recorded(), { id, body }))
    await change({ title: 'Tide', state: 'published' })
    expect(await newest()).to.deep.equal([
      'changeObject',
      'Tide',
      {
        title: { before: 'Fog', after: 'Tide' },
        state: { before: 'draft', after: 'published' },
        issued: { before: null, after: '2026-03-01T13:00:01' },
      },
    ])
    await change({ state: 'published', kicker: 'K', content: `<p>${'long '.repeat(100)}</p>` })
    expect(await newest()).to.deep.equal([
      'changeObject',
      'Tide',
      { kicker: { before: null, after: 'K' }, content: {} },
    ])
    const body = article('a', { title: 'Ebb' })
    await right(stage.run(replaceObject(content), recorded(), { id, body }))
    const replaced = await newest()
    expect(replaced?.slice(0, 2)).to.deep.equal(['replaceObject', 'Ebb'])
    expect(replaced?.[2]).to.deep.include({
      title: { before: 'Tide', after: 'Ebb' },
      state: { before: 'published', after: 'draft' },
      kicker: { before: 'K', after: null },
    })
    await right(stage.run(removeObject(content), recorded(), { id }))
    expect(await newest()).to.deep.equal(['removeObject', 'Ebb', null])
  })

  it('name a tag by its name, the object that it is attached to, and no comment', async () => {
    const objectId = await stage.create(content, article('a', { state: 'published' }))
    const tagId = await create(tag, { last_name_or_title: 'Seagulls' })
    expect((await newest())?.[1]).to.equal('Seagulls')
    const address = { tagId, predicate: 'describes', objectId } as const
    await right(stage.run(attachTag, recorded(), { ...address, body: {} }))
    expect(await newest()).to.deep.equal(['attachTag', 'An article', { taggings: {} }])
    await create(comment, { parent_type: 'content', parent_uuid: objectId, title: 'Mine', comment: 'Yes.' })
    expect(await newest()).to.deep.equal(['createObject', null, { state: { before: null, after: 'draft' } }])
  })
})
