/** The settings of an instance (docs/behaviour/instance.md#settings). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { draftAttributes } from '../resource/draft-attributes.js'
import { valueContext } from '../testing/index.js'
import { settingsAttributes, confirmationFault } from './settings.js'

const shape = { attributes: settingsAttributes }
const draft = (input: JsonObject, previous: JsonObject | null = null) =>
  draftAttributes(shape, {
    mode: previous === null ? 'put' : 'patch',
    input,
    previous,
    context: valueContext,
  })

const settings = draft({ timezone: 'Europe/Vienna', title: 'Demo' }).state

describe('settings', () => {
  it('need a zone and a title, and have defaults for the rest', () => {
    expect(settings).to.deep.equal({
      timezone: 'Europe/Vienna',
      directory_addon: false,
      public_downloads: false,
      prepare_images: false,
      public_feeds: false,
      public_reading: false,
      public_comments: false,
      shared_max_age: 60,
      title: 'Demo',
      language: 'en',
      website_url: null,
      preview_url: null,
      hub_url: null,
      robots_disallow: [],
    })
    expect(draft({}).faults.map(({ path }) => path)).to.deep.equal(['timezone', 'title'])
  })

  it('can be changed one by one', () => {
    expect(draft({ public_downloads: true }, settings).state).to.deep.equal({
      ...settings,
      public_downloads: true,
    })
    expect(draft({ title: null }, settings).faults.map(({ path }) => path)).to.deep.equal(['title'])
  })

  it('accept names of zones and language tags', () => {
    for (const input of [{ timezone: 'UTC', language: 'de-AT' }, { language: 'zh-Hant-TW' }])
      expect(draft(input, settings).faults).to.deep.equal([])
    for (const timezone of ['', 'Vienna', '+01:00', 'europe/vienna', 7])
      expect(draft({ timezone }, settings).faults).to.have.lengthOf(1)
    for (const language of ['', 'e', 'de_AT', 'de-', 7])
      expect(draft({ language }, settings).faults).to.have.lengthOf(1)
  })
})

describe('confirmationFault', () => {
  it('is null only for exactly the title', () => {
    expect(confirmationFault({ title: 'Der Böte' }, 'Der Böte')).to.equal(null)
    for (const wrong of ['', 'der böte', 'Der Böte ', 'Der Bote'])
      expect(confirmationFault({ title: 'Der Böte' }, wrong)).to.have.property('path', 'title')
  })
})
