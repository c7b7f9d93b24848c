/** docs/behaviour/errors.md: every row of the problem table is reached, with its status, code, headers and body. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import type { ProblemTag } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import type { Json } from '@publishing-service/domain/json'
import { endpoints, isProblemTag, problemTable } from '@publishing-service/http-contract'
import type { DocumentStore, PortFailure } from '@publishing-service/ports'
import { expectError, expectFaults, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { moduleProviding, startTestService, type TestService } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'
import { declaredCauses, sendForm, type Cause } from './declared-causes.js'

const failure: PortFailure = { _tag: 'PortFailure', part: 'document store', reason: 'secret-host is down' }

/** A document store that a test can make unreachable, full, or defective. */
const fragileStore = () => {
  const inner = memoryDocumentStore(collections)
  let state: 'available' | 'unreachable' | 'full' | 'broken' = 'available'
  const store: DocumentStore = {
    ...inner,
    get: (...parameters) => {
      if (state === 'broken') throw new Error('a defect, with secrets')
      return state === 'unreachable' ? TE.left(failure) : inner.get(...parameters)
    },
    find: (...parameters) => (state === 'unreachable' ? TE.left(failure) : inner.find(...parameters)),
    write: (...parameters) =>
      state === 'full' ? TE.left({ ...failure, storageFull: true }) : inner.write(...parameters),
    check: () => (state === 'unreachable' ? TE.left(failure) : inner.check()),
  }
  return { store, become: (next: typeof state) => void (state = next) }
}

