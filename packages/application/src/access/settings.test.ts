import { forbidden, notFound } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { systemCollections, systemInstance } from '../collections.js'
import { createStage, faultsOf, left, right, type Stage, storedIn } from '../test-support/stage.js'
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

  it('that are no longer accepted are read, and written back, but not changed to others like them', async () => {
    const admin = stage.as('admin')
    const { name } = systemCollections.instances
    const [stored] = await storedIn(stage.documents, name)
    if (stored === undefined) throw new Error('there is no instance')
    const website_url = 'https://editor:secret@www.example.org:99999/?x=1'
    const settings = { ...(await read()), website_url }
    const value = { ...stored.value, settings }
    await right(stage.documents.replace(name, systemInstance, { ...stored, unique: null, value }))
    stage.clock.advance(10_000)
    expect(await read()).to.deep.include({ website_url })
    await right(stage.run(changeSettings, admin, { body: { language: 'de', website_url } }))
    await right(stage.run(replaceSettings, admin, { body: { ...settings, title: 'Another' } }))
    expect(await read()).to.deep.include({ website_url, title: 'Another' })
    const change = stage.run(changeSettings, admin, { body: { website_url: `${website_url}1` } })
    expect(await faultsOf(change)).to.have.all.keys('website_url')
  })

  it('are writable for administrators only', async () => {
    for (const operation of [changeSettings, replaceSettings])
      expect(await left(stage.run(operation, stage.as('editor'), { body: {} }))).to.deep.equal(forbidden)
  })
})
