import { expect } from 'chai'
import { describe, it } from 'mocha'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, type WebhookRequest } from './verify-webhook.js'

const secretOf = (byte: number): string => `whsec_${btoa(String.fromCharCode(byte).repeat(32))}`
const secret = secretOf(7)
const now = 1_764_231_012_000
const event = { id: 'one', type: 'content.updated', object: { path: '/caf\u00e9/' } }
const body = JSON.stringify(event)
const signedBy = (...secrets: readonly string[]): string =>
  secrets.map((each) => new Webhook(each).sign('one', new Date(now), body)).join(' ')

const verify = (change: Partial<WebhookRequest> = {}, headers: Readonly<Record<string, string>> = {}) =>
  verifyWebhook({
    secret,
    body,
    now,
    headers: new Headers({
      'webhook-id': 'one',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': signedBy(secret),
      ...headers,
    }),
    ...change,
  })

describe('the verification of a web hook', () => {
  it('returns what is signed with the secret, as the library of Standard Webhooks signs it', async () => {
    expect(await verify()).to.deep.equal(event)
    expect(await verify({ body: new TextEncoder().encode(body) })).to.deep.equal(event)
    const both = { 'webhook-signature': `v2,x v1,- ${signedBy(secretOf(8), secret)}` }
    expect(await verify({}, both)).to.deep.equal(event)
  })

  it('returns null for any other body, identifier, time or signature', async () => {
    expect(await verify({ body: `${body} ` })).to.equal(null)
    expect(await verify({ secret: secretOf(8) })).to.equal(null)
    expect(await verify({}, { 'webhook-id': 'two' })).to.equal(null)
    expect(await verify({}, { 'webhook-timestamp': String(now / 1000 - 1) })).to.equal(null)
    for (const signature of ['', 'v1', 'v1,', 'v1,AAAA', signedBy(secret).slice(0, -4)])
      expect(await verify({}, { 'webhook-signature': signature })).to.equal(null)
    expect(await verify({ headers: new Headers() })).to.equal(null)
  })

  it('accepts a signature for five minutes', async () => {
    expect(await verify({ now: now + 300_000 })).to.deep.equal(event)
    expect(await verify({ now: now + 301_000 })).to.equal(null)
    expect(await verify({ now: now - 301_000 })).to.equal(null)
    expect(await verify({}, { 'webhook-timestamp': 'x' })).to.equal(null)
  })

  it('throws if the secret is none', async () => {
    for (const wrong of ['', 'whsec_', 'secret', 'whsec_ä'])
      expect(
        await verify({ secret: wrong }).then(
          () => null,
          (error: unknown) => error,
        ),
      ).to.be.instanceOf(Error)
  })
})
