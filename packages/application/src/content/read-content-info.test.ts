import { content, notFound, section, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { article, aSection, createStage, left, right } from '../test-support/stage.js'
import { readContentInfo } from './read-content-info.js'
import { createObject } from '../engine/write.js'

describe('the address of a content object on the website', () => {
  it('is the path of its sections on the instance’s website, or null if no website is set', async () => {
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
      const caller = stage.as('admin', number)
      const create = (resource: Resource, body: JsonObject) =>
        right(stage.run(createObject(resource), caller, { body }))
      const outer = await create(section, aSection('outer'))
      const inner = await create(section, aSection('inner', outer))
      const id = await create(content, article('a', { section_uuid: inner }))
      expect(await right(stage.run(readContentInfo, caller, { id }))).to.deep.equal({
        public_url: url,
      })
      const visitor = stage.as('public_user', number)
      expect(await left(stage.run(readContentInfo, visitor, { id }))).to.deep.equal(notFound)
    }
  })
})
