/** A real provider of OpenID Connect, without sign-in forms. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What the provider says of a person. */
export type Claims = Readonly<Record<string, string | boolean | readonly string[]>>

const client = { id: 'cms', secret: 'a secret with : and /' }
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export type TestProvider = {
  /** The variables of a service at `base` that signs people in with the provider. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Follows the redirects of a sign-in as the browser of a person does, and returns the address that it leads back to.
   */
  readonly signIn: (address: string, person: string) => Promise<string>
  /** Whether connections are closed without a response. */
  isAway: boolean
  readonly stop: () => void
}

/** Starts a provider that knows these people, for a service with this public address. */
export const startIdentityProvider = async (
  base: string,
  people: Readonly<Record<string, Claims>>,
): Promise<TestProvider> => {
  const callback = `${base}/sign-in/provider/callback`
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callback],
        post_logout_redirect_uris: [`${base}/dashboard`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'a key', use: 'sig' }] },
    cookies: { keys: ['a key'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people[id], sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: client.id,
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    const person = request.headers['x-person']
    if (started.isAway) request.destroy()
    else if (request.url?.startsWith('/interaction/') === true && typeof person === 'string')
      void provider.interactionFinished(request, response, { login: { accountId: person } })
    else void handle(request, response)
  })

  const started: TestProvider = {
    environment: {
      BASE_URL: base,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    },
    signIn: async (address, person) => {
      const cookies = new Map<string, string>()
      let next = address
      for (let steps = 0; steps < 10 && !next.startsWith(callback); steps += 1) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { Cookie: [...cookies].map((each) => each.join('=')).join('; '), 'X-Person': person },
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          cookies.set(name, value)
        }
        next = new URL(response.headers.get('location') ?? '', next).href
      }
      return next
    },
    isAway: false,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return started
}
