/**
 * Preconditions that are not met and headers that are invalid, at every endpoint
 * (docs/behaviour/writing.md#preconditions, docs/behaviour/errors.md, docs/behaviour/files.md,
 * docs/behaviour/caching.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { useReadOnlyFixture, type Fixture } from './service-fixture.js'
import { isRedirect, needsRole, statusOf, testEndpoints } from './test-endpoints.js'

const isRead = ({ method }: Endpoint): boolean => method === 'GET'

/** Operations whose sample request names nothing that exists. */
const findingNothing = new Set(['removeInstance', 'endSession', 'removePasskey', 'removeIdentity'])

/**
 * Expects that a precondition is not met. The homepage of the fixture is the default one, which cannot be deleted under any
 * condition, and what is refused without a precondition is refused with it.
 */
const expectUnmet = (response: ApiResponse, { deployment, operation, resource }: Endpoint): void => {
  const status = deployment === undefined ? 200 : statusOf({ operation }, 200)
  if (operation === 'removeObject' && resource?.given !== undefined)
    expectError(response, 405, 'method_not_allowed')
  else if (findingNothing.has(operation)) expectError(response, 404, 'not_found')
  else if (status >= 400) expectStatus(response, status)
  else expectError(response, 412, 'precondition_failed')
}

const isWrite = (endpoint: Endpoint): boolean =>
  !isRead(endpoint) && (needsRole(endpoint) || endpoint.deployment !== undefined)

/** No representation has one of these entity tags. */
const unusedEntityTags = [
  '"x"',
  'x',
  '"',
  '""',
  'W/"x"',
  '*x',
  ',,,',
  '"x',
  '"x" "y"',
  '<x>',
  `"${'x'.repeat(4000)}"`,
  'null',
]

const invalidHeaders: Readonly<Record<string, readonly string[]>> = {
  'If-None-Match': unusedEntityTags,
  'If-Modified-Since': ['x', 'Thu, 32 Foo 2026 99:99:99 GMT', '0', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  'If-Range': ['x', '"x"', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'Cache-Control': ['x', 'max-age=x', ',', '"no-cache', 'max-age=-1'],
  Prefer: ['x', 'handling', 'handling=', 'handling=loose', ';;;', '"'],
  Range: [
    'x',
    'bytes',
    'bytes=',
    'bytes=x-y',
    'bytes=-',
    'bytes=5-2',
    'lines=0-1',
    '0-1',
    `bytes=${'9'.repeat(400)}x`,
  ],
  'X-Forwarded-Host': ['evil.example.org', '<script>'],
  'X-Forwarded-Proto': ['javascript'],
  'X-HTTP-Method-Override': ['DELETE'],
  'Accept-Charset': ['utf-16', 'x;q=x'],
  'Accept-Encoding': ['x', 'gzip;q=9', 'identity;q=0'],
  'Accept-Language': ['x', '*;q=0'],
  Cookie: ['a=b; c', '=', '\u0080'],
  Origin: ['null', 'https://evil.example.org'],
  Referer: ['x'],
  TE: ['trailers, x'],
}

describe('preconditions and invalid headers', () => {
  let fixture: Fixture
  useReadOnlyFixture((set) => {
    fixture = set
  })

  const send = (endpoint: Endpoint, headers: Readonly<Record<string, string>>): Promise<ApiResponse> =>
    fixture.send(endpoint, { headers })

  testEndpoints(
    'returns 412 and writes nothing for an If-Match that does not match',
    { filter: isWrite, sample: 8 },
    async (endpoint) => {
      for (const tags of unusedEntityTags) expectUnmet(await send(endpoint, { 'If-Match': tags }), endpoint)
    },
  )

  testEndpoints(
    'returns 412 and writes nothing for If-None-Match: * on an existing object',
    {
      filter: isWrite,
      exceptions: {
        createObject: 'it creates a new object',
        createWebhook: 'it creates one too',
        createImport: 'it creates one too',
        createExport: 'it creates one too',
        sendVisitorComment: 'it creates one too',
        createUser: 'it creates one too',
        createKey: 'it creates one too',
        createInstance: 'it creates one too',
        createLink: 'a link has no representation',
        removeLinks: 'a link has no representation',
        endSessions: 'sessions have no representation',
        mailConfirmation: 'a mail has no representation',
        revokeKey: 'a key has no representation of its own',
      },
      sample: 8,
    },
    async (endpoint) => {
      for (const tags of ['*', ' * ']) expectUnmet(await send(endpoint, { 'If-None-Match': tags }), endpoint)
      expectUnmet(await send(endpoint, { 'If-None-Match': '*', 'If-Match': '*' }), endpoint)
    },
  )

  const isDocument = (endpoint: Endpoint): boolean => isRead(endpoint) && !isRedirect(endpoint)
  testEndpoints('ignores invalid header values', { filter: isDocument, sample: 6 }, async (endpoint) => {
    const plain = expectStatus(await send(endpoint, {}), 200)
    for (const [name, values] of Object.entries(invalidHeaders))
      for (const value of values) {
        const response = await send(endpoint, { [name]: value })
        expectStatus(response, 200)
        // Any quality above 0 accepts a coding.
        if (response.headers['content-encoding'] !== undefined) continue
        expect(response.text, `${name}: ${value}`).to.equal(plain.text)
      }
  })

  testEndpoints(
    'never copies an invalid Host into links',
    { filter: (each) => isRead(each) && needsRole(each), sample: 8 },
    async (endpoint) => {
      for (const Host of [
        '',
        '<script>',
        'a b',
        'x/y',
        'user@example.org',
        'x"y',
        '[::',
        'x:y',
        'x:999999',
        '%00',
      ]) {
        const response = await send(endpoint, { Host, 'Cache-Control': 'no-cache' })
        if (response.status === 200) expect(response.text).not.to.match(/<script>|a b|user@|\[::\/|999999/)
        else expectError(response, 400, 'bad_request')
      }
    },
  )
})
