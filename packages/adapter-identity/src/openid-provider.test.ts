import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { openidProvider } from './openid-provider.js'

const callback = 'https://cms.example.org/sign-in/provider/callback'
const client = { clientId: 'cms', clientSecret: 'a secret with : and /', scopes: 'openid profile email' }

const servers: Server[] = []

const listen = async (server: Server): Promise<string> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const right = async <A>(call: TaskEither<unknown, A>): Promise<A> => {
  const result = await call()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** How a call failed; null if it did not. */
const failure = async (call: TaskEither<{ readonly _tag: string }, unknown>): Promise<string | null> => {
  const result = await call()
  return E.isLeft(result) ? result.left._tag : null
}

type Key = { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }

const newKey = (id: string): Key => ({ id, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })
const [firstKey, secondKey] = [newKey('first'), newKey('second')]

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const tokenOf = (claims: JsonObject, { id, privateKey }: Key): string => {
  const signed = `${encoded({ alg: 'RS256', kid: id })}.${encoded(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

type Response = readonly [status: number, body: JsonObject]

/** A provider that answers what a test wants. */
const scriptedProvider = async (options: { readonly timeout?: number } = {}) => {
  const script = {
    key: firstKey,
    published: [firstKey],
    metadata: {} as Readonly<Record<string, unknown>>,
    /** Claims of the ID token in place of the right ones. */
    claims: {} as JsonObject,
    information: { sub: 'ada' } as JsonObject,
    nonce: '',
    failing: {} as Readonly<Record<string, Response>>,
    silent: false,
    requests: [] as string[],
    authorization: '',
    form: new URLSearchParams(),
  }
  const now = () => Math.floor(Date.now() / 1000)
  const answers: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/me`,
      ...script.metadata,
    }),
    '/token': () => ({
      access_token: 'access',
      token_type: 'bearer',
      id_token: tokenOf(
        {
          iss: issuer,
          sub: 'ada',
          aud: 'cms',
          iat: now(),
          exp: now() + 300,
          nonce: script.nonce,
          ...script.claims,
        },
        script.key,
      ),
    }),
    '/keys': () => ({
      keys: script.published.map(({ id, publicKey }) => {
        const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
        return { kid: id, use: 'sig', kty: 'RSA', n, e }
      }),
    }),
    '/me': () => script.information,
  }
  const issuer = await listen(
    createServer(async (request, response) => {
      const path = request.url ?? ''
      script.requests.push(path)
      if (script.silent) return
      const body = await text(request)
      if (path === '/token') {
        script.authorization = request.headers.authorization ?? ''
        script.form = new URLSearchParams(body)
      }
      const [status, answer] = script.failing[path] ?? [200, answers[path]?.() ?? {}]
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    }),
  )
  const provider = await openidProvider({ ...client, issuer, ...options })
  const signIn = async (change: (query: URLSearchParams) => void = () => undefined) => {
    const { address, secrets } = await right(provider.begin(callback))
    script.nonce = secrets.nonce
    const query = new URLSearchParams({ code: 'a code', state: secrets.state })
    change(query)
    return { address, finish: provider.finish(callback, `/elsewhere?${query.toString()}`, secrets) }
  }
  return {
    script,
    provider,
    issuer,
    signIn,
    outcome: async (change?: (query: URLSearchParams) => void) => failure((await signIn(change)).finish),
  }
}

