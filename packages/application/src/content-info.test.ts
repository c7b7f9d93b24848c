import { content, notFound, section } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { article, aSection, createStage, left, right } from './test-support/stage.js'

describe('where a content object stands on the website', () => {
  it('is the path of its sections on the instance’s website, or on the service’s own address', async () => {
    const stage = await createStage()
    const website = 'https://www.example.org'
    await right(stage.useCases.administerInstances.create({ title: 'Other', timezone: 'UTC', website }))
    for (const [number, base] of [
      [1, 'https://api.example.org'],
      [2, website],
    ] as const) {
      const caller = await stage.as('admin', number)
      const create = (resource: typeof content, input: Parameters<typeof article>[1] = {}) =>
        right(stage.useCases.writeObject(resource, caller, { mode: 'put', id: null, input }))
      const outer = await create(section, aSection('outer'))
      const inner = await create(section, aSection('inner', outer))
      const id = await create(content, article('a', { section_uuid: inner }))
      expect(await right(stage.useCases.contentInfo(caller, id))).to.deep.equal({
        public_url: `${base}/outer/inner/a/`,
      })
      const visitor = await stage.as('public_user', number)
      expect(await left(stage.useCases.contentInfo(visitor, id))).to.deep.equal(notFound)
    }
  })
})
