/** docs/behaviour/administration.md: users, keys, roles, instances and the audit log over HTTP. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  rowsOf,
  uuidOf,
} from '../harness/expect-response.js'
import { createApi, type Api, type ApiResponse } from '../harness/http-client.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

/** Milliseconds within which revocations and changes of rights are applied. */
const applied = 5000

for (const { name, environment } of combinations)
  describe(`administration, on ${name}`, () => {
    let service: TestService
    let home: Publication
    let other: Publication
    let operator: Api
    /** The admin of `home`, on the addresses of the deployment. */
    let admin: Api
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      other = await createPublication(service)
      operator = createApi(service.url, await service.operatorToken())
      admin = createApi(service.url, home.admin.token)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const exchange = (key: JsonObject): Promise<ApiResponse> =>
      createApi(service.url).send('POST', '/oauth/token', {
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          api_key: String(key['api_key']),
          api_secret: String(key['api_secret']),
        }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    const rolesOn = ({ number }: Publication, ...roles: readonly string[]): JsonObject => ({
      instance: number,
      roles,
    })
    const newUser = async (by: Api, ...roles: readonly JsonObject[]): Promise<string> =>
      uuidOf(await by.post('/users', { name: 'a user', roles }))
    const newKey = async (by: Api, user: string): Promise<JsonObject> =>
      expectOk(await by.post(`/users/${user}/keys`, {})).object
    const apiFor = async (key: JsonObject): Promise<Api> =>
      createApi(service.url, String(expectOk(await exchange(key)).object['access_token']))

    describe('who a token is', () => {
      it('is shown to every API user, with its instances, their titles and time zones', async () => {
        const { number, url } = home
        const me = expectOk(await createApi(service.url, home.visitor.token).get('/me')).object
        expect(me).to.include({ name: `public_user of ${number}`, operator: false })
        expect(me['items']).to.deep.equal([
          { id: number, title: 'The Daily Test', timezone: 'Europe/Vienna', roles: ['public_user'], url },
        ])
        expect(expectOk(await operator.get('/me')).object).to.deep.include({ operator: true, items: [] })
        expectError(await createApi(service.url).get('/me'), 401, 'unauthorized')
      })
    })

    describe('users, keys and roles', () => {
      it('are administered by an operator', async () => {
        const user = await newUser(operator, rolesOn(home, 'editor', 'reader'))
        const url = `${service.url}/users/${user}`
        expect(expectOk(await operator.get(`/users/${user}`)).object).to.deep.equal({
          uuid: user,
          url,
          name: 'a user',
          operator: false,
          roles: [rolesOn(home, 'reader', 'editor')],
          email: null,
          email_confirmed: false,
          language: null,
          disabled: false,
        })
        expectOk(await operator.patch(`/users/${user}`, { name: 'website' }))
        expectOk(await operator.put(`/users/${user}/roles/${other.number}`, { roles: ['reader'] }))
        expect(objectsOf(await operator.get(`/users/${user}/roles`))).to.deep.equal([
          rolesOn(home, 'reader', 'editor'),
          rolesOn(other, 'reader'),
        ])
        expectOk(await operator.put(`/users/${user}/roles`, { items: [rolesOn(home, 'admin')] }))
        expectOk(await operator.delete(`/users/${user}/roles/${home.number}?confirm=true`))
        expect(objectsOf(await operator.get(`/users/${user}/roles`))).to.deep.equal([])
        expect(columnOf(await operator.get('/users?rpp=100&fields=uuid'))).to.include(user)
        expect(
          rowsOf(await operator.get('/users?fields=uuid-operator&operator=true&rpp=100')),
        ).not.to.deep.include([user, false])
        expectOk(await operator.delete(`/users/${user}`))
        expectError(await operator.get(`/users/${user}`), 404, 'not_found')
      })

      // docs/behaviour/writing.md#preconditions
      it('change only from the state that the client has read', async () => {
        const user = await newUser(operator, rolesOn(home, 'reader'))
        const tagOf = async (path: string): Promise<string> =>
          String(expectOk(await operator.get(path)).headers['etag'])
        const send = (method: string, path: string, tag: string, object?: JsonObject) =>
          operator.send(method, path, {
            ...(object === undefined ? {} : { body: JSON.stringify(object) }),
            headers: { 'If-Match': tag },
          })
        const roles = { roles: ['editor'] }
        const writes: readonly (readonly [string, string, JsonObject?])[] = [
          ['PATCH', `/users/${user}`, { name: 'another' }],
          ['PUT', `/users/${user}/roles`, { items: [rolesOn(other, 'editor')] }],
          ['PUT', `/users/${user}/roles/${home.number}`, roles],
          ['DELETE', `/users/${user}/roles/${home.number}`],
          ['DELETE', `/users/${user}`],
        ]
        for (const [method, path, object] of writes) {
          const [tag, elsewhere] = [await tagOf(path), await tagOf(`/instances/${other.number}`)]
          expectError(await send(method, path, elsewhere, object), 412, 'precondition_failed')
          expect(await tagOf(path)).to.equal(tag)
          expectOk(await send(method, path, tag, object))
        }
        expectError(
          await operator.send('DELETE', `/instances/${other.number}?title=The%20Daily%20Test`, {
            headers: { 'If-Match': await tagOf(`/instances/${home.number}`) },
          }),
          412,
          'precondition_failed',
        )
      })

      it('show a secret once, and apply revocations and changes within five seconds', async () => {
        const user = await newUser(operator, rolesOn(home, 'reader'))
        const key = await newKey(operator, user)
        const api = await apiFor(key)
        const sections = `/${home.number}/sections`
        expectOk(await api.get(sections))
        const listed = await operator.get(`/users/${user}/keys?fields=api_key-created-revoked-last_used`)
        const created = '2026-03-01T12:00'
        expect(rowsOf(listed)).to.have.lengthOf(1)
        expect(rowsOf(listed)[0]?.[0]).to.equal(key['api_key'])
        expect(String(rowsOf(listed)[0]?.[1])).to.include(created.slice(0, 10))
        expect(listed.text).not.to.include(String(key['api_secret']))
        await service.useCases.keyUses.write()
        const [used] = columnOf(await operator.get(`/users/${user}/keys?fields=last_used`))
        expect(String(used)).to.match(/:00\.000Z$/)
        expectOk(await operator.patch(`/users/${user}`, { operator: true }))
        service.clock.advance(applied)
        expectOk(await api.get('/users'))
        expectOk(await operator.delete(`/users/${user}/keys/${String(key['api_key'])}`))
        service.clock.advance(applied)
        expectError(await api.get(sections), 401, 'invalid_token')
        expectError(await exchange(key), 401, 'invalid_client')
        expectOk(await operator.delete(`/users/${user}`))
      })

      it('reject invalid values, unknown users and instances', async () => {
        expectFaults(await operator.post('/users', { name: ' ', operator: 7 }), 'name', 'operator')
        const roles = [{ instance: 999_999, roles: ['king'] }]
        expectFaults(await operator.post('/users', { name: 'x', roles }), 'roles.0.roles.0')
        const missing = [{ instance: 999_999, roles: ['editor'] }]
        expectFaults(await operator.post('/users', { name: 'x', roles: missing }), 'instance')
        for (const path of ['', '/keys', '/roles'])
          expectError(await operator.get(`/users/${randomUUID()}${path}`), 404, 'not_found')
        const user = await newUser(operator)
        expectError(await operator.delete(`/users/${user}/keys/nothing`), 404, 'not_found')
        const foreign = await newKey(operator, await newUser(operator))
        expectError(
          await operator.delete(`/users/${user}/keys/${String(foreign['api_key'])}`),
          404,
          'not_found',
        )
      })

      it('need a confirmation where no admin key of an instance, or no operator key, would be left', async () => {
        const lone = await createPublication(service)
        const row = rowsOf(await operator.get('/users?fields=uuid-name&order=name&rpp=100')).find(
          ([, named]) => named === `admin of ${lone.number}`,
        )
        const user = String(row?.[0])
        const [key] = columnOf(await operator.get(`/users/${user}/keys?fields=api_key`))
        const unconfirmed = 'confirm'
        const role = `/users/${user}/roles/${lone.number}`
        expectFaults(await operator.delete(`/users/${user}/keys/${String(key)}`), unconfirmed)
        expectFaults(await operator.delete(role), unconfirmed)
        expectFaults(await operator.put(role, { roles: ['editor'] }), unconfirmed)
        expectFaults(await operator.put(`/users/${user}/roles`, { items: [] }), unconfirmed)
        expectFaults(await operator.patch(`/users/${user}`, { roles: [] }), unconfirmed)
        expectFaults(await operator.delete(`/users/${user}`), unconfirmed)
        expectOk(await operator.delete(`/users/${user}/keys/${String(key)}?confirm=true`))
      })
    })

    describe('an admin of an instance', () => {
      it('reaches no rights elsewhere by a link or an address that it has made before', async () => {
        const user = await newUser(operator, rolesOn(home, 'reader'))
        const elsewhere = `/users/${user}/roles/${other.number}`
        const { url } = expectOk(await admin.post(`/users/${user}/link`, null)).object
        const token = String(url).split('/').at(-1) ?? ''
        const visitor = createApi(service.url)
        expectFaults(await operator.put(elsewhere, { roles: ['admin'] }), 'confirm')
        expectOk(await visitor.post('/sign-in/link', { token }))
        expectOk(await operator.put(`${elsewhere}?confirm=true`, { roles: ['admin'] }))
        expectError(await visitor.post('/sign-in/link', { token }), 410, 'link_invalid')
        const another = await newUser(operator, rolesOn(home, 'reader'))
        expectOk(await admin.patch(`/users/${another}`, { email: `${another}@example.org` }))
        expect(expectOk(await operator.get(`/users/${another}`)).object).to.include({ email_confirmed: true })
        const role = `/users/${another}/roles/${other.number}`
        expectFaults(await operator.put(role, { roles: ['admin'] }), 'confirm')
      })

      it('sees and changes the users of its instance alone', async () => {
        const both = await newUser(operator, rolesOn(home, 'reader'), rolesOn(other, 'editor'))
        const elsewhere = await newUser(operator, rolesOn(other, 'reader'))
        const seen = columnOf(await admin.get('/users?fields=uuid&rpp=100'))
        expect(seen).to.include(both).and.not.to.include(elsewhere)
        expect(expectOk(await admin.get(`/users/${both}`)).object['roles']).to.deep.equal([
          rolesOn(home, 'reader'),
        ])
        for (const path of ['', '/keys', '/roles'])
          expectError(await admin.get(`/users/${elsewhere}${path}`), 404, 'not_found')
        expectOk(await admin.put(`/users/${both}/roles`, { items: [rolesOn(home, 'editor')] }))
        expect(objectsOf(await operator.get(`/users/${both}/roles`))).to.deep.equal([
          rolesOn(home, 'editor'),
          rolesOn(other, 'editor'),
        ])
        expectError(await admin.post(`/users/${both}/keys`, {}), 403, 'forbidden')
        expectError(await admin.delete(`/users/${both}`), 403, 'forbidden')
        expectError(await admin.patch(`/users/${both}`, { name: 'mine' }), 403, 'forbidden')
        expectError(await admin.patch(`/users/${both}`, { operator: true }), 403, 'forbidden')
        for (const send of [
          admin.put(`/users/${both}/roles/${other.number}`, { roles: ['editor'] }),
          admin.delete(`/users/${both}/roles/${other.number}`),
          admin.delete(`/users/${both}/roles/987654`),
          admin.put(`/users/${both}/roles`, { items: [rolesOn(other, 'editor')] }),
          admin.post('/users', { name: 'x', roles: [rolesOn(home, 'reader'), rolesOn(other, 'reader')] }),
          admin.post('/users', { name: 'x' }),
          admin.post('/users', { name: 'x', operator: true, roles: [rolesOn(home, 'reader')] }),
        ])
          expectError(await send, 403, 'forbidden')
      })

      it('creates users and keys there, which have no other rights', async () => {
        const user = await newUser(admin, rolesOn(home, 'admin'))
        const api = await apiFor(await newKey(admin, user))
        expectOk(await api.get(`/${home.number}/audit`))
        expectError(await api.get(`/${other.number}/audit`), 403, 'forbidden')
        expectError(await api.get('/audit'), 403, 'forbidden')
        expectError(await api.get('/instances'), 403, 'forbidden')
        expectOk(await admin.patch(`/users/${user}`, { name: 'renamed' }))
        expectOk(await admin.delete(`/users/${user}`))
        service.clock.advance(applied)
        expectError(await api.get('/me'), 401, 'invalid_token')
      })

      it('is the least role that administers users', async () => {
        const editor = createApi(service.url, home.editor.token)
        expectError(await editor.get('/users'), 403, 'forbidden')
        expectError(await editor.post('/users', { name: 'x' }), 403, 'forbidden')
        expectError(await editor.get(`/${home.number}/audit`), 403, 'forbidden')
      })
    })

    describe('instances', () => {
      it('are created, listed and deleted by an operator', async () => {
        const settings = { title: 'A third', timezone: 'UTC' }
        const { id } = expectOk(await operator.post('/instances', settings)).object
        expect(expectOk(await operator.get(`/instances/${String(id)}`)).object).to.include({
          id,
          ...settings,
        })
        expect(rowsOf(await operator.get('/instances?fields=id-title&rpp=100'))).to.deep.include([
          id,
          'A third',
        ])
        expectFaults(await operator.post('/instances', { title: '' }), 'timezone', 'title')
        const user = await newUser(operator, { instance: Number(id), roles: ['reader'] })
        const api = await apiFor(await newKey(operator, user))
        expectFaults(await operator.delete(`/instances/${String(id)}`), 'title')
        expectOk(await operator.delete(`/instances/${String(id)}?title=A%20third`))
        service.clock.advance(applied)
        expect(service.useCases.deleteInstance.isFinishDue()).to.equal(true)
        expect(service.useCases.deleteInstance.isFinishDue()).to.equal(false)
        await service.useCases.deleteInstance.finish()
        expectError(await operator.get(`/instances/${String(id)}`), 404, 'not_found')
        expectError(await operator.get(`/users/${user}`), 404, 'not_found')
        expectError(await api.get('/me'), 401, 'invalid_token')
        const log = await operator.get(`/audit?fields=operation-instance&objects=${String(id)}_${user}`)
        expect(rowsOf(log)).to.deep.include.members([
          ['removeInstance', null],
          ['createInstance', null],
        ])
      })
    })

    it('lists what a key is for', async () => {
      const user = await newUser(operator, rolesOn(home, 'reader'))
      const path = `/users/${user}/keys`
      const key = expectOk(await operator.post(path, { title: 'Laptop' })).object
      expect(key).to.have.keys(['api_key', 'api_secret'])
      service.clock.advance(1000)
      await newKey(operator, user)
      expectFaults(await operator.post(path, { title: 'x'.repeat(256) }), 'title')
      expect(columnOf(await operator.get(`${path}?fields=title&order=created`))).to.deep.equal([
        'Laptop',
        null,
      ])
      const revoked = await operator.delete(`${path}/${String(key['api_key'])}`)
      expect(expectOk(revoked).object).to.deep.equal({ msg: 'deleted' })
      expectOk(await operator.delete(`${path}/${String(key['api_key'])}`))
      const log = await operator.get(
        `/audit?fields=operation-title-changes&objects=${String(key['api_key'])}`,
      )
      const time = new Date(service.clock.now()).toISOString()
      expect(rowsOf(log)).to.have.deep.members([
        ['revokeKey', 'Laptop', { user }],
        ['revokeKey', 'Laptop', { user, revoked: { before: null, after: time } }],
        ['createKey', 'Laptop', { user, title: { before: null, after: 'Laptop' } }],
      ])
    })

    describe('the audit log', () => {
      const entries = async (api: Api, query: string): Promise<readonly (readonly Json[])[]> =>
        rowsOf(await api.get(`/${home.number}/audit?${query}`))

      it('has each change before its response, and no reads and rejected changes', async () => {
        const created = expectOk(
          await home.editor.post('/content', { content_type: 'article', title: 'x', urlname: randomUUID() }),
        )
        const uuid = String(created.object['uuid'])
        const changed = await home.editor.patch(`/content/${uuid}`, { title: 'y' })
        expectOk(await home.editor.patch(`/content/${uuid}`, { title: 'z' }, { 'X-Request-Id': 'mine' }))
        expectError(await home.editor.patch(`/content/${uuid}`, { title: '' }), 400, 'bad_parameters')
        expectOk(await home.editor.get(`/content/${uuid}`))
        const fields = 'operation,collection,object,instance,name,request,address,client_request'
        const rows = await entries(admin, `fields=${fields}&objects=${uuid}`)
        expect(rows.map(([operation]) => operation)).to.have.members([
          'changeObject',
          'changeObject',
          'createObject',
        ])
        const entry = rows.find((row) => row[0] === 'changeObject' && row[7] === null)
        const [, , , , , own] = rows.find((row) => row[7] === 'mine') ?? []
        expect(own).to.match(/^[\da-f-]{36}$/)
        const request = changed.headers['x-request-id']
        expect(entry?.slice(0, 6)).to.deep.equal([
          'changeObject',
          'content',
          uuid,
          home.number,
          `editor of ${home.number}`,
          request,
        ])
        expect(entry?.[6]).to.include('127.0.0.1')
      })

      it('shows what changed in roles and settings, the newest first, and filters', async () => {
        service.clock.advance(1000)
        const user = await newUser(operator, rolesOn(home, 'reader'))
        service.clock.advance(1000)
        expectOk(await operator.put(`/users/${user}/roles/${home.number}`, { roles: ['editor'] }))
        service.clock.advance(1000)
        expectOk(await home.admin.patch('/settings', { language: 'de' }))
        const rows = await entries(admin, 'fields=operation-changes&rpp=3')
        expect(rows).to.deep.equal([
          ['changeSettings', { language: 'de' }],
          ['replaceInstanceRoles', { roles: { before: ['reader'], after: ['editor'] } }],
          ['createUser', { roles: { before: [], after: ['reader'] } }],
        ])
        expect(await entries(admin, `objects=${user}&operations=createUser`)).to.have.lengthOf(1)
        expect(await entries(admin, 'created=2030-01-01_')).to.deep.equal([])
        expect(await entries(admin, `users=${randomUUID()}`)).to.deep.equal([])
        const ofOther = rowsOf(await operator.get(`/audit?fields=instance&instances=${other.number}&rpp=100`))
        expect(ofOther.every(([instance]) => instance === other.number)).to.equal(true)
      })

      it('has sign-ins, for operators', async () => {
        const key = await newKey(operator, await newUser(operator, rolesOn(home, 'reader')))
        const response = expectOk(await exchange(key))
        expectError(await exchange({ ...key, api_secret: 'wrong' }), 401, 'invalid_client')
        await service.useCases.audit.writeWaiting()
        const query = `fields=request-changes&operations=exchangeToken&objects=${String(key['api_key'])}`
        const rows = rowsOf(await operator.get(`/audit?${query}`))
        expect(rows.map(([, changes]) => changes)).to.have.deep.members([
          { outcome: 'succeeded' },
          { outcome: 'wrong secret' },
        ])
        expect(rows.map(([request]) => request)).to.include(response.headers['x-request-id'])
        expect(await entries(admin, query)).to.deep.equal([])
      })

      it('loses entries after 400 days', async () => {
        expect(rowsOf(await operator.get('/audit')).length).to.be.greaterThan(0)
        service.clock.advance(401 * 86_400_000)
        await service.useCases.audit.expire()
        const fresh = createApi(service.url, await service.operatorToken())
        expect(rowsOf(await fresh.get('/audit?created=_2027-01-01'))).to.deep.equal([])
      })
    })

    it('is not reached without a token, before any other problem', async () => {
      const anonymous = createApi(service.url)
      for (const path of ['/users', '/instances', '/audit', '/me', `/users/${randomUUID()}/keys`])
        for (const method of ['GET', 'POST', 'DELETE'])
          expectError(await anonymous.send(method, path), 401, 'unauthorized')
      expectError(await operator.delete('/users'), 405, 'method_not_allowed')
      expectError(await operator.get('/users/x'), 404, 'not_found')
    })

    it('creates an operator with the first key', async () => {
      const listed = await service.useCases.administerUsers.list()
      expect(listed.find((user) => user.name === 'bootstrap')?.operator).to.equal(true)
    })
  })
