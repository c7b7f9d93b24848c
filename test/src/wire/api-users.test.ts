/** docs/behaviour/access.md#keys: API users with several keys and roles on several instances, over HTTP. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections, type IssuedKey, type Outcome } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import type { ProblemTag, Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { grantTo, newUser, revokeFrom } from '../harness/users.js'
import {
  combinations,
  moduleProviding,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'
import { isServing } from '../harness/request-recorder.js'
import { unscaled } from '../harness/unscaled.js'

/** Milliseconds within which a change of roles is applied on every node (docs/behaviour/access.md#revocation). */
const applied = 5000

const right = async <A>(outcome: Outcome<A, ProblemTag>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

for (const { name, environment } of combinations)
  describe(`API users, on ${name}`, () => {
    let service: TestService
    let home: Publication
    let other: Publication
    let user: string
    let key: IssuedKey
    before(async () => {
      service = await startTestService(environment)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const prepare = async (): Promise<void> => {
      home = await createPublication(service)
      other = await createPublication(service)
      user = await newUser(service, 'of both')
      key = await right(service.useCases.administerKeys.create({ user }))
    }
    const grant = ({ number }: Publication, role: Role) => grantTo(service, user, number, role)
    const revokeRole = ({ number }: Publication, role: Role | null = null) =>
      revokeFrom(service, user, number, role)
    const exchange = (each = key): Promise<ApiResponse> =>
      createApi(service.url).send('POST', '/oauth/token', {
        body: new URLSearchParams({ grant_type: 'client_credentials', ...each }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    const itemsFor = async (each = key) => expectOk(await exchange(each)).object['items']
    const apisFor = async (): Promise<readonly [Api, Api]> => {
      const token = String(expectOk(await exchange()).object['access_token'])
      return [createApi(home.url, token), createApi(other.url, token)]
    }
    const item = ({ number, url }: Publication, ...roles: readonly Role[]) => ({ id: number, roles, url })

    // docs/behaviour/access.md#token-items
    it('lists all instances and roles of the user as items, ordered by id, for each of its keys', async () => {
      await prepare()
      expectError(await exchange(), 401, 'invalid_client')
      await grant(other, 'admin')
      await grant(home, 'editor')
      await grant(home, 'public_user')
      const second = await right(service.useCases.administerKeys.create({ user }))
      const items = [item(home, 'public_user', 'editor'), item(other, 'admin')]
      for (const each of [key, second]) expect(await itemsFor(each)).to.deep.equal(items)
      await right(service.useCases.administerKeys.revoke(key.api_key))
      expectError(await exchange(), 401, 'invalid_client')
      expect(await itemsFor(second)).to.deep.equal(items)
    })

    it('permits reads and writes with one token by the role on each instance, and nowhere else', async () => {
      await prepare()
      await grant(home, 'editor')
      await grant(other, 'reader')
      const [onHome, onOther] = await apisFor()
      const article = () => ({ content_type: 'article', title: 'x', urlname: randomUUID() })
      const written = expectOk(await onHome.post('/content', article()))
      expectError(await onOther.post('/content', article()), 403, 'forbidden')
      expectOk(await onOther.get('/content'))
      expectError(await onOther.get(`/content/${String(written.object['uuid'])}`), 404, 'not_found')
      expectError(await createApi(service.url, onHome.token).get('/1/content'), 403, 'forbidden')
    })

    it('applies granted and revoked roles to tokens in use within 5 seconds, also for cached responses', async () => {
      await prepare()
      await grant(home, 'editor')
      const [onHome, onOther] = await apisFor()
      expectOk(await onHome.get('/sections'))
      expectError(await onOther.get('/sections'), 403, 'forbidden')
      await revokeRole(home)
      await grant(other, 'reader')
      service.clock.advance(applied)
      expectError(await onHome.get('/sections'), 403, 'forbidden')
      expectOk(await onOther.get('/sections'))
      expect(await itemsFor()).to.deep.equal([item(other, 'reader')])
      await grant(home, 'admin')
      await grant(home, 'reader')
      await revokeRole(home, 'admin')
      service.clock.advance(applied)
      expectOk(await onHome.get('/sections'))
      expectError(await onHome.patch('/settings', { title: 'x' }), 403, 'forbidden')
      await revokeRole(home)
      await revokeRole(other)
      service.clock.advance(applied)
      expectError(await onOther.get('/sections'), 403, 'forbidden')
      expectError(await exchange(), 401, 'invalid_client')
    })

    // docs/behaviour/access.md#deleted-instances
    it('rejects every request for a deleted instance, and leaves others unchanged', async () => {
      await prepare()
      await grant(home, 'reader')
      await grant(other, 'admin')
      const [onHome, onOther] = await apisFor()
      expectOk(await onOther.patch('/settings', { public_downloads: true }))
      const deleted = await storeFile(other.editor)
      const remaining = await storeFile(home.editor)
      expectOk(await onOther.get('/files'))
      const files = expectOk(await onHome.get('/files?fields=uuid')).object
      expect((await other.anonymous.get(deleted.download)).status).to.equal(200)
      const deletion = { number: other.number, title: 'The Daily Test' }
      const wait = async (milliseconds: number): Promise<void> => service.clock.advance(milliseconds)
      await right(service.useCases.deleteInstance.run({ ...deletion, wait }))
      for (const path of ['', '/files', `/files/${deleted.id}`, '/settings', deleted.download])
        expectError(await onOther.get(path), 403, 'forbidden')
      expectError(await other.admin.get('/files'), 401, 'invalid_token')
      expectError(await other.anonymous.get(deleted.download), 401, 'unauthorized')
      expectError(await onOther.put(`/files/${deleted.id}`, { title: 'x', filename: 'x' }), 403, 'forbidden')
      expect(expectOk(await onHome.get('/files?fields=uuid')).object).to.deep.equal(files)
      expect((await onHome.get(remaining.download)).status).to.equal(200)
      expect(await itemsFor()).to.deep.equal([item(home, 'reader')])
      expectOk(await home.admin.get('/settings'))
    })
  })

describe('a request with a slow body', () => {
  // docs/behaviour/access.md#slow-requests
  it('is permitted by the roles that its user has once the body has been read', async () => {
    const documents = memoryDocumentStore(collections)
    let identified = (): void => undefined
    const observed: DocumentStore = {
      ...documents,
      get: (collection, ...place) => {
        if (collection === 'users' && isServing()) identified()
        return documents.get(collection, ...place)
      },
    }
    const service = await startTestService(
      {},
      { documents: moduleProviding(tokens.documents, observed), ...unscaled },
    )
    try {
      const user = await newUser(service, 'slow')
      await grantTo(service, user, 1, 'admin')
      const key = await right(service.useCases.administerKeys.create({ user }))
      const exchanged = await right(
        service.useCases.exchangeToken({
          grantType: 'client_credentials',
          apiKey: key.api_key,
          apiSecret: key.api_secret,
          address: '192.0.2.1',
        }),
      )
      const sending = request(`${service.url}/1/settings`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${exchanged.accessToken}`, 'Content-Type': 'application/json' },
      })
      const responded = once(sending, 'response')
      const reached = new Promise<void>((resolve) => {
        identified = resolve
      })
      sending.write('{"title": ')
      await reached
      await revokeFrom(service, user, 1, null)
      service.clock.advance(applied)
      sending.end('"Changed"}')
      const [response] = await responded
      if (!(response instanceof IncomingMessage)) throw new Error('no response')
      response.resume()
      expect(response.statusCode).to.equal(403)
      const [instance] = await right(service.useCases.administerInstances.list())
      expect(instance?.settings['title']).to.not.equal('Changed')
    } finally {
      await service.stop()
    }
  })
})
