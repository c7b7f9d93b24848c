/** docs/sign-in.md: how browsers sign in with a real provider of OpenID Connect. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectOk, expectStatus, itemsOf, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api, type ApiResponse } from '../harness/http-client.js'
import { startIdentityProvider, type TestProvider } from '../harness/identity-provider.js'
import { cookieOf, fromPage, inSession, password, setUpPerson } from '../harness/people.js'
import { accountCombinations, startTestService, type TestService } from '../harness/start-test-service.js'

const base = 'https://cms.example.org'

const people = {
  eve: { name: 'Eve', email: 'eve@example.org', email_verified: true, groups: ['editors'] },
  mallory: { name: 'Mallory', email: 'ada@example.org', email_verified: false },
  ada: { name: 'Ada', email: 'Ada@example.org', email_verified: true },
  chief: { name: 'Chief', email: 'chief@example.org', email_verified: true, groups: ['editors'] },
}

for (const { name, environment } of accountCombinations)
  describe(`a browser that signs in with a provider, on ${name}`, () => {
    let provider: TestProvider
    let service: TestService
    let browser: Api
    let operator: Api
    const start = async (unknown: string): Promise<void> => {
      provider = await startIdentityProvider(base, people)
      service = await startTestService({
        ...environment,
        ...provider.environment,
        OIDC_BUTTON: 'Sign in with Example',
        OIDC_ROLES: 'groups:editors=1/editor',
        OIDC_UNKNOWN: unknown,
      })
      browser = createApi(service.url)
      operator = createApi(service.url, await service.operatorToken())
    }
    const stop = async (): Promise<void> => {
      provider.stop()
      await service.stop()
    }

    const locationOf = (response: ApiResponse): string => String(expectStatus(response, 302).headers.location)
    const failed = (error: string): string => `${base}/dashboard/#/sign-in?error=${error}`

    /** The request with which the browser of a person comes back, that of the provider included. */
    const comeBack = async (person: string, to = '/', cookie?: string) => {
      const headers = cookie === undefined ? {} : { Cookie: cookie, ...fromPage }
      const begun = await browser.get(`/sign-in/provider?to=${encodeURIComponent(to)}`, headers)
      const returned = await provider.signIn(locationOf(begun), person)
      expect(returned.startsWith(`${base}/`)).to.equal(true)
      const path = returned.slice(base.length)
      return { path, cookie: cookieOf(begun), crossSite: { 'Sec-Fetch-Site': 'cross-site' } }
    }
    const signIn = async (person: string, to?: string, session?: string): Promise<ApiResponse> => {
      const { path, cookie, crossSite } = await comeBack(person, to, session)
      return browser.get(path, { Cookie: cookie, ...crossSite })
    }
    const me = async (response: ApiResponse) =>
      expectOk(await browser.get('/me', inSession(cookieOf(response))))
    const usersNamed = async (of: string) =>
      itemsOf(await operator.get('/users?fields=name&rpp=100')).filter((row) => String(row).includes(of))

    describe('where people get an account', () => {
      before(() => start('create'))
      after(stop)

      it('gets one user for two sign-ins at once, with the roles of its claims', async () => {
        const begun = [await comeBack('eve'), await comeBack('eve')]
        const both = await Promise.all(
          begun.map(({ path, cookie, crossSite }) => browser.get(path, { Cookie: cookie, ...crossSite })),
        )
        const [one, other] = (await Promise.all(both.map(me))).map(({ object }) => object)
        expect(one?.['uuid']).to.equal(other?.['uuid'])
        expect(await usersNamed('Eve')).to.have.length(1)
        expect(JSON.stringify(one)).to.include('editor')
      })

      it('comes back to the dashboard with a session in place of its own, and ends it at the provider too', async () => {
        expect((await browser.get('/sign-in')).object).to.include({ provider: 'Sign in with Example' })
        const { cookie } = await setUpPerson(service, operator)
        const ended = await signIn('eve', '/1/content', cookie)
        expect(locationOf(ended)).to.equal(`${base}/dashboard/#/1/content`)
        expect(cookieOf(ended)).to.match(/^__Host-/)
        expect((await me(ended)).object).to.include({ name: 'Eve' })
        service.clock.advance(5000)
        expectStatus(await browser.get('/me', inSession(cookie)), 401)
        const out = expectOk(await browser.post('/sign-out', null, inSession(cookieOf(ended)))).object
        const address = new URL(String(out['provider_url']))
        expect((await fetch(address)).status).to.equal(200)
        expect(address.searchParams.get('post_logout_redirect_uri')).to.equal(`${base}/dashboard`)
      })

      it('follows no other address, and is accepted once, in the browser that has begun', async () => {
        const { path, cookie } = await comeBack('eve', '//evil.example')
        expect(locationOf(await browser.get(path))).to.equal(failed('provider_expired'))
        expect(locationOf(await browser.get(path, { Cookie: cookie }))).to.equal(`${base}/dashboard/#/`)
        expect(locationOf(await browser.get(path, { Cookie: cookie }))).to.equal(failed('provider_expired'))
        expect(locationOf(await browser.get('/sign-in/provider/callback'))).to.equal(
          failed('provider_expired'),
        )
      })

      it('signs in in two tabs, and an error in one tab leaves the other as it is', async () => {
        const tabs = [await comeBack('eve', '/content'), await comeBack('eve', '/files')]
        const wrong = await comeBack('eve')
        const all = [...tabs, wrong].map(({ cookie }) => cookie).join('; ')
        const refused = await browser.get(wrong.path.replace(/code=[^&]*/, 'code=another'), { Cookie: all })
        expect(locationOf(refused)).to.equal(failed('provider_refused'))
        const [ownName] = wrong.cookie.split('=')
        expect(
          [refused.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split('=')[0]),
        ).to.deep.equal([ownName])
        const ended = []
        for (const { path } of tabs) ended.push(locationOf(await browser.get(path, { Cookie: all })))
        expect(ended).to.deep.equal([`${base}/dashboard/#/content`, `${base}/dashboard/#/files`])
      })

      it('shows that the provider is unavailable or has refused, and signs in afterwards', async () => {
        const { path, cookie } = await comeBack('eve')
        provider.isAway = true
        expect(locationOf(await browser.get(path, { Cookie: cookie }))).to.equal(
          failed('provider_unavailable'),
        )
        provider.isAway = false
        const again = await comeBack('eve')
        const wrong = again.path.replace(/code=[^&]*/, 'code=another')
        expect(locationOf(await browser.get(wrong, { Cookie: again.cookie }))).to.equal(
          failed('provider_refused'),
        )
        await me(await signIn('eve'))
      })
    })

    // What the rule for unknown people says does not depend on the store, and servers take long to start.
    if (environment['STORE'] !== 'sqlite') return
    describe('where accounts have the address that the provider has verified', () => {
      before(() => start('match-email'))
      after(stop)

      it('gets the account with its address, and is refused otherwise', async () => {
        const uuid = uuidOf(await operator.post('/users', { name: 'Ada A.', email: 'ada@example.org' }))
        for (const person of ['eve', 'mallory'])
          expect(locationOf(await signIn(person))).to.equal(failed('account_unknown'))
        expect((await me(await signIn('ada'))).object).to.include({ name: 'Ada A.' })
        expectOk(await operator.patch(`/users/${uuid}`, { disabled: true }))
        expect(locationOf(await signIn('ada'))).to.equal(failed('account_disabled'))
      })

      it('gives nobody rights who has typed the address of somebody else', async () => {
        const chief = 'chief@example.org'
        const roles = [{ instance: 1, roles: ['contributor'] }]
        const uuid = uuidOf(await operator.post('/users', { name: 'Mallory', email: 'm@example.org', roles }))
        const { url } = expectOk(await operator.post(`/users/${uuid}/link`, null)).object
        const token = String(url).split('/').at(-1) ?? ''
        const own = { password }
        const session = cookieOf(expectOk(await browser.post('/sign-in/link/use', { token, ...own })))
        const key = expectOk(await operator.post(`/users/${uuid}/keys`, {})).object
        const rolesIn = async (cookie: string) =>
          JSON.stringify(expectOk(await browser.get('/me', inSession(cookie))).object['items'])
        expectOk(await browser.patch('/account', { email: chief }, inSession(session)))
        expect(locationOf(await signIn('chief'))).to.equal(failed('account_unknown'))
        expect(await rolesIn(session))
          .to.include('contributor')
          .and.not.to.include('editor')
        expectOk(await operator.patch(`/users/${uuid}`, { email_confirmed: true }))
        const found = await signIn('chief')
        expect((await me(found)).object).to.include({ uuid })
        expect(await rolesIn(cookieOf(found))).to.include('editor')
        service.clock.advance(5000)
        expectStatus(await browser.get('/me', inSession(session)), 401)
        expectStatus(await browser.post('/sign-in/password', { email: chief, ...own }), 401)
        expectStatus(
          await browser.post('/sign-in/key', {
            api_key: String(key['api_key']),
            api_secret: String(key['api_secret']),
          }),
          401,
        )
      })
    })
  })
