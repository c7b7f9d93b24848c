/**
 * How long one of two services may cache what the other has changed (docs/behaviour/access.md#revocation,
 * docs/behaviour/caching.md).
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { fetchToken } from './service-process.js'
import { openTwoServices } from './write-targets.js'
import { createArticle, readArticle } from './written-objects.js'

describe('caches of two services on one data folder', function () {
  this.timeout(20_000)

  it('keep a response for a minute at most, and settings and roles for a few seconds', async () => {
    const target = await openTwoServices()
    const [writer, reader] = target.clients
    const passing = (milliseconds: number): void =>
      target.services.forEach(({ clock }) => clock.advance(milliseconds))
    const id = randomUUID()
    await createArticle(writer, id, 'before')
    expect(await readArticle(reader, id)).to.equal('before')
    expectOk(await reader.get(`/content/${id}`))
    expectOk(await reader.get('/settings'))
    expectOk(await writer.patch(`/content/${id}`, { title: 'after' }))
    expectOk(await writer.patch('/settings', { title: 'after' }))
    expect(expectOk(await writer.get(`/content/${id}`)).object['title']).to.equal('after')
    expect(expectOk(await writer.get('/settings')).object['title']).to.equal('after')
    passing(60_000)
    expect(expectOk(await reader.get(`/content/${id}`)).object['title']).to.equal('after')
    passing(240_000)
    expect(expectOk(await reader.get('/settings')).object['title']).to.equal('after')
    await target.close()
  })

  it('accept tokens of a revoked key for five seconds at most', async () => {
    const target = await openTwoServices()
    const [one, other] = target.services
    if (one === undefined || other === undefined) throw new Error('two services')
    const issued = await one.useCases.administerKeys.create({ instance: 1, role: 'reader' })()
    if (issued._tag === 'Left') throw new Error(JSON.stringify(issued.left))
    const { api_key: key, api_secret: secret } = issued.right
    const token = await fetchToken(one.url, { key, secret })
    const statusOf = async (url: string): Promise<number> =>
      (await createApi(`${url}/1`, token).get('/')).status
    expect([await statusOf(one.url), await statusOf(other.url)]).to.deep.equal([200, 200])
    await one.useCases.administerKeys.revoke(key)()
    target.services.forEach(({ clock }) => clock.advance(5000))
    expect([await statusOf(one.url), await statusOf(other.url)]).to.deep.equal([401, 401])
    await target.close()
  })
})