describe('openidProvider', () => {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  it('asks for a code with PKCE, and sends its secret as the provider wants it', async () => {
    const { script, signIn, issuer } = await scriptedProvider()
    const { address, finish } = await signIn()
    const query = Object.fromEntries(new URL(address).searchParams)
    expect(address.startsWith(`${issuer}/authorize?`)).to.equal(true)
    expect(query).to.include({
      response_type: 'code',
      client_id: 'cms',
      redirect_uri: callback,
      scope: client.scopes,
      code_challenge_method: 'S256',
    })
    await right(finish)
    expect(script.authorization).to.match(/^Basic /)
    expect(Object.fromEntries(script.form)).to.include({ code: 'a code', redirect_uri: callback })
    const other = await scriptedProvider()
    other.script.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    await right((await other.signIn()).finish)
    expect(other.script.authorization).to.equal('')
    expect(other.script.form.get('client_secret')).to.equal(client.clientSecret)
  })

  it('merges claims, of which those in the ID token count', async () => {
    const { script, signIn, issuer } = await scriptedProvider()
    script.claims = { groups: ['signed'], email: 'ada@example.org', email_verified: 'true' }
    script.information = { sub: 'ada', groups: ['other'], preferred_username: 'ada.l' }
    const person = await right((await signIn()).finish)
    expect(person).to.deep.include({
      issuer,
      subject: 'ada',
      name: 'ada.l',
      email: 'ada@example.org',
      isEmailVerified: true,
    })
    expect(person.claims['groups']).to.deep.equal(['signed'])
  })

  it('has no addresses that nobody has verified, and no names where there are none', async () => {
    const { script, signIn } = await scriptedProvider()
    script.metadata = { userinfo_endpoint: undefined }
    script.claims = { email: 7, name: '', email_verified: 1 }
    const person = await right((await signIn()).finish)
    expect(person).to.deep.include({ name: null, email: null, isEmailVerified: false })
    expect(script.requests).to.not.include('/me')
  })

  const refused: Readonly<Record<string, JsonObject>> = {
    'another nonce': { nonce: 'another' },
    'another issuer': { iss: 'https://other.example.org' },
    'another service': { aud: 'shop' },
    'a time that is over for longer than clocks differ': { exp: Math.floor(Date.now() / 1000) - 90 },
    'a time that has not begun': { nbf: Math.floor(Date.now() / 1000) + 90 },
    'another person than the user info': { sub: 'eve' },
  }
  it('refuses ID tokens of another issuer, service, time, person or sign-in', async () => {
    const { script, outcome } = await scriptedProvider()
    for (const [words, claims] of Object.entries(refused)) {
      script.claims = claims
      expect(await outcome(), words).to.equal('Refusal')
    }
  })

  it('accepts clocks that differ by less than a minute', async () => {
    const { script, outcome } = await scriptedProvider()
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [{ exp: now - 45 }, { nbf: now + 45, iat: now + 45 }]) {
      script.claims = claims
      expect(await outcome()).to.equal(null)
    }
  })

  it('refuses answers of the browser with another state, without a code, or with an error', async () => {
    const { script, outcome } = await scriptedProvider()
    expect(await outcome((query) => query.set('state', 'another'))).to.equal('Refusal')
    expect(await outcome((query) => query.delete('state'))).to.equal('Refusal')
    expect(await outcome((query) => query.delete('code'))).to.equal('Refusal')
    expect(await outcome((query) => query.append('code', 'another'))).to.equal('Refusal')
    expect(await outcome((query) => query.set('error', 'access_denied'))).to.equal('Refusal')
    expect(await outcome((query) => query.set('error', 'server_error'))).to.equal('PortFailure')
    expect(script.requests).to.deep.equal(['/.well-known/openid-configuration'])
  })

  it('knows keys that the provider has replaced, and refuses those that it does not publish', async () => {
    const { script, outcome } = await scriptedProvider()
    expect(await outcome()).to.equal(null)
    script.key = secondKey
    expect(await outcome()).to.equal('Refusal')
    script.published = [secondKey]
    expect(await outcome()).to.equal(null)
    script.key = { ...firstKey, id: 'second' }
    expect(await outcome()).to.equal('Refusal')
  })

  it('distinguishes a code that is wrong from a provider that does not work', async () => {
    const { script, signIn, outcome } = await scriptedProvider()
    script.failing = { '/token': [401, { error: 'invalid_client' }] }
    const misconfigured = await (await signIn()).finish()
    expect(E.isLeft(misconfigured) && misconfigured.left.reason).to.contain('invalid_client')
    const cases: readonly (readonly [string, Response, string])[] = [
      ['/token', [400, { error: 'invalid_grant' }], 'Refusal'],
      ['/token', [401, { error: 'invalid_client' }], 'PortFailure'],
      ['/token', [500, {}], 'PortFailure'],
      ['/token', [200, { access_token: 'access', token_type: 'bearer' }], 'Refusal'],
      ['/keys', [503, {}], 'PortFailure'],
      ['/me', [403, {}], 'PortFailure'],
    ]
    for (const [path, response, expected] of cases) {
      script.failing = { [path]: response }
      expect(await outcome(), `${path} ${response[0]}`).to.equal(expected)
    }
  })

  it('fails while the provider is unreachable, another one, or silent, and works afterwards', async () => {
    const { script, provider, signIn, outcome } = await scriptedProvider({ timeout: 300 })
    const path = '/.well-known/openid-configuration'
    script.failing = { [path]: [503, {}] }
    expect(await failure(provider.check())).to.equal('PortFailure')
    expect(await failure(provider.begin(callback))).to.equal('PortFailure')
    script.failing = {}
    script.metadata = { issuer: 'https://other.example.org' }
    expect(await failure(provider.check())).to.equal('PortFailure')
    expect(await failure(provider.begin(callback))).to.equal('PortFailure')
    script.metadata = {}
    script.silent = true
    expect(await failure(provider.check())).to.equal('PortFailure')
    expect(await failure(provider.begin(callback))).to.equal('PortFailure')
    script.silent = false
    const { finish } = await signIn()
    script.silent = true
    const begun = performance.now()
    expect(await failure(finish)).to.equal('PortFailure')
    expect(performance.now() - begun).to.be.below(900)
    script.silent = false
    expect(await outcome()).to.equal(null)
    expect(
      await failure((await openidProvider({ ...client, issuer: 'http://127.0.0.1:1' })).begin(callback)),
    ).to.equal('PortFailure')
  })

  it('reads metadata once for calls at the same time', async () => {
    const { script, provider } = await scriptedProvider()
    await Promise.all([right(provider.begin(callback)), right(provider.begin(callback))])
    await right(provider.begin(callback))
    expect(script.requests).to.have.lengthOf(1)
  })

  it('has no address to sign out where the provider has none', async () => {
    const { provider } = await scriptedProvider()
    expect(await right(provider.signOut('https://cms.example.org/dashboard'))).to.equal(null)
  })
})