describe('errors', () => {
  const fragile = fragileStore()
  let service: TestService
  let home: Publication
  before(async () => {
    service = await startTestService(
      { JSON_LIMIT: '1000', JSON_SECONDS: '1' },
      { documents: moduleProviding(tokens.documents, fragile.store), ...unscaled },
    )
    home = await createPublication(service)
  })
  after(() => service.stop())

  const sendWhile = async (
    state: 'unreachable' | 'full' | 'broken',
    send: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> => {
    fragile.become(state)
    try {
      return await send()
    } finally {
      fragile.become('available')
    }
  }

  /** A request that reaches each problem that no operation declares. */
  const requests: { readonly [T in ProblemTag]?: Cause } = {
    BadParameters: () => home.reader.get('/content?rpp=0'),
    BadRequest: () => home.editor.send('POST', '/content', { body: '{' }),
    Unauthorized: () => home.anonymous.get('/content'),
    InvalidToken: () => home.anonymous.get('/content', { Authorization: 'Bearer x' }),
    Forbidden: () => home.reader.post('/content', {}),
    NotFound: () => home.reader.get(`/content/${randomUUID()}`),
    MethodNotAllowed: () => home.admin.put('/content', {}),
    NotAcceptable: () => home.reader.get('/content', { Accept: 'text/html' }),
    RequestTimeout: () => home.editor.send('POST', '/content', { body: '{', isUnfinished: true }),
    Gone: () => home.reader.get('/slideshows'),
    PreconditionFailed: () => home.admin.patch('/settings', {}, { 'If-Match': '"x"' }),
    TooLarge: () => home.editor.post('/content', { title: 'x'.repeat(1000) }),
    UnsupportedMediaType: () => home.editor.post('/content', {}, { 'Content-Type': 'text/plain' }),
    RangeNotSatisfiable: async () => {
      const { download } = await storeFile(home.editor, {
        mimetype: 'text/plain',
        data: Buffer.from('12345'),
      })
      return home.reader.get(download, { Range: 'bytes=5-' })
    },
    TooManyRequests: async () => {
      const guess = () =>
        sendForm(service, '/oauth/token', {
          grant_type: 'client_credentials',
          api_key: 'guessed',
          api_secret: 'x',
        })
      for (let count = 0; count < 10; count += 1) expectStatus(await guess(), 401)
      return guess()
    },
    Unavailable: () =>
      sendWhile('unreachable', () => home.reader.get('/content', { 'Cache-Control': 'no-cache' })),
    InsufficientStorage: () =>
      sendWhile('full', () => home.editor.post('/blogs', { title: 'x', urlname: randomUUID() })),
    InternalError: () => sendWhile('broken', () => home.reader.get(`/content/${randomUUID()}`)),
  }

  const expected: { readonly [T in ProblemTag]: readonly [number, string] } = {
    BadParameters: [400, 'bad_parameters'],
    BadRequest: [400, 'bad_request'],
    InvalidTokenRequest: [400, 'invalid_request'],
    UnsupportedGrantType: [400, 'unsupported_grant_type'],
    InvalidClient: [401, 'invalid_client'],
    SignInFailed: [401, 'sign_in_failed'],
    SecondFactorNeeded: [401, 'second_factor_needed'],
    LinkInvalid: [410, 'link_invalid'],
    Unauthorized: [401, 'unauthorized'],
    InvalidToken: [401, 'invalid_token'],
    Forbidden: [403, 'forbidden'],
    NotFound: [404, 'not_found'],
    MethodNotAllowed: [405, 'method_not_allowed'],
    NotAcceptable: [406, 'not_acceptable'],
    RequestTimeout: [408, 'request_timeout'],
    InUse: [409, 'in_use'],
    TooManyKeys: [409, 'too_many_keys'],
    Gone: [410, 'gone'],
    CursorExpired: [410, 'cursor_expired'],
    PreconditionFailed: [412, 'precondition_failed'],
    DraftConflict: [412, 'draft_conflict'],
    TooLarge: [413, 'too_large'],
    UnsupportedMediaType: [415, 'unsupported_media_type'],
    RangeNotSatisfiable: [416, 'range_not_satisfiable'],
    TooManyRequests: [429, 'too_many_requests'],
    Unavailable: [503, 'unavailable'],
    InsufficientStorage: [507, 'insufficient_storage'],
    InternalError: [500, 'internal_error'],
  }

  const reached = new Set<string>()
  const expectProblem = async (tag: ProblemTag, cause: Cause): Promise<ApiResponse> => {
    const [status, code] = expected[tag]
    const response = expectError(await cause(), status, code)
    reached.add(tag)
    expect(response.object['error_uri']).to.equal(`${service.url}/docs/errors#${code}`)
    expect(response.object['error_description']).to.be.a('string')
    expect(response.headers['cache-control']).to.equal('no-store')
    if (status === 401) expect(response.headers['www-authenticate']).to.match(/^Bearer /)
    if (status === 416) expect(response.headers['content-range']).to.equal('bytes */5')
    if ([429, 503, 507].includes(status)) expect(Number(response.headers['retry-after'])).to.be.within(1, 60)
    if (status >= 500) expect(response.text).not.to.match(/secret|defect, with|down/)
    return response
  }

  for (const tag of Object.keys(requests).filter(isProblemTag)) {
    const [status, code] = expected[tag]
    // docs/behaviour/errors.md#bad-request, docs/behaviour/errors.md#unauthorized,
    // docs/behaviour/errors.md#forbidden, docs/behaviour/errors.md#not-found,
    // docs/behaviour/errors.md#retry
    it(`returns ${status} ${code}`, async () => {
      const response = await expectProblem(tag, async () => requests[tag]?.() ?? expect.fail(tag))
      if (status === 405) expect(response.headers.allow).to.equal('GET, HEAD, POST, OPTIONS')
    })
  }

  for (const { id, fails = {} } of endpoints)
    for (const tag of Object.keys(fails).filter(isProblemTag))
      if (fails[tag] === true)
        it(`returns ${expected[tag][1]} at ${id}, which declares it`, () =>
          expectProblem(tag, async () => {
            const cause = declaredCauses(service, home)[id]?.[tag]
            return cause === undefined ? expect.fail(`no request causes ${tag} at ${id}`) : cause()
          }))

  it('returns at each endpoint no more of these than its operation declares', () => {
    for (const [id, causes] of Object.entries(declaredCauses(service, home))) {
      const { fails = {} } = endpoints.find((endpoint) => endpoint.id === id) ?? {}
      for (const tag of Object.keys(causes).filter(isProblemTag))
        expect(fails[tag], `${tag} at ${id}`).to.equal(true)
    }
  })

  it('reaches every row of the problem table', () => {
    expect([...reached]).to.have.members(Object.keys(problemTable))
  })

  // docs/behaviour/errors.md#body
  it('links error_uri to a page that explains every code', async () => {
    const page = expectOk(await createApi(service.url).get('/docs/errors'))
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
    for (const { error, status } of Object.values(problemTable))
      expect(page.text).to.match(new RegExp(`id="${error}"[^]*${status}`))
  })

  // docs/behaviour/wire.md#health
  it('returns 503 on health/ready while a store is out of reach, and 200 on health/live', async () => {
    const root = createApi(service.url)
    expectError(await sendWhile('unreachable', () => root.get('/health/ready')), 503, 'unavailable')
    expectOk(await sendWhile('unreachable', () => root.get('/health/live')))
    expectOk(await root.get('/health/ready'))
  })

  // docs/behaviour/errors.md#defects
  it('sends the request id with a 500, and logs it with the reason', async () => {
    const response = await sendWhile('broken', () =>
      home.reader.get(`/content/${randomUUID()}`, { 'X-Request-Id': 'the-defect' }),
    )
    expect(response.headers['x-request-id']).to.equal('the-defect')
    const logged = service.errorsLogged().find(({ fields }) => fields['clientRequest'] === 'the-defect')
    expect(String(logged?.fields['reason'])).to.include('a defect, with secrets')
  })

  // docs/behaviour/errors.md#gone
  it('returns 410 below /slideshows for every method, and names slots', async () => {
    for (const path of [
      '/slideshows',
      '/slideshows/',
      `/slideshows/${randomUUID()}`,
      `/slideshows/${randomUUID()}/slides`,
    ])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD']) {
        const response = expectError(await home.admin.send(method, path), 410, 'gone')
        if (method !== 'HEAD') expect(response.object['error_description']).to.match(/slots/)
      }
  })

  // docs/behaviour/errors.md#taken-names
  it('reports a taken urlname with the messages that deployed clients compare', async () => {
    const takenMessage = async (
      path: string,
      body: Readonly<Record<string, Json>>,
    ): Promise<string | undefined> => {
      expectOk(await home.admin.post(path, body))
      return expectFaults(await home.admin.post(path, body), 'urlname')['urlname']
    }
    const parent = uuidOf(await home.admin.post('/sections', { title: 'x', urlname: 'parent' }))
    const article = { content_type: 'article', title: 'x', urlname: 'y' }
    expect(await takenMessage('/sections', { title: 'x', urlname: 'x' })).to.equal(
      'urlname not unique within parent section',
    )
    expect(await takenMessage('/sections', { title: 'x', urlname: 'x', parent_uuid: parent })).to.equal(
      'urlname not unique within parent section',
    )
    expect(await takenMessage('/content', article)).to.equal('urlname not unique within section')
    expect(await takenMessage('/content', { ...article, section_uuid: parent })).to.equal(
      'urlname not unique within section',
    )
    expect(
      await takenMessage('/content', {
        ...article,
        content_type: 'event',
        urlname: 'z',
        dtstart: '2026-01-01',
      }),
    ).to.equal('urlname must be unique for events')
  })
})
