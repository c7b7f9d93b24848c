import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { E, TE } from '@publishing-service/domain/fp'
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  createStage,
  left,
  openSecrets,
  unavailable,
  right,
  type Stage,
  storedIn,
} from '../test-support/stage.js'
import type { TokenRequest } from './exchange-token.js'
import type { SignIn } from './record-sign-in.js'

const invalidClient = { _tag: 'InvalidClient' }
const secret = 'a-secret-of-the-tests'

describe('exchanging a key for a token', () => {
  let documents: ControllableStore
  let verified: (string | null)[]
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    verified = []
    const secrets: Secrets = {
      ...openSecrets,
      verify: (text, hash) => {
        verified.push(hash)
        return openSecrets.verify(text, hash)
      },
    }
    stage = await createStage({ documents, secrets })
    const { administerKeys } = stage.useCases
    await right(administerKeys.create({ instance: 1, role: 'editor', apiKey: 'key', apiSecret: secret }))
  })

  const ask = (request: Partial<TokenRequest> = {}) =>
    stage.useCases.exchangeToken({
      grantType: 'client_credentials',
      apiKey: 'key',
      apiSecret: secret,
      address: '192.0.2.1',
      ...request,
    })

  it('issues a token for a day, with the roles of the user of the key', async () => {
    const grant = await right(ask())
    expect(grant).to.deep.include({ expiresIn: 86_400, roles: [{ instance: 1, roles: ['editor'] }] })
    const principal = await right(stage.useCases.principals(grant.accessToken))
    expect(principal.roles.get(1)).to.equal('editor')
  })

  it('stores the token as a digest only, and grants another each time', async () => {
    const first = await right(ask())
    const second = await right(ask())
    expect(first.accessToken).not.to.equal(second.accessToken)
    const stored = await documents.get('tokens', 0, `digest of ${first.accessToken}`)()
    expect(E.isRight(stored) && JSON.stringify(stored.right)).to.include('"key":"key"')
    expect(await documents.get('tokens', 0, first.accessToken)()).to.deep.equal(E.right(null))
  })

  it('reports missing parameters, and unsupported grant types', async () => {
    const reason = 'the form lacks api_key, api_secret'
    expect(await left(ask({ apiKey: undefined, apiSecret: undefined }))).to.deep.equal({
      _tag: 'InvalidTokenRequest',
      reason,
    })
    expect(await left(ask({ grantType: undefined }))).to.have.property('_tag', 'InvalidTokenRequest')
    expect(await left(ask({ grantType: 'password' }))).to.deep.equal({ _tag: 'UnsupportedGrantType' })
    expect(verified).to.deep.equal([])
  })

  it('responds identically to an unknown key, a wrong secret and a revoked key, after the same work', async () => {
    expect(await left(ask({ apiKey: 'unknown' }))).to.deep.equal(invalidClient)
    expect(await left(ask({ apiSecret: 'wrong' }))).to.deep.equal(invalidClient)
    expect(await left(ask({ apiKey: 'k'.repeat(5000) }))).to.deep.equal(invalidClient)
    await right(stage.useCases.administerKeys.revoke('key'))
    expect(await left(ask())).to.deep.equal(invalidClient)
    expect(verified).to.deep.equal([null, `hash of ${secret}`, null, null])
  })

  it('blocks a client after ten failures with a key, without more work, and no other client', async () => {
    for (let count = 0; count < 10; count += 1)
      expect(await left(ask({ apiSecret: 'wrong' }))).to.deep.equal(invalidClient)
    expect(await left(ask())).to.deep.equal({ _tag: 'TooManyRequests', retryAfter: 60 })
    expect(verified).to.have.lengthOf(10)
    await right(ask({ address: '192.0.2.2' }))
    stage.clock.advance(60_000)
    await right(ask())
  })

  it('verifies ten of many concurrent guesses, and blocks the others', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 67 }, async () => left(ask({ apiSecret: 'wrong' }))),
    )
    expect(verified).to.have.lengthOf(10)
    expect(outcomes.filter(({ _tag }) => _tag === 'InvalidClient')).to.have.lengthOf(10)
    for (const outcome of outcomes.filter(({ _tag }) => _tag !== 'InvalidClient'))
      expect(outcome).to.deep.equal({ _tag: 'TooManyRequests', retryAfter: 60 })
  })

  it('accepts fifty valid concurrent requests', async () => {
    await Promise.all(Array.from({ length: 50 }, () => right(ask())))
    expect(verified).to.have.lengthOf(50)
  })

  it('accepts a blocked address after its wait, even if the wall clock was set back', async () => {
    for (let count = 0; count < 10; count += 1) await left(ask({ apiSecret: 'wrong' }))
    stage.clock.advance(-86_400_000)
    stage.clock.advance(60_000)
    await right(ask())
  })

  it('blocks an address after a hundred failures with any keys', async () => {
    for (let count = 0; count < 100; count += 1)
      expect(await left(ask({ apiKey: `guess-${count}` }))).to.deep.equal(invalidClient)
    expect(await left(ask({ apiKey: 'another' }))).to.have.property('_tag', 'TooManyRequests')
    await right(ask({ address: '192.0.2.2' }))
  })

  it('resets the failures of a key when it succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 9; count += 1) await left(ask({ apiSecret: 'wrong' }))
      await right(ask())
    }
  })

  it('is unavailable while too many secrets wait, without counting a failure', async () => {
    const secrets: Secrets = { ...openSecrets, verify: () => TE.left({ _tag: 'SecretsBusy' }) }
    const { exchangeToken } = stage.anotherProcess({ secrets })
    const request = { grantType: 'client_credentials', apiKey: 'key', apiSecret: secret, address: 'a' }
    for (let count = 0; count < 20; count += 1)
      expect(await left(exchangeToken(request))).to.deep.equal({
        _tag: 'Unavailable',
        retryAfter: 1,
        part: 'sign-in',
      })
  })

  it('issues no token to a user without a role', async () => {
    for (const { id, version, value } of await storedIn(documents, 'users'))
      await documents.replace('users', 0, { id, version, unique: null, value: { ...value, roles: [] } })()
    expect(await left(ask())).to.deep.equal(invalidClient)
  })

  it('reports how an attempt ended, and never a text that is no key', async () => {
    const signIns: SignIn[] = []
    const attempt = (request: Partial<TokenRequest>): Promise<unknown> =>
      ask({ onSignIn: (signIn) => signIns.push(signIn), ...request })()
    await attempt({})
    await attempt({ apiSecret: 'wrong' })
    await attempt({ apiKey: secret })
    await attempt({ apiKey: 'k'.repeat(5000) })
    await attempt({ grantType: 'password' })
    documents.fail('insert', 'tokens')
    await attempt({})
    await right(stage.useCases.administerKeys.revoke('key'))
    await attempt({})
    expect(signIns.map(({ key, outcome }) => ({ key, outcome }))).to.deep.equal([
      { key: 'key', outcome: 'succeeded' },
      { key: 'key', outcome: 'wrong secret' },
      { key: null, outcome: 'unknown key' },
      { key: null, outcome: 'unknown key' },
      { key: 'key', outcome: 'revoked key' },
    ])
  })

  describe('the audit log', () => {
    const requestId = 'a request'
    const entries = async () => {
      await stage.useCases.audit.writeWaiting()
      return (await storedIn(documents, 'audit')).map(({ value }) => value)
    }

    it('has sign-ins with existing keys: who succeeded, and which key failed', async () => {
      await right(ask({ requestId, clientRequestId: 'its own' }))
      await left(ask({ requestId, apiSecret: 'wrong' }))
      await left(ask({ requestId, apiKey: 'unknown' }))
      await right(ask({ address: '192.0.2.9' }))
      const common = {
        created: '2026-03-01T12:00:00.000Z',
        instance: null,
        operation: 'exchangeToken',
        collection: 'keys',
        object: 'key',
        address: '192.0.2.1',
        request: requestId,
      }
      const all = await entries()
      expect(all).to.have.lengthOf(2)
      expect(all.find(({ name }) => name === 'editor of 1')).to.deep.include({
        ...common,
        api_key: 'key',
        client_request: 'its own',
        changes: { outcome: 'succeeded' },
      })
      expect(all.find(({ name }) => name === 'unknown')).to.deep.include({
        ...common,
        user: null,
        api_key: null,
        changes: { outcome: 'wrong secret' },
      })
    })

    it('has one of a minute for a key, an address and an outcome, and ten failures of a key', async () => {
      const networks = ['2001:db8::1', '2001:db8::2', '192.0.2.1', '192.0.2.2']
      for (const address of [...networks, ...networks]) await right(ask({ requestId, address }))
      expect(await entries()).to.have.lengthOf(3)
      for (let host = 1; host < 15; host += 1) {
        await left(ask({ requestId, address: `198.51.100.${host}`, apiSecret: 'wrong' }))
        await left(ask({ requestId, address: `198.51.100.${host}`, apiSecret: 'wrong' }))
      }
      expect(await entries()).to.have.lengthOf(13)
      stage.clock.advance(60_000)
      await right(ask({ requestId }))
      await left(ask({ requestId, apiSecret: 'wrong' }))
      expect(await entries()).to.have.lengthOf(15)
    })

    it('delays no sign-in, and fails none', async () => {
      const held = documents.hold('insert', 'audit')
      await right(ask({ requestId }))
      held.release()
      documents.fail('insert', 'audit')
      await right(ask({ requestId, address: '192.0.2.2' }))
      expect(await entries()).to.have.lengthOf(2)
    })
  })

  it('fails if its stores fail, without counting a failure', async () => {
    for (const [call, collection] of [
      ['get', 'keys'],
      ['get', 'users'],
      ['insert', 'tokens'],
    ] as const) {
      documents.fail(call, collection)
      expect(await left(ask())).to.deep.equal(unavailable)
    }
    await right(ask())
  })
})
