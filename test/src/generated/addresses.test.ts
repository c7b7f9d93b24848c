/**
 * What an address leads to, at every endpoint: unknown and malformed UUIDs, paths that go on, other methods
 * (docs/behaviour/wire.md#methods, docs/behaviour/writing.md#uuids, docs/behaviour/errors.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resourceOf } from '@publishing-service/domain'
import { endpoints, methods, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectFaults, expectStatus } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { onUntouchedStage, type Stage } from './stage.js'
import { namesObjects, needsToken, walkEndpoints } from './walk.js'

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

describe('addresses of every endpoint', () => {
  let stage: Stage
  onUntouchedStage((set) => {
    stage = set
  })

  const ask = (endpoint: Endpoint, method: string, path: string): Promise<Answer> =>
    stage
      .root(stage.home.admin.token)
      .send(method, path, method === endpoint.method ? sampleRequest(endpoint, stage) : {})

  const withHead = ({ method }: Endpoint): readonly string[] =>
    method === 'GET' ? ['GET', 'HEAD'] : [method]

  walkEndpoints(
    'an unknown UUID: 404',
    { about: namesObjects, exceptions: { replaceObject: 'PUT on a free address creates the object' } },
    async (endpoint) => {
      for (const method of withHead(endpoint))
        expectError(
          await ask(endpoint, method, stage.address(endpoint, { uuid: randomUUID() })),
          404,
          'not_found',
        )
    },
  )

  const inSlot = ({ path }: Endpoint): boolean => path.includes('{slot_uuid}')
  walkEndpoints(
    'a slot whose tag is not in the body: 404 to read, bad_parameters slot_uuid to write',
    { about: inSlot },
    async (endpoint) => {
      for (const method of withHead(endpoint)) {
        const answer = await ask(endpoint, method, stage.address(endpoint, { slot_uuid: randomUUID() }))
        if (['GET', 'HEAD', 'DELETE'].includes(method)) expectError(answer, 404, 'not_found')
        else expect(expectFaults(answer, 'slot_uuid')['slot_uuid']).to.match(/add it there first/)
      }
    },
  )

  walkEndpoints(
    'a malformed UUID: 404 to read or delete, bad_parameters to write',
    { about: namesObjects },
    async (endpoint) => {
      for (const name of uuidNames(endpoint))
        for (const wrong of malformed(randomUUID())) {
          const path = stage.address(endpoint, { [name]: wrong })
          for (const method of withHead(endpoint)) {
            const answer = await ask(endpoint, method, path)
            if (['GET', 'HEAD', 'DELETE'].includes(method)) expectError(answer, 404, 'not_found')
            else expectFaults(answer, name)
          }
        }
    },
  )

  const writesInTwo = (endpoint: Endpoint): boolean =>
    endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && uuidNames(endpoint).length > 1
  walkEndpoints('two malformed UUIDs: an entry for each', { about: writesInTwo }, async (endpoint) => {
    const names = uuidNames(endpoint)
    const path = stage.address(endpoint, Object.fromEntries(names.map((name) => [name, 'x'])))
    expectFaults(await ask(endpoint, endpoint.method, path), ...names)
  })

  const ofTwo = (endpoint: Endpoint): boolean => uuidNames(endpoint).includes('object_uuid')
  walkEndpoints('an unknown object behind a known one: 404', { about: ofTwo }, async (endpoint) => {
    for (const method of withHead(endpoint))
      expectError(
        await ask(endpoint, method, stage.address(endpoint, { object_uuid: randomUUID() })),
        404,
        'not_found',
      )
  })

  const wordsOf = ({ permission }: Endpoint): readonly string[] =>
    Object.keys((permission === null ? undefined : resourceOf(permission.subject))?.words ?? {})
  const takesWords = (endpoint: Endpoint): boolean =>
    uuidNames(endpoint).includes('uuid') && wordsOf(endpoint).length > 0
  walkEndpoints(
    'words that stand for UUIDs, and what only looks like one',
    { about: takesWords },
    async (endpoint) => {
      for (const method of withHead(endpoint)) {
        if (method === 'GET' || method === 'HEAD')
          for (const word of wordsOf(endpoint))
            expectStatus(await ask(endpoint, method, stage.address(endpoint, { uuid: word })), 200)
        for (const word of wordsOf(endpoint).flatMap((each) => [
          each.toUpperCase(),
          `${each}day`,
          `${each}%20`,
        ])) {
          const answer = await ask(endpoint, method, stage.address(endpoint, { uuid: word }))
          if (method === 'PUT' || method === 'PATCH') expectFaults(answer, 'uuid')
          else expectError(answer, 404, 'not_found')
        }
      }
    },
  )

  const hasPredicate = ({ path }: Endpoint): boolean => path.includes('{predicate}')
  walkEndpoints(
    'a predicate that nobody knows: 404 to read or delete, bad_parameters to write',
    { about: hasPredicate },
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
          const answer = await ask(endpoint, method, stage.address(endpoint, { predicate }))
          if (method === 'PUT') expectFaults(answer, 'predicate')
          else expectError(answer, 404, 'not_found')
        }
    },
  )

  walkEndpoints(
    'UUIDs in upper case name the same',
    { about: (each) => namesObjects(each) && each.method === 'GET' },
    async (endpoint) => {
      const path = stage.address(endpoint)
      const shouted = path.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase())
      const answer = expectStatus(await ask(endpoint, 'GET', shouted), 200)
      expect(answer.text).to.equal((await ask(endpoint, 'GET', path)).text)
    },
  )

  walkEndpoints('a path that goes on: 404', {}, async (endpoint) => {
    // Longer than any address that could go on from here.
    for (const tail of ['/garbage/a/b/c', '//', '/%zz/x/y/z', '/..%2f..%2fetc/passwd/x/y'])
      for (const method of [...withHead(endpoint), 'OPTIONS'])
        expectError(await ask(endpoint, method, `${stage.address(endpoint)}${tail}`), 404, 'not_found')
  })

  const pathOf = ({ path }: Endpoint): string => path
  const offered = (endpoint: Endpoint): readonly string[] => {
    const own = endpoints.filter((each) => pathOf(each) === pathOf(endpoint)).flatMap(withHead)
    return [...own, 'OPTIONS'].toSorted()
  }
  const allowOf = ({ headers }: Answer): readonly string[] => (headers.allow ?? '').split(', ').toSorted()

  const isOpen = (endpoint: Endpoint): boolean =>
    endpoints.some((each) => pathOf(each) === pathOf(endpoint) && !needsToken(each))

  walkEndpoints(
    'other methods: 405 with Allow, or 401 without the token that is needed',
    {},
    async (endpoint) => {
      const others = [...methods, 'HEAD', 'TRACE', 'PROPFIND', 'COPY'].filter(
        (method) => !offered(endpoint).includes(method),
      )
      for (const method of others)
        for (const token of [stage.home.admin.token, null]) {
          const answer = await stage.root(token).send(method, stage.address(endpoint))
          if (token === null && !isOpen(endpoint)) expectError(answer, 401, 'unauthorized')
          else {
            expectError(answer, 405, 'method_not_allowed')
            expect(allowOf(answer)).to.deep.equal(offered(endpoint))
          }
        }
    },
  )

  walkEndpoints('OPTIONS: 200 with Allow', {}, async (endpoint) => {
    const answer = expectStatus(await stage.root(null).send('OPTIONS', stage.address(endpoint)), 200)
    expect(allowOf(answer)).to.deep.equal(offered(endpoint))
    expect(answer.text).to.equal('')
  })
})
