/**
 * docs/behaviour/errors.md#missing-token-first: without a token a known path returns 401, before 405, 406 or 410; on
 * every store.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type RequestOptions } from '../harness/http-client.js'
import { storeImage } from '../harness/stored-files.js'
import { onEveryStore } from '../harness/on-every-store.js'

const textOnly = { headers: { Accept: 'text/html' } } as const

// docs/behaviour/errors.md#missing-token-first
onEveryStore('a missing token is reported first', {}, (place) => {
  type Trial = readonly [status: number, code: string, method: string, path: string, options?: RequestOptions]

  /** The problem of each path with a valid token. */
  const trials: readonly Trial[] = [
    [405, 'method_not_allowed', 'PATCH', '/content'],
    [405, 'method_not_allowed', 'DELETE', ''],
    [405, 'method_not_allowed', 'POST', `/content/${randomUUID()}`],
    [405, 'method_not_allowed', 'PROPFIND', '/settings'],
    [406, 'not_acceptable', 'GET', '/content', textOnly],
    [406, 'not_acceptable', 'HEAD', '/settings', textOnly],
    [406, 'not_acceptable', 'PUT', `/content/${randomUUID()}`, textOnly],
    [410, 'gone', 'GET', '/slideshows'],
    [410, 'gone', 'PUT', `/slideshows/${randomUUID()}/slides`],
    [410, 'gone', 'GET', '/slideshows', textOnly],
  ]

  it('returns 401 without a valid token, and the problem of the path only with one', async () => {
    const { visitor, anonymous } = place.home
    for (const [status, code, method, path, options = {}] of trials) {
      const missing = expectError(await anonymous.send(method, path, options), 401, 'unauthorized')
      expect(missing.headers).not.to.have.property('allow')
      expect(missing.headers['www-authenticate']).to.match(/^Bearer realm=/)
      const wrong = { ...options, headers: { ...options.headers, Authorization: 'Bearer x' } }
      expectError(await anonymous.send(method, path, wrong), 401, 'invalid_token')
      expectError(await visitor.send(method, path, options), status, code)
    }
  })

  it('returns 404 for an unknown path, and responds to OPTIONS as usual', async () => {
    const { anonymous } = place.home
    for (const path of ['/nothing', '/contents', `/content/${randomUUID()}/nothing`, '/slideshow'])
      for (const method of ['GET', 'PATCH', 'PROPFIND'])
        expectError(await anonymous.send(method, path, textOnly), 404, 'not_found')
    expect(expectOk(await anonymous.send('OPTIONS', '/content')).headers.allow).to.equal(
      'GET, HEAD, POST, OPTIONS',
    )
  })

  it('returns the problem of a download where public_downloads permits access, and 401 otherwise', async () => {
    const { admin, anonymous } = place.home
    const { download } = await storeImage(admin)
    const paths = [download, '/files/default-thumbnail/audio']
    for (const path of paths) expectError(await anonymous.send('PATCH', path), 401, 'unauthorized')
    expectOk(await admin.patch('/settings', { public_downloads: true }))
    for (const path of paths) {
      expectError(await anonymous.send('PATCH', path), 405, 'method_not_allowed')
      expectOk(await anonymous.get(path))
    }
  })

  // docs/behaviour/access.md#unknown-instances
  it('does not distinguish an instance that does not exist from one that does', async () => {
    const { anonymous } = place.home
    const missing = createApi(`${place.service.url}/987654`)
    for (const path of ['/content', '/slideshows', `/files/${randomUUID()}/download/1`])
      for (const method of ['PROPFIND', 'PATCH', 'HEAD']) {
        const [existing, absent] = [await anonymous.send(method, path), await missing.send(method, path)]
        expectError(absent, 401, 'unauthorized')
        expect(absent.text).to.equal(existing.text)
      }
  })
})
