/**
 * Who is let in, at every endpoint: tokens, roles, instances (docs/behaviour/wire.md#bearer,
 * docs/behaviour/writing.md#isolation, docs/behaviour/errors.md, docs/behaviour/access.md#roles).
 */
import { expect } from 'chai'
import { after, before, describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import { mayActAs, roleNeeded, roles, type Role } from '@publishing-service/domain'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { setStage, type Stage } from './stage.js'
import { needsToken, walkEndpoints } from './walk.js'

const neededBy = ({ permission, path, method }: Endpoint): Role => {
  const needed = permission === null ? null : roleNeeded(permission.subject, permission.action)
  if (needed === null) throw new Error(`nobody may ${method} ${path}`)
  return needed
}

describe('access to every endpoint', () => {
  let stage: Stage
  before(async () => {
    stage = await setStage()
  })
  after(async () => {
    await stage.close()
  })

  const ask = (
    endpoint: Endpoint,
    authorization: string | undefined,
    replaced?: Record<string, string>,
  ): Promise<Answer> => {
    const { headers, ...rest } = sampleRequest(endpoint, stage)
    const options = { ...rest, headers: { ...headers, Authorization: authorization } }
    return stage.root(null).send(endpoint.method, stage.address(endpoint, replaced), options)
  }
  const bearer = (token: string | null): string => `Bearer ${token ?? ''}`

  walkEndpoints('without a token: 401 unauthorized', { about: needsToken }, async (endpoint) => {
    for (const authorization of [undefined, '']) {
      const { headers } = expectError(await ask(endpoint, authorization), 401, 'unauthorized')
      expect(headers['www-authenticate']).to.match(/^Bearer realm="[^"]+"$/)
    }
  })

  walkEndpoints('with a token that is none: 401 invalid_token', { about: needsToken }, async (endpoint) => {
    const spoilt = `${stage.home.admin.token ?? ''}x`
    const wrong = [
      'Bearer',
      'Bearer x',
      `Bearer ${spoilt}`,
      bearer(`${stage.home.admin.token ?? ''} x`),
      'Basic eDp5',
      'x',
      bearer('x'.repeat(5000)),
    ]
    for (const authorization of wrong) {
      const { headers } = expectError(await ask(endpoint, authorization), 401, 'invalid_token')
      expect(headers['www-authenticate']).to.match(/^Bearer realm="[^"]+", error="invalid_token"$/)
    }
  })

  walkEndpoints('with an expired token: 401 invalid_token', { about: needsToken }, async (endpoint) => {
    expectError(await ask(endpoint, bearer(stage.expiredToken)), 401, 'invalid_token')
  })

  walkEndpoints(
    'with a role below the needed one: 403 forbidden',
    { about: needsToken },
    async (endpoint) => {
      for (const role of roles.filter((each) => !mayActAs(each, neededBy(endpoint)))) {
        expectError(await ask(endpoint, bearer(stage.home.as[role].token)), 403, 'forbidden')
        // What isn’t there is forbidden just the same, so that nothing can be learnt of it.
        const elsewhere = { uuid: randomUUID(), slot_uuid: randomUUID() }
        expectError(await ask(endpoint, bearer(stage.home.as[role].token), elsewhere), 403, 'forbidden')
      }
    },
  )

  walkEndpoints('with the needed role: neither 401 nor 403', { about: needsToken }, async (endpoint) => {
    // A deletion is tried on what isn’t there: the stage is needed by other tests.
    const replaced = endpoint.method === 'DELETE' ? { uuid: randomUUID() } : {}
    const needed = neededBy(endpoint)
    const as = (role: Role) => ask(endpoint, bearer(stage.home.as[role].token), replaced)
    const success = endpoint.method === 'DELETE' ? 404 : 200
    // The objects on the stage were created by others, and a contributor changes only its own drafts.
    const isOfOthers = needed === 'contributor' && endpoint.path.includes('{uuid}') && success === 200
    expectStatus(await as(needed), isOfOthers ? 403 : success)
    if (isOfOthers) expectStatus(await as('editor'), success)
  })

  walkEndpoints(
    'with a token of another instance: 403, whether or not the instance exists',
    { about: needsToken },
    async (endpoint) => {
      const existing = expectError(await ask(endpoint, bearer(stage.other.admin.token)), 403, 'forbidden')
      const missing = expectError(
        await ask(endpoint, bearer(stage.other.admin.token), { iid: '987654' }),
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
  walkEndpoints('open to everybody: no token changes the answer', { about: isOpen }, async (endpoint) => {
    const plain = await ask(endpoint, undefined)
    for (const authorization of ['Bearer x', bearer(stage.expiredToken), bearer(stage.home.visitor.token)])
      expect((await ask(endpoint, authorization)).text).to.equal(plain.text)
  })
})
