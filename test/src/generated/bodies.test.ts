/**
 * Bodies that can't be read, at every endpoint that takes one: syntax, encodings, depth, size
 * (docs/behaviour/wire.md#request-bodies, docs/behaviour/errors.md, docs/behaviour/files.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectFaults, expectOk, expectStatus } from '../harness/expect-answer.js'
import type { Answer, RequestOptions } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { limits, onUntouchedStage, type Stage } from './stage.js'
import { walkEndpoints } from './walk.js'
import { wrongTexts } from './wrong-texts.js'

const isObject = ({ body }: Endpoint): boolean => body === 'object' || body === 'optional object'
const isOptional = ({ body }: Endpoint): boolean => body === 'optional object'
const isForm = ({ body }: Endpoint): boolean => body === 'form'
const isData = ({ body }: Endpoint): boolean => body === 'data'
const isNone = ({ body, method }: Endpoint): boolean => body === 'none' && method !== 'GET'

describe('bodies that can’t be read', () => {
  let stage: Stage
  let untouched: Readonly<Record<string, string>>
  onUntouchedStage((set, snapshot) => {
    stage = set
    untouched = snapshot
  })

  const send = (endpoint: Endpoint, options: RequestOptions): Promise<Answer> => {
    const { headers } = sampleRequest(endpoint, stage)
    return stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint), {
      ...options,
      headers: { ...headers, ...options.headers },
    })
  }

  walkEndpoints('is every endpoint here, by what it takes', {}, async (endpoint) => {
    const kinds = [isObject, isForm, isData, isNone, ({ method }: Endpoint) => method === 'GET']
    expect(kinds.filter((is) => is(endpoint))).to.have.lengthOf(1)
  })

  walkEndpoints('no JSON object', { about: isObject, sample: 10 }, async (endpoint) => {
    for (const { why, body, paths } of wrongTexts.filter((each) => !isOptional(endpoint) || each.body !== ''))
      for (const chunked of [false, true]) {
        const answer = await send(endpoint, { body, chunked })
        if (paths !== null) expectFaults(answer, ...paths)
        else {
          expectError(answer, 400, 'bad_request')
          expect(answer.object['error_description'], why).to.be.a('string').with.length.below(300)
        }
      }
    expect(await stage.snapshot()).to.deep.equal(untouched)
  })

  walkEndpoints('no body where one may be left out', { about: isOptional }, async (endpoint) => {
    for (const chunked of [false, true]) expectOk(await send(endpoint, { body: '', chunked }))
    expectOk(await stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint)))
  })

  walkEndpoints(
    'a right body that breaks off anywhere',
    { about: isObject, sample: 10 },
    async (endpoint) => {
      const { body = '' } = sampleRequest(endpoint, stage)
      const text = typeof body === 'string' ? body : ''
      const step = Math.max(1, Math.floor(text.length / 12))
      for (let length = isOptional(endpoint) ? 1 : 0; length < text.length; length += step)
        expectError(await send(endpoint, { body: text.slice(0, length) }), 400, 'bad_request')
      const description = (await send(endpoint, { body: '{\n  "a": 1,\n  b\n}' })).object['error_description']
      expect(description).to.match(/line 3, column 3/)
    },
  )

  walkEndpoints('larger than the limit: 413', { about: isObject, sample: 10 }, async (endpoint) => {
    const { JSON_LIMIT: limit } = limits
    for (const chunked of [false, true])
      for (const body of [' '.repeat(limit + 1), `{"a":"${'x'.repeat(limit)}"}`, '['.repeat(limit + 1)])
        expectError(await send(endpoint, { body, chunked }), 413, 'too_large')
    const { body = '' } = sampleRequest(endpoint, stage)
    const filled = String(body).padEnd(limit, ' ')
    if (endpoint.operation === 'changeObject' || endpoint.operation === 'changeSettings')
      for (const chunked of [false, true]) expectOk(await send(endpoint, { body: filled, chunked }))
    expect(await stage.snapshot()).to.deep.equal(untouched)
  })

  walkEndpoints(
    'names that objects inherit are names like others',
    { about: isObject, sample: 10 },
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
        const answer = await send(endpoint, { body, headers: { Prefer: 'handling=strict' } })
        const told = answer.object['error_info']
        expectError(answer, 400, 'bad_parameters')
        // Old clients send an attribute without a name where a body may be left out (docs/behaviour/tags.md#taggings).
        for (const name of names.filter((each) => each !== '' || !isOptional(endpoint)))
          expect(told).to.have.own.property(name === '' ? 'body' : name)
        expect(({} as { readonly admin?: unknown }).admin).to.equal(undefined)
      }
      expect(await stage.snapshot()).to.deep.equal(untouched)
    },
  )

  walkEndpoints(
    'a byte order mark before right JSON is no part of it',
    { about: isObject, sample: 10 },
    async (endpoint) => {
      const headers = { Prefer: 'handling=strict' }
      const plain = await send(endpoint, { headers, body: '{"nobody":7}' })
      const marked = await send(endpoint, { headers, body: '\ufeff{"nobody":7}' })
      expectStatus(plain, 400)
      expect([marked.status, marked.text]).to.deep.equal([plain.status, plain.text])
    },
  )

  walkEndpoints('forms', { about: isForm }, async (endpoint) => {
    const right = 'grant_type=client_credentials&api_key=nobody&api_secret=nothing'
    const incomplete = [
      '',
      '&&&',
      '=',
      'grant_type',
      '%zz',
      'api_key=x&api_secret=y',
      'grant_type=&api_key=x&api_secret=y',
      'grant_type=client_credentials',
      'grant_type=client_credentials&api_key=x',
      'grant_type=client_credentials&api_key=&api_secret=x',
      'grant_type=client_credentials&api_key[a]=x&api_secret=x',
      'grant_type=client_credentials&api_key[__proto__]=x&api_secret=x',
      'GRANT_TYPE=client_credentials&API_KEY=x&API_SECRET=x',
      `grant_type=client_credentials&api_key${'[a]'.repeat(2000)}=x&api_secret=x`,
      `${right}&api_key=x`,
      `${right}&api_secret=nothing`,
      `${right}&grant_type=client_credentials`,
      '{"grant_type":"client_credentials"}',
    ]
    for (const body of incomplete)
      for (const chunked of [false, true])
        expectError(await send(endpoint, { body, chunked }), 400, 'invalid_request')
    for (const type of [
      'password',
      'CLIENT_CREDENTIALS',
      'client_credentials ',
      'authorization_code',
      '\u0000',
    ])
      expectError(
        await send(endpoint, { body: `grant_type=${encodeURIComponent(type)}&api_key=x&api_secret=y` }),
        400,
        'unsupported_grant_type',
      )
    expectError(await send(endpoint, { body: `${right}&x=${'y'.repeat(70_000)}` }), 413, 'too_large')
    const strange = ['%00', '%FF', '%C0%AF', '%', '%zz', 'ü', "' OR 1=1 --", '../x', 'x'.repeat(5000), '😀']
    for (const text of strange)
      expectError(
        await send(endpoint, { body: `grant_type=client_credentials&api_key=${text}&api_secret=${text}` }),
        401,
        'invalid_client',
      )
    for (const charset of ['utf-16', 'nonsense'])
      expectError(
        await send(endpoint, {
          body: right,
          headers: { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` },
        }),
        415,
        'unsupported_media_type',
      )
  })

  walkEndpoints('data larger than its limit: 413, and nothing kept', { about: isData }, async (endpoint) => {
    const over = {
      'image/png': limits.IMAGE_LIMIT,
      'audio/mpeg': limits.AUDIO_LIMIT,
      'text/plain': limits.OTHER_LIMIT,
    }
    for (const [type, limit] of Object.entries(over))
      for (const chunked of [false, true]) {
        const body = Buffer.alloc(limit + 1)
        const answer = await send(endpoint, { body, chunked, headers: { 'Content-Type': type } })
        expectError(answer, 413, 'too_large')
      }
    for (const encoding of ['gzip', 'br', 'x', 'gzip, gzip', ' '])
      expectError(
        await send(endpoint, { body: 'x', headers: { 'Content-Encoding': encoding } }),
        415,
        'unsupported_media_type',
      )
  })

  walkEndpoints('a body where none is taken is not looked at', { about: isNone }, async (endpoint) => {
    for (const body of ['{', '[]', 'x'.repeat(limits.JSON_LIMIT + 1)]) {
      const path = stage.address(endpoint, { uuid: '00000000-0000-4000-8000-000000000000' })
      const answer = await stage.root(stage.home.admin.token).send(endpoint.method, path, { body })
      expectStatus(answer, 404)
    }
  })
})
