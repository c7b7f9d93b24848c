/** Expectations of two services on the same stores. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { isJsonObject } from '@publishing-service/domain/json'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { fetchToken, type ServiceProcess } from './service-process.js'
import { waitFor } from './wait-for.js'
import { createArticle, walk } from './written-objects.js'

type Admin = (...args: readonly string[]) => Promise<unknown>

const fresh = { 'Cache-Control': 'no-cache' }

/** Milliseconds within which a revoked key’s tokens end on every node (docs/behaviour/access.md#revocation). */
const revocationLimit = 5000

const textOf = (value: unknown, name: string): string => {
  if (!isJsonObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return String(value[name])
}

/** Each service immediately reads what the other has created, changed and deleted. */
export const expectSharedWrites = async ([one, other]: readonly [Api, Api]): Promise<void> => {
  for (const [writer, reader] of [
    [one, other],
    [other, one],
  ] as const) {
    const id = randomUUID()
    await createArticle(writer, id, 'first')
    expect(expectOk(await reader.get(`/content/${id}`)).object['title']).to.equal('first')
    expectOk(await writer.patch(`/content/${id}`, { description: 'second' }))
    expect(expectOk(await reader.get(`/content/${id}`, fresh)).object['description']).to.equal('second')
    expect(await walk(reader, 'content', 'modified')).to.include(id)
    expectOk(await writer.delete(`/content/${id}`))
    expect((await reader.get(`/content/${id}`, fresh)).status).to.equal(404)
    expect(await walk(reader, 'content', 'modified')).not.to.include(id)
  }
}

/** Both services accept a key for a new instance immediately, and reject it soon after it is revoked. */
export const expectSharedKeys = async (services: readonly ServiceProcess[], admin: Admin): Promise<void> => {
  const created = await admin('instance', 'create', '--title', 'New', '--timezone', 'UTC')
  const instance = textOf(created, 'id')
  const issued = await admin('key', 'create', '--instance', instance, '--role', 'editor')
  const key = { key: textOf(issued, 'api_key'), secret: textOf(issued, 'api_secret') }
  const tokens = await Promise.all(services.map(({ url }) => fetchToken(url, key)))
  // Sends each token to each service, so that all of them are cached.
  const apis = services.flatMap(({ url }) => tokens.map((token) => createApi(`${url}/${instance}`, token)))
  for (const api of apis) expectOk(await api.get('/content', fresh))
  await admin('key', 'revoke', key.key)
  const revoked = performance.now()
  for (const api of apis)
    await waitFor('a revoked token ends', async () =>
      (await api.get('/content', fresh)).status === 401 ? true : null,
    )
  expect(performance.now() - revoked).to.be.below(revocationLimit)
  for (const { url } of services) {
    const rejected = await fetchToken(url, key).catch((error: unknown) => String(error))
    expect(rejected).to.include('invalid_client')
  }
}
