/** docs/behaviour/instance.md. */
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const initial = {
  timezone: 'Europe/Vienna',
  directory_addon: false,
  public_downloads: false,
  prepare_images: false,
  public_feeds: false,
  public_reading: false,
  public_comments: false,
  shared_max_age: 60,
  title: 'The Daily Test',
  language: 'en',
  website_url: null,
  preview_url: null,
  hub_url: null,
  robots_disallow: [],
}
const fresh = { 'Cache-Control': 'no-cache' } as const

describe('settings', () => {
  let service: TestService
  let home: Publication
  before(async () => {
    service = await startTestService()
  })
  beforeEach(async () => {
    home = await createPublication(service)
  })
  after(() => service.stop())

  // docs/behaviour/instance.md#single-setting
  it('has timezone, directory_addon, public_downloads, public_feeds, title and language; returns each by name as its JSON value', async () => {
    for (const api of [home.visitor, home.admin]) {
      expect(expectOk(await api.get('/settings')).body).to.deep.equal(initial)
      for (const [name, value] of Object.entries(initial))
        expect(expectOk(await api.get(`/settings/${name}`)).body).to.deep.equal(value)
    }
    for (const name of ['nothing', 'Timezone', '__proto__', 'constructor', 'timezone%00'])
      expectError(await home.admin.get(`/settings/${name}`), 404, 'not_found')
    expect(Object.keys(initial)).to.have.members(Object.keys(settingsAttributes))
  })

  // docs/behaviour/instance.md#settings
  it('permits PATCH for admins only; changes what it sends, visible at once', async () => {
    for (const api of [home.visitor, home.reader, home.editor])
      expectError(await api.patch('/settings', {}), 403, 'forbidden')
    expectOk(await home.admin.patch('/settings', { title: 'Ü', language: 'de-AT', nobody_knows: 1 }))
    for (const api of [home.visitor, home.admin])
      expect(expectOk(await api.get('/settings')).body).to.deep.equal({
        ...initial,
        title: 'Ü',
        language: 'de-AT',
      })
    expect(expectOk(await home.visitor.get('/settings/title')).body).to.equal('Ü')
    expectOk(await home.admin.patch('/settings', { language: null }))
    expect(expectOk(await home.visitor.get('/settings/language')).body).to.equal('en')
    expectFaults(
      await home.admin.patch('/settings', { title: null, timezone: null, language: 7 }),
      'title',
      'timezone',
      'language',
    )
    expect(expectOk(await home.visitor.get('/settings')).body).to.deep.equal({ ...initial, title: 'Ü' })
  })

  // docs/behaviour/writing.md#preconditions
  it('sends a validator and evaluates If-Match', async () => {
    const tag = String((await home.admin.get('/settings', fresh)).headers.etag)
    expectOk(await home.admin.patch('/settings', { title: 'a' }, { 'If-Match': tag }))
    expectError(
      await home.admin.patch('/settings', { title: 'b' }, { 'If-Match': tag }),
      412,
      'precondition_failed',
    )
    expect(expectOk(await home.admin.get('/settings/title')).body).to.equal('a')
  })

  // docs/behaviour/time.md#output
  it('returns date-times in the time zone of the instance', async () => {
    const id = randomUUID()
    const noon = { content_type: 'article', title: 'x', urlname: 'x', issued: '2026-07-01T12:00:00Z' }
    for (const [timezone, issued] of [
      ['Europe/Vienna', '2026-07-01T14:00:00'],
      ['America/New_York', '2026-07-01T08:00:00'],
      ['Asia/Kathmandu', '2026-07-01T17:45:00'],
    ] as const) {
      expectOk(await home.admin.patch('/settings', { timezone }))
      expect(expectOk(await home.visitor.get('/settings/timezone')).body).to.equal(timezone)
      expectOk(await home.editor.put(`/content/${id}`, noon))
      expect(expectOk(await home.editor.get(`/content/${id}`)).object['issued']).to.equal(issued)
    }
  })

  // docs/behaviour/content.md
  it('has sponsored of an event only with the directory add-on', async () => {
    const body = { content_type: 'event', title: 'x', urlname: 'x', dtstart: '2026-01-01' }
    const id = uuidOf(await home.editor.post('/content', body))
    const path = `/content/${id}`
    expect(expectOk(await home.editor.get(path)).object).not.to.have.property('sponsored')
    expectFaults(await home.editor.patch(path, { sponsored: true }), 'sponsored')
    expectOk(await home.editor.patch(path, { sponsored: false }))
    expectOk(await home.admin.patch('/settings', { directory_addon: true }))
    expectOk(await home.editor.patch(path, { sponsored: true }))
    expect(expectOk(await home.editor.get(path)).object).to.include({ sponsored: true })
  })

  // docs/behaviour/access.md#public-downloads
  it('requires a token for downloads unless public_downloads is on', async () => {
    const { download } = await storeFile(home.editor)
    expectError(await home.anonymous.get(download), 401, 'unauthorized')
    expectError(await home.anonymous.get(download.replace(/\d+$/, '1')), 401, 'unauthorized')
    expectOk(await home.admin.patch('/settings', { public_downloads: true }))
    expectOk(await home.anonymous.get(download))
    expectError(await home.anonymous.get(download, { Authorization: 'Bearer x' }), 401, 'invalid_token')
    expectError(await home.anonymous.get('/files'), 401, 'unauthorized')
    expectOk(await home.admin.patch('/settings', { public_downloads: false }))
    expectError(await home.anonymous.get(download), 401, 'unauthorized')
  })
})
