/** docs/behaviour/accounts.md: how people sign in, over HTTP. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { signInEndpoints } from '@publishing-service/http-contract'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi, type Api, type ApiResponse } from '../harness/http-client.js'
import { cookieOf, fromPage, inSession, password, setUpPerson } from '../harness/people.js'
import { accountCombinations, startTestService, type TestService } from '../harness/start-test-service.js'

for (const { name, environment } of accountCombinations)
  describe(`people who sign in, on ${name}`, () => {
    let service: TestService
    let visitor: Api
    let operator: Api
    before(async () => {
      service = await startTestService(environment)
      visitor = createApi(service.url)
      operator = createApi(service.url, await service.operatorToken())
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const sent = (path: string, body: Json, headers = {}): Promise<ApiResponse> =>
      visitor.post(path, body, headers)
    const setUp = () => setUpPerson(service, operator)

    it('have a cookie that scripts and other sites cannot use', async () => {
      const { cookie, used } = await setUp()
      expect(String(used.headers['set-cookie'])).to.include('HttpOnly').and.to.include('SameSite=Lax')
      const me = (headers: Readonly<Record<string, string>>) => visitor.get('/me', headers)
      const session = { Cookie: cookie, Authorization: 'Session' }
      expectOk(await me(inSession(cookie)))
      expectOk(await me({ ...session, Origin: service.url }))
      // Browsers send neither header with a read of the same origin without TLS.
      expectOk(await me(session))
      expectError(await visitor.patch('/account', { language: 'de' }, session), 401, 'invalid_token')
      const refused: readonly Readonly<Record<string, string>>[] = [
        { ...session, 'Sec-Fetch-Site': 'cross-site' },
        { ...session, 'Sec-Fetch-Site': 'same-site' },
        { ...session, 'Sec-Fetch-Site': 'none' },
        { ...session, 'Sec-Fetch-Site': 'cross-site', Origin: service.url },
        { ...session, Origin: 'https://evil.example' },
        { ...session, Origin: 'null' },
        inSession(`${cookie}; ${cookie}`),
        { Authorization: `Bearer ${cookie.split('=')[1] ?? ''}` },
      ]
      for (const headers of refused) expectError(await me(headers), 401, 'invalid_token')
      expectError(await me({ Cookie: cookie, ...fromPage }), 401, 'unauthorized')
    })

    it('are signed in and out by pages of the service and by programs only', async () => {
      const { email } = await setUp()
      const own = [{}, fromPage, { Origin: service.url }, { ...fromPage, Origin: 'https://proxied.example' }]
      const other: readonly Readonly<Record<string, string>>[] = [
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: service.url },
        { Origin: 'http://127.0.0.1:1' },
        { Origin: 'null' },
      ]
      for (const headers of own) expectOk(await sent('/sign-in/password', { email, password }, headers))
      for (const { path, method } of Object.values(signInEndpoints))
        for (const headers of method === 'POST' ? other : []) {
          const refused = await sent(path, { email, password }, headers)
          expect(expectError(refused, 403, 'forbidden').headers, path).not.to.have.property('set-cookie')
        }
      const undeclared = await visitor.send('POST', '/sign-in/password', {
        body: JSON.stringify({ email, password }),
      })
      expectError(undeclared, 415, 'unsupported_media_type')
      expect(undeclared.headers).not.to.have.property('set-cookie')
    })

    it('have a new token at each sign-in, and none after they have signed out', async () => {
      const { email, cookie } = await setUp()
      const again = await sent('/sign-in/password', { email, password }, { Cookie: cookie, ...fromPage })
      const second = cookieOf(expectOk(again), 'session')
      expect(second).not.to.equal(cookie)
      expectStatus(await visitor.get('/me', inSession(cookie)), 401)
      expectOk(await visitor.get('/me', inSession(second)))
      const out = expectOk(await sent('/sign-out', null, { Cookie: second, ...fromPage }))
      expect(String(out.headers['set-cookie'])).to.include('Max-Age=0')
      expectStatus(await visitor.get('/me', inSession(second)), 401)
    })

    it('sign in anew after they were disabled and enabled again, and so do their programs', async () => {
      const { uuid, email, cookie } = await setUp()
      const key = expectOk(await operator.post(`/users/${uuid}/keys`, {})).object
      const exchange = () =>
        visitor.send('POST', '/oauth/token', {
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            api_key: String(key['api_key']),
            api_secret: String(key['api_secret']),
          }).toString(),
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        })
      const program = createApi(service.url, String(expectOk(await exchange()).object['access_token']))
      const link = expectOk(await operator.post(`/users/${uuid}/link`, null)).object
      expectOk(await program.get('/me'))
      expectOk(await operator.patch(`/users/${uuid}`, { disabled: true }))
      expectOk(await operator.patch(`/users/${uuid}`, { disabled: false }))
      service.clock.advance(5000)
      expectError(await visitor.get('/me', inSession(cookie)), 401, 'invalid_token')
      expectError(await program.get('/me'), 401, 'invalid_token')
      const token = String(link['url']).split('/').at(-1) ?? ''
      expectError(await sent('/sign-in/link', { token }), 410, 'link_invalid')
      expectOk(await sent('/sign-in/password', { email, password }))
      expectOk(await exchange())
    })

    it('have a cookie of their browser, in which they sign in while others fail at its address', async () => {
      const { email } = await setUp()
      const signIn = (chosen: string, headers = {}) =>
        sent('/sign-in/password', { email, password: chosen }, headers)
      const signedIn = expectOk(await signIn(password))
      for (const cookie of [signedIn.headers['set-cookie'] ?? []].flat())
        expect(cookie).to.include('HttpOnly').and.to.include('SameSite=Lax')
      for (let count = 0; count < 10; count += 1) expectStatus(await signIn('another password'), 401)
      expectError(await signIn(password), 429, 'too_many_requests')
      expectOk(await signIn(password, { Cookie: cookieOf(signedIn, 'browser') }))
    })

    it('are asked for a passkey of the host of the service, and refused with a malformed one', async () => {
      const { cookie } = await setUp()
      const { hostname } = new URL(service.url)
      const { options } = expectOk(await sent('/sign-in/passkey/options', null)).object
      expect(options).to.include({ rpId: hostname, userVerification: 'required' })
      const created = await sent('/account/passkeys/options', null, inSession(cookie))
      const { challenge, rp } = expectOk(created).object['options'] as JsonObject
      expect(rp).to.include({ id: hostname })
      const data = { challenge: challenge ?? null, type: 'webauthn.create', origin: service.url }
      const clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url')
      const answer = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON } }
      const add = await sent('/account/passkeys', { title: 'a key', answer }, inSession(cookie))
      expectError(add, 400, 'bad_parameters')
      expectError(await sent('/sign-in/passkey', { answer }), 401, 'sign_in_failed')
    })
  })
