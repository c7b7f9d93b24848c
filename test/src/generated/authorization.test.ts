/**
 * Authorization at every endpoint: tokens, roles and instances (docs/behaviour/wire.md#bearer,
 * docs/behaviour/writing.md#isolation, docs/behaviour/errors.md, docs/behaviour/access.md#roles).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Role } from '@publishing-service/domain'
import { standingNeeded } from '@publishing-service/access'
import { mayActAs, roleNeeded, roles } from '@publishing-service/domain/roles'
import { needsToken, openingsOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { needsRole, statusOf, testEndpoints } from './test-endpoints.js'

/** The least role of the fixture's users that may use it; its admin is an operator. */
const requiredRole = ({ permission, deployment, path, method }: Endpoint): Role => {
  if (deployment !== undefined) return standingNeeded(deployment) === 'user' ? 'public_user' : 'admin'
  const required = permission === null ? null : roleNeeded(permission.subject, permission.action)
  if (required === null) throw new Error(`no role may ${method} ${path}`)
  return required
}

describe('authorization at every endpoint', () => {
  let fixture: Fixture
  useFixture((started) => {
    fixture = started
  })

  const send = (
    endpoint: Endpoint,
    authorization: string | undefined,
    replaced?: Record<string, string>,
  ): Promise<ApiResponse> =>
    fixture.send(endpoint, {
      path: fixture.address(endpoint, replaced),
      headers: { Authorization: authorization },
    })
  const bearer = (token: string | null): string => `Bearer ${token ?? ''}`
  const expectInvalidToken = (response: ApiResponse): void => {
    const { headers } = expectError(response, 401, 'invalid_token')
    expect(headers['www-authenticate']).to.match(/^Bearer realm="[^"]+", error="invalid_token"$/)
  }

  // The fixture has the setting on that opens the comments of visitors.
  const isClosed = (endpoint: Endpoint): boolean =>
    needsToken(endpoint) && !openingsOf(endpoint).includes('public_comments')

  testEndpoints('returns 401 unauthorized without a token', { filter: isClosed }, async (endpoint) => {
    for (const authorization of [undefined, '']) {
      const { headers } = expectError(await send(endpoint, authorization), 401, 'unauthorized')
      expect(headers['www-authenticate']).to.match(/^Bearer realm="[^"]+"$/)
    }
  })

  testEndpoints(
    'returns 401 invalid_token for a token that was altered or has expired',
    { filter: needsToken },
    async (endpoint) => {
      for (const token of [`${fixture.home.admin.token ?? ''}x`, fixture.expiredToken])
        expectInvalidToken(await send(endpoint, bearer(token)))
    },
  )

  testEndpoints(
    'returns 401 invalid_token for what is no token',
    { filter: needsToken, sample: 10 },
    async (endpoint) => {
      const wrong = [
        'Bearer',
        'Bearer x',
        bearer(`${fixture.home.admin.token ?? ''} x`),
        'Basic eDp5',
        'x',
        bearer('x'.repeat(5000)),
      ]
      for (const authorization of wrong) expectInvalidToken(await send(endpoint, authorization))
    },
  )

  testEndpoints(
    'returns 403 forbidden for a role below the required one',
    { filter: needsToken },
    async (endpoint) => {
      for (const role of roles.filter((each) => !mayActAs(each, requiredRole(endpoint)))) {
        expectError(await send(endpoint, bearer(fixture.home.as[role].token)), 403, 'forbidden')
        // An unknown object is forbidden too, so that the response does not reveal whether it exists.
        const unknown = { uuid: randomUUID(), slot_uuid: randomUUID() }
        expectError(await send(endpoint, bearer(fixture.home.as[role].token), unknown), 403, 'forbidden')
      }
    },
  )

  const unconfirmed = { removeInstance: 'without the title, its response is 400' }
  testEndpoints(
    'accepts the required role',
    { filter: needsToken, exceptions: unconfirmed },
    async (endpoint) => {
      // DELETE is sent for an unknown object, because other tests need the existing one.
      const replaced = endpoint.method === 'DELETE' ? { uuid: randomUUID() } : {}
      const required = requiredRole(endpoint)
      const as = (role: Role) => send(endpoint, bearer(fixture.home.as[role].token), replaced)
      const success = statusOf(endpoint, endpoint.method === 'DELETE' ? 404 : 200)
      // The existing objects were created by other users. A contributor may change only its own drafts.
      const isForeign = required === 'contributor' && endpoint.path.includes('{uuid}') && success === 200
      expectStatus(await as(required), isForeign ? 403 : success)
      if (isForeign) expectStatus(await as('editor'), success)
    },
  )

  testEndpoints(
    'returns 403 for a token of another instance, whether or not the requested instance exists',
    { filter: needsRole },
    async (endpoint) => {
      const existing = expectError(await send(endpoint, bearer(fixture.other.admin.token)), 403, 'forbidden')
      const missing = expectError(
        await send(endpoint, bearer(fixture.other.admin.token), { iid: '987654' }),
        403,
        'forbidden',
      )
      const { date: _one, 'x-request-id': _two, ...headers } = existing.headers
      const { date: _three, 'x-request-id': _four, ...others } = missing.headers
      expect(others).to.deep.equal(headers)
      expect(missing.text).to.equal(existing.text)
    },
  )

  const isOpen = (endpoint: Endpoint): boolean => !needsToken(endpoint)
  const exceptions = { createSignInOptions: 'each response has another challenge' }
  testEndpoints(
    'ignores the token where none is required',
    { filter: isOpen, exceptions },
    async (endpoint) => {
      const plain = await send(endpoint, undefined)
      for (const authorization of [
        'Bearer x',
        bearer(fixture.expiredToken),
        bearer(fixture.home.visitor.token),
      ])
        expect((await send(endpoint, authorization)).text).to.equal(plain.text)
    },
  )
})
