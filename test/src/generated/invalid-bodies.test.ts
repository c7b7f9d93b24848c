/**
 * Invalid request bodies at every endpoint that accepts a body: syntax, encoding, depth and size
 * (docs/behaviour/wire.md#request-bodies, docs/behaviour/errors.md, docs/behaviour/files.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectFaults, expectOk, expectStatus } from '../harness/expect-response.js'
import { sampleRequest } from './sample-request.js'
import { limits, useReadOnlyFixture, type Fixture } from './service-fixture.js'
import { isRefused, statusOf, testEndpoints } from './test-endpoints.js'
import { invalidBodies } from './invalid-bodies.js'

const isObject = ({ body }: Endpoint): boolean => body === 'object' || body === 'optional object'
const isOptional = ({ body }: Endpoint): boolean => body === 'optional object'
const isChecked = (endpoint: Endpoint): boolean => isObject(endpoint) && !isRefused(endpoint)
const isForm = ({ body }: Endpoint): boolean => body === 'form'
const isData = ({ body }: Endpoint): boolean => body === 'data'
const hasNoBody = ({ body, method }: Endpoint): boolean => body === 'none' && method !== 'GET'

describe('invalid request bodies', () => {
  let fixture: Fixture
  useReadOnlyFixture((set) => {
    fixture = set
  })

  testEndpoints('have exactly one kind at every endpoint', {}, async (endpoint) => {
    const kinds = [isObject, isForm, isData, hasNoBody, ({ method }: Endpoint) => method === 'GET']
    expect(kinds.filter((is) => is(endpoint))).to.have.lengthOf(1)
  })

  testEndpoints(
    'returns 400 for a body that is no JSON object',
    { filter: isObject, sample: 6 },
    async (endpoint) => {
      for (const { why, body, paths } of invalidBodies.filter(
        (each) => !isOptional(endpoint) || each.body !== '',
      ))
        for (const chunked of [false, true]) {
          const response = await fixture.send(endpoint, { body, chunked })
          if (paths !== null) expectFaults(response, ...paths)
          else {
            expectError(response, 400, 'bad_request')
            expect(response.object['error_description'], why).to.be.a('string').with.length.below(300)
          }
        }
    },
  )

  testEndpoints('accepts a missing body where it is optional', { filter: isOptional }, async (endpoint) => {
    for (const chunked of [false, true]) expectOk(await fixture.send(endpoint, { body: '', chunked }))
    expectOk(await fixture.root(fixture.home.admin.token).send(endpoint.method, fixture.address(endpoint)))
  })

  testEndpoints('returns 400 for a truncated body', { filter: isObject, sample: 6 }, async (endpoint) => {
    const { body = '' } = sampleRequest(endpoint, fixture)
    const text = typeof body === 'string' ? body : ''
    const step = Math.max(1, Math.floor(text.length / 12))
    for (let length = isOptional(endpoint) ? 1 : 0; length < text.length; length += step)
      expectError(await fixture.send(endpoint, { body: text.slice(0, length) }), 400, 'bad_request')
    const description = (await fixture.send(endpoint, { body: '{\n  "a": 1,\n  b\n}' })).object[
      'error_description'
    ]
    expect(description).to.match(/line 3, column 3/)
  })

  testEndpoints(
    'returns 413 for a body over the limit',
    { filter: isObject, sample: 6 },
    async (endpoint) => {
      const { JSON_LIMIT: limit } = limits
      for (const chunked of [false, true])
        for (const body of [' '.repeat(limit + 1), `{"a":"${'x'.repeat(limit)}"}`, '['.repeat(limit + 1)])
          expectError(await fixture.send(endpoint, { body, chunked }), 413, 'too_large')
      const { body = '' } = sampleRequest(endpoint, fixture)
      const filled = String(body).padEnd(limit, ' ')
      if (endpoint.operation === 'changeObject' || endpoint.operation === 'changeSettings')
        for (const chunked of [false, true]) expectOk(await fixture.send(endpoint, { body: filled, chunked }))
    },
  )

  testEndpoints(
    'treats names such as __proto__ like other names',
    { filter: isChecked, sample: 6 },
    async (endpoint) => {
      const names = [
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'valueOf',
        'length',
        '',
        ' ',
        '0',
        'a.b',
      ]
      for (const value of ['null', '7', '{"admin":true}', '[]']) {
        const body = `{${names.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`
        const response = await fixture.send(endpoint, { body, headers: { Prefer: 'handling=strict' } })
        const info = response.object['error_info']
        expectError(response, 400, 'bad_parameters')
        // Old clients send an attribute with an empty name where the body is optional
        // (docs/behaviour/tags.md#taggings).
        for (const name of names.filter((each) => each !== '' || !isOptional(endpoint)))
          expect(info).to.have.own.property(name === '' ? 'body' : name)
        expect(({} as { readonly admin?: unknown }).admin).to.equal(undefined)
      }
    },
  )

  testEndpoints('ignores a byte order mark', { filter: isChecked, sample: 6 }, async (endpoint) => {
    const headers = { Prefer: 'handling=strict' }
    const plain = await fixture.send(endpoint, { headers, body: '{"nobody":7}' })
    const marked = await fixture.send(endpoint, { headers, body: '\ufeff{"nobody":7}' })
    expectStatus(plain, 400)
    expect([marked.status, marked.text]).to.deep.equal([plain.status, plain.text])
  })

  testEndpoints('validates forms', { filter: isForm }, async (endpoint) => {
    for (const body of ['', '&&&', '=', '%zz', '{"token":"x"}'])
      for (const chunked of [false, true])
        expectError(await fixture.send(endpoint, { body, chunked }), 400, 'invalid_request')
    expectError(await fixture.send(endpoint, { body: `x=${'y'.repeat(70_000)}` }), 413, 'too_large')
    for (const charset of ['utf-16', 'nonsense'])
      expectError(
        await fixture.send(endpoint, {
          body: 'x=y',
          headers: { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` },
        }),
        415,
        'unsupported_media_type',
      )
  })

  testEndpoints(
    'validates token requests',
    { filter: ({ id }) => id === 'exchangeToken' },
    async (endpoint) => {
      const valid = 'grant_type=client_credentials&api_key=nobody&api_secret=nothing'
      const incomplete = [
        'grant_type',
        'api_key=x&api_secret=y',
        'grant_type=&api_key=x&api_secret=y',
        'grant_type=client_credentials',
        'grant_type=client_credentials&api_key=x',
        'grant_type=client_credentials&api_key=&api_secret=x',
        'grant_type=client_credentials&api_key[a]=x&api_secret=x',
        'grant_type=client_credentials&api_key[__proto__]=x&api_secret=x',
        'GRANT_TYPE=client_credentials&API_KEY=x&API_SECRET=x',
        `grant_type=client_credentials&api_key${'[a]'.repeat(2000)}=x&api_secret=x`,
        `${valid}&api_key=x`,
        `${valid}&api_secret=nothing`,
        `${valid}&grant_type=client_credentials`,
      ]
      for (const body of incomplete)
        for (const chunked of [false, true])
          expectError(await fixture.send(endpoint, { body, chunked }), 400, 'invalid_request')
      for (const type of [
        'password',
        'CLIENT_CREDENTIALS',
        'client_credentials ',
        'authorization_code',
        '\u0000',
      ])
        expectError(
          await fixture.send(endpoint, {
            body: `grant_type=${encodeURIComponent(type)}&api_key=x&api_secret=y`,
          }),
          400,
          'unsupported_grant_type',
        )
      const invalidTexts = [
        '%00',
        '%FF',
        '%C0%AF',
        '%',
        '%zz',
        'ü',
        "' OR 1=1 --",
        '../x',
        'x'.repeat(5000),
        '😀',
      ]
      for (const text of invalidTexts)
        expectError(
          await fixture.send(endpoint, {
            body: `grant_type=client_credentials&api_key=${text}&api_secret=${text}`,
          }),
          401,
          'invalid_client',
        )
    },
  )

  testEndpoints(
    'returns 413 for data over the limit and stores nothing',
    { filter: isData },
    async (endpoint) => {
      const limitsByType = {
        'image/png': limits.IMAGE_LIMIT,
        'audio/mpeg': limits.AUDIO_LIMIT,
        'text/plain': limits.OTHER_LIMIT,
      }
      for (const [type, limit] of Object.entries(limitsByType))
        for (const chunked of [false, true]) {
          const body = Buffer.alloc(limit + 1)
          const response = await fixture.send(endpoint, { body, chunked, headers: { 'Content-Type': type } })
          expectError(response, 413, 'too_large')
        }
      for (const encoding of ['gzip', 'br', 'x', 'gzip, gzip', ' '])
        expectError(
          await fixture.send(endpoint, { body: 'x', headers: { 'Content-Encoding': encoding } }),
          415,
          'unsupported_media_type',
        )
    },
  )

  testEndpoints(
    'ignores a body where none is expected',
    { filter: hasNoBody, sample: 10 },
    async (endpoint) => {
      for (const body of ['{', '[]', 'x'.repeat(limits.JSON_LIMIT + 1)]) {
        const path = fixture.address(endpoint, { uuid: '00000000-0000-4000-8000-000000000000' })
        const response = await fixture.root(fixture.home.admin.token).send(endpoint.method, path, { body })
        expectStatus(response, statusOf(endpoint, 404))
      }
    },
  )
})
