import { content, notFound, section } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { article, aSection, createStage, left, right } from '../test-support/stage.js'

describe('where a content object stands on the website', () => {
  it('is the path of its sections on the instance’s website, or null where no website is set', async () => {
    const stage = await createStage()
    const website = 'https://www.example.org'
    await right(
      stage.useCases.administerInstances.create({
        title: 'Other',
        timezone: 'UTC',
        website_url: `${website}/`,
      }),
    )
    for (const [number, url] of [
      [1, null],
      [2, `${website}/outer/inner/a/`],
    ] as const) {
      const caller = await stage.as('admin', number)
      const create = (resource: typeof content, input: Parameters<typeof article>[1] = {}) =>
        right(stage.useCases.writeObject(resource, caller, { mode: 'put', id: null, input }))
      const outer = await create(section, aSection('outer'))
      const inner = await create(section, aSection('inner', outer))
      const id = await create(content, article('a', { section_uuid: inner }))
      expect(await right(stage.useCases.contentInfo(caller, id))).to.deep.equal({
        public_url: url,
      })
      const visitor = await stage.as('public_user', number)
      expect(await left(stage.useCases.contentInfo(visitor, id))).to.deep.equal(notFound)
    }
  })
})
