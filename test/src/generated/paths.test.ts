/**
 * Paths of every endpoint: unknown and malformed UUIDs, appended path segments, other methods
 * (docs/behaviour/wire.md#methods, docs/behaviour/writing.md#uuids, docs/behaviour/errors.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resourceOf } from '@publishing-service/domain'
import { endpoints, methods, needsToken, openingsOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectFaults, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { useReadOnlyFixture, type Fixture } from './service-fixture.js'
import { namesObjects, testEndpoints } from './test-endpoints.js'

const uuidNames = ({ path }: Endpoint): readonly string[] =>
  [...path.matchAll(/\{((?:\w+_)?uuid)\}/g)].map(([, name = '']) => name)

const malformed = (uuid: string): readonly string[] => [
  'x',
  uuid.slice(1),
  `${uuid}0`,
  uuid.replaceAll('-', ''),
  `%7B${uuid}%7D`,
  `urn:uuid:${uuid}`,
  uuid.replace(/^./, 'g'),
  '%00',
  '%zz',
  '%',
  '%FF',
  '%E2%82',
  '%C0%AF',
  '__proto__',
  `${uuid}%0A`,
  `%20${uuid}`,
  "1'%20OR%20'1'='1",
]

describe('paths of every endpoint', () => {
  let fixture: Fixture
  useReadOnlyFixture((set) => {
    fixture = set
  })

  const send = (endpoint: Endpoint, method: string, path: string): Promise<ApiResponse> =>
    fixture
      .root(fixture.home.admin.token)
      .send(method, path, method === endpoint.method ? sampleRequest(endpoint, fixture) : {})

  const withHead = ({ method }: Endpoint): readonly string[] =>
    method === 'GET' ? ['GET', 'HEAD'] : [method]

  testEndpoints(
    'returns 404 for an unknown UUID',
    { filter: namesObjects, exceptions: { replaceObject: 'PUT to an unused path creates the object' } },
    async (endpoint) => {
      for (const method of withHead(endpoint))
        expectError(
          await send(endpoint, method, fixture.address(endpoint, { uuid: randomUUID() })),
          404,
          'not_found',
        )
    },
  )

  const inSlot = ({ path }: Endpoint): boolean => path.includes('{slot_uuid}')
  testEndpoints(
    'returns 404 on read, or a slot_uuid fault on write, for a slot that the body does not contain',
    { filter: inSlot },
    async (endpoint) => {
      for (const method of withHead(endpoint)) {
        const response = await send(endpoint, method, fixture.address(endpoint, { slot_uuid: randomUUID() }))
        if (['GET', 'HEAD', 'DELETE'].includes(method)) expectError(response, 404, 'not_found')
        else expect(expectFaults(response, 'slot_uuid')['slot_uuid']).to.match(/add it there first/)
      }
    },
  )

  testEndpoints(
    'returns 404 on read and delete, or bad_parameters on write, for a malformed UUID',
    { filter: namesObjects, sample: 20 },
    async (endpoint) => {
      for (const name of uuidNames(endpoint))
        for (const wrong of malformed(randomUUID())) {
          const path = fixture.address(endpoint, { [name]: wrong })
          for (const method of withHead(endpoint)) {
            const response = await send(endpoint, method, path)
            if (['GET', 'HEAD', 'DELETE'].includes(method)) expectError(response, 404, 'not_found')
            else expectFaults(response, name)
          }
        }
    },
  )

  const writesWithTwo = (endpoint: Endpoint): boolean =>
    endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && uuidNames(endpoint).length > 1
  testEndpoints('reports both of two malformed UUIDs', { filter: writesWithTwo }, async (endpoint) => {
    const names = uuidNames(endpoint)
    const path = fixture.address(endpoint, Object.fromEntries(names.map((name) => [name, 'x'])))
    expectFaults(await send(endpoint, endpoint.method, path), ...names)
  })

  const hasTwoObjects = (endpoint: Endpoint): boolean => uuidNames(endpoint).includes('object_uuid')
  testEndpoints(
    'returns 404 for an unknown object after a known one',
    { filter: hasTwoObjects },
    async (endpoint) => {
      for (const method of withHead(endpoint))
        expectError(
          await send(endpoint, method, fixture.address(endpoint, { object_uuid: randomUUID() })),
          404,
          'not_found',
        )
    },
  )

  const wordsOf = ({ permission }: Endpoint): readonly string[] =>
    Object.keys((permission === null ? undefined : resourceOf(permission.subject))?.given?.words ?? {})
  const acceptsWords = (endpoint: Endpoint): boolean =>
    uuidNames(endpoint).includes('uuid') && wordsOf(endpoint).length > 0
  testEndpoints(
    'accepts the words that replace UUIDs, and rejects similar words',
    { filter: acceptsWords },
    async (endpoint) => {
      for (const method of withHead(endpoint)) {
        // What has not been written has no versions.
        const status = endpoint.path.includes('{version}') ? 404 : 200
        if (method === 'GET' || method === 'HEAD')
          for (const word of wordsOf(endpoint))
            expectStatus(await send(endpoint, method, fixture.address(endpoint, { uuid: word })), status)
        for (const word of wordsOf(endpoint).flatMap((each) => [
          each.toUpperCase(),
          `${each}day`,
          `${each}%20`,
        ])) {
          const response = await send(endpoint, method, fixture.address(endpoint, { uuid: word }))
          if (method === 'GET' || method === 'HEAD' || method === 'DELETE')
            expectError(response, 404, 'not_found')
          else expectFaults(response, 'uuid')
        }
      }
    },
  )

  const hasPredicate = ({ path }: Endpoint): boolean => path.includes('{predicate}')
  testEndpoints(
    'returns 404 on read and delete, or bad_parameters on write, for an unknown predicate',
    { filter: hasPredicate },
    async (endpoint) => {
      for (const predicate of [
        'x',
        'Describes',
        'describes%20',
        '__proto__',
        'toString',
        '%00',
        '%zz',
        '%FF',
      ])
        for (const method of withHead(endpoint)) {
          const response = await send(endpoint, method, fixture.address(endpoint, { predicate }))
          if (method === 'PUT') expectFaults(response, 'predicate')
          else expectError(response, 404, 'not_found')
        }
    },
  )

  testEndpoints(
    'accepts UUIDs in upper case',
    { filter: (each) => namesObjects(each) && each.method === 'GET' },
    async (endpoint) => {
      const path = fixture.address(endpoint)
      const upperCase = path.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase())
      const response = expectStatus(await send(endpoint, 'GET', upperCase), 200)
      expect(response.text).to.equal((await send(endpoint, 'GET', path)).text)
    },
  )

  testEndpoints('returns 404 for a path with appended segments', { sample: 20 }, async (endpoint) => {
    // Longer than any path of the service.
    for (const tail of ['/garbage/a/b/c', '//', '/%zz/x/y/z', '/..%2f..%2fetc/passwd/x/y'])
      for (const method of [...withHead(endpoint), 'OPTIONS'])
        expectError(await send(endpoint, method, `${fixture.address(endpoint)}${tail}`), 404, 'not_found')
  })

  const pathOf = ({ path }: Endpoint): string => path
  const allowedMethods = (endpoint: Endpoint): readonly string[] => {
    const own = endpoints.filter((each) => pathOf(each) === pathOf(endpoint)).flatMap(withHead)
    return [...own, 'OPTIONS'].toSorted()
  }
  const allowOf = ({ headers }: ApiResponse): readonly string[] =>
    (headers.allow ?? '').split(', ').toSorted()

  const isOpen = (endpoint: Endpoint): boolean =>
    endpoints.some(
      (each) =>
        pathOf(each) === pathOf(endpoint) &&
        // The instance of these tests accepts comments of visitors.
        (!needsToken(each) || openingsOf(each).includes('public_comments')),
    )

  testEndpoints(
    'returns 405 with Allow for other methods, or 401 without a required token',
    { sample: 30 },
    async (endpoint) => {
      const others = [...methods, 'HEAD', 'TRACE', 'PROPFIND', 'COPY'].filter(
        (method) => !allowedMethods(endpoint).includes(method),
      )
      for (const method of others)
        for (const token of [fixture.home.admin.token, null]) {
          const response = await fixture.root(token).send(method, fixture.address(endpoint))
          if (token === null && !isOpen(endpoint)) expectError(response, 401, 'unauthorized')
          else {
            expectError(response, 405, 'method_not_allowed')
            expect(allowOf(response)).to.deep.equal(allowedMethods(endpoint))
          }
        }
    },
  )

  testEndpoints('returns 200 with Allow for OPTIONS', {}, async (endpoint) => {
    const response = expectStatus(await fixture.root(null).send('OPTIONS', fixture.address(endpoint)), 200)
    expect(allowOf(response)).to.deep.equal(allowedMethods(endpoint))
    expect(response.text).to.equal('')
  })
})
