/** Every cache may store downloads that need no token (docs/behaviour/caching.md#public-data); on every store. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectError, expectFaults, expectOk, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { storeImage, uploadTo } from '../harness/stored-files.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const forEverybody = 'public, max-age=31536000, immutable'
const forTheClient = 'private, max-age=31536000, immutable'

onEveryStore('downloads with public_downloads', { public_downloads: true }, (place) => {
  const expectPublic = ({ headers }: ApiResponse): void => {
    expect(headers['cache-control']).to.equal(forEverybody)
    expect(headers).not.to.have.property('vary')
    expect(headers.etag).to.match(/^"[^"]+"$/)
  }

  // docs/behaviour/access.md#public-downloads
  it('without a token: are public, without Vary, whole, scaled, in part, for HEAD and for 304', async () => {
    const { editor, anonymous } = place.home
    const { download } = await storeImage(editor)
    for (const path of [download, `${download}?w=10`, '/files/default-thumbnail/audio']) {
      const response = expectOk(await anonymous.get(path))
      expectPublic(response)
      expectPublic(expectOk(await anonymous.head(path)))
      expectPublic(expectStatus(await anonymous.get(path, { Range: 'bytes=0-3' }), 206))
      const unchanged = await anonymous.get(path, { 'If-None-Match': response.headers.etag })
      expectPublic(expectStatus(unchanged, 304))
    }
  })

  it('with a token: are private and vary by the token, at first and from memory', async () => {
    const { editor, visitor } = place.home
    const { download } = await storeImage(editor)
    for (let time = 0; time < 2; time += 1) {
      const { headers } = expectOk(await visitor.get(download))
      expect(headers['cache-control']).to.equal(forTheClient)
      expect(headers.vary).to.equal('Accept, Authorization')
    }
  })

  // docs/behaviour/files.md#download-address
  it('redirect from replaced data for a day, and are then an error that no cache stores', async () => {
    const { service, home } = place
    const { id, download } = await storeImage(home.editor)
    const between = await uploadTo(home.editor, id, 'image/png', smallPng)
    const next = await uploadTo(home.editor, id, 'image/png', smallPng)
    for (const query of ['', '?w=41', '?h=7', '?w=41&h=7']) {
      const { headers, bytes } = expectStatus(await home.anonymous.get(`${between}${query}`), 302)
      expect(headers.location).to.equal(`${home.url}${next}${query}`)
      expect(headers['cache-control']).to.equal('public, max-age=60')
      expect(headers).not.to.have.property('vary')
      expect(bytes).to.have.lengthOf(0)
      expectPublic(expectOk(await home.anonymous.get(`${next}${query}`)))
    }
    const known = expectStatus(await home.reader.head(download), 302)
    expect(known.headers).to.include({
      location: `${home.url}${next}`,
      'cache-control': 'private, max-age=60',
      vary: 'Accept, Authorization',
    })
    expectFaults(await home.anonymous.get(`${download}?w=0`), 'w')
    service.clock.advance(24 * 3_600_000)
    const outdated = expectError(await home.anonymous.get(download), 404, 'not_found')
    expect(outdated.object['error_description']).to.match(/outdated.*again/)
    expect(outdated.headers).to.include({ 'cache-control': 'no-store', vary: 'Accept, Authorization' })
  })

  it('without the setting, and with a wrong token: return 401 that no cache stores', async () => {
    const { admin, anonymous } = place.home
    const { id, download } = await storeImage(admin)
    await uploadTo(admin, id, 'image/png', smallPng)
    const wrong = await anonymous.get(download, { Authorization: 'Bearer x' })
    expect(expectError(wrong, 401, 'invalid_token').headers['cache-control']).to.equal('no-store')
    expectOk(await admin.patch('/settings', { public_downloads: false }))
    const { headers } = expectError(await anonymous.get(download), 401, 'unauthorized')
    expect(headers['cache-control']).to.equal('no-store')
  })
})

describe('downloads with public_downloads and CORS', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({
      CORS_ORIGINS: 'https://www.example.org',
    })
  })
  after(() => service.stop())

  it('vary by the origin only', async () => {
    const { editor, anonymous } = await createPublication(service, { public_downloads: true })
    const { download } = await storeImage(editor)
    const Origin = 'https://www.example.org'
    const { headers } = expectOk(await anonymous.get(download, { Origin }))
    expect(headers.vary).to.equal('Origin')
    expect(headers['access-control-allow-origin']).to.equal(Origin)
    const unchanged = expectStatus(
      await anonymous.get(download, { Origin, 'If-None-Match': headers.etag }),
      304,
    )
    expect(unchanged.headers.vary).to.equal('Origin')
  })
})
