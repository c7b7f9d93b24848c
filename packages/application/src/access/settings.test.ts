import { forbidden, notFound } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { createStage, left, right, type Stage } from '../test-support/stage.js'
import { changeSettings, readSetting, readSettings, replaceSettings } from './settings.js'

describe('the operations on settings', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const read = () => right(stage.run(readSettings, stage.as('public_user'), {}))

  it('read all settings, or one', async () => {
    expect(await read()).to.include({ title: 'The Daily Test', timezone: 'Europe/Vienna', website_url: null })
    const one = (name: string) => stage.run(readSetting, stage.as('public_user'), { name })
    expect(await right(one('timezone'))).to.equal('Europe/Vienna')
    expect(await right(one('website_url'))).to.equal(null)
    for (const name of ['unknown', 'constructor', '__proto__', ''])
      expect(await left(one(name)), name).to.deep.equal(notFound)
  })

  it('change what is sent, or replace all', async () => {
    const admin = stage.as('admin')
    await right(stage.run(changeSettings, admin, { body: { language: 'de' } }))
    expect(await read()).to.include({ title: 'The Daily Test', language: 'de' })
    await right(stage.run(replaceSettings, admin, { body: { title: 'Another', timezone: 'UTC' } }))
    expect(await read()).to.include({ title: 'Another', timezone: 'UTC', language: 'en' })
  })

  it('are writable for administrators only', async () => {
    for (const operation of [changeSettings, replaceSettings])
      expect(await left(stage.run(operation, stage.as('editor'), { body: {} }))).to.deep.equal(forbidden)
  })
})
