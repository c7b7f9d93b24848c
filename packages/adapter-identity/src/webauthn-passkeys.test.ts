import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Passkey, Refusal } from '@publishing-service/ports'
import { virtualAuthenticator, type Changes } from './virtual-authenticator.test-data.js'
import { webauthnPasskeys } from './webauthn-passkeys.js'

const party = { id: 'cms.example.org', origin: 'https://cms.example.org', name: 'The Daily Example' }
const person = { id: 'a0eebc99', name: 'ada@example.org', displayName: 'Ada' }

const passkeys = webauthnPasskeys()

const accepted = (result: E.Either<Refusal, Passkey>): Passkey => {
  if (E.isLeft(result)) throw new Error(result.left.reason)
  return result.right
}

const wrong: Readonly<Record<string, Changes>> = {
  'another challenge': { challenge: 'AAAA' },
  'another origin': { origin: 'https://cms.example.org.evil.example' },
  'another relying party': { party: 'example.org' },
  'a person who was not verified': { isVerified: false },
  'a frame of another origin': { crossOrigin: true },
  'another ceremony': { type: 'payment.get' },
}

const malformed = (answer: JsonObject): Readonly<Record<string, JsonObject>> => {
  const response = answer['response'] as JsonObject
  return {
    nothing: {},
    'no response': { ...answer, response: 'a text' },
    'client data that are no JSON': { ...answer, response: { ...response, clientDataJSON: 'AAAA' } },
    'client data that are null': { ...answer, response: { ...response, clientDataJSON: 'bnVsbA' } },
    'no attestation and no signature': {
      ...answer,
      response: { clientDataJSON: response['clientDataJSON'] ?? null },
    },
    'bytes that are no CBOR': {
      ...answer,
      response: { ...response, attestationObject: '____', authenticatorData: '____' },
    },
    'numbers in place of texts': { ...answer, response: { ...response, attestationObject: 7, signature: 7 } },
    'another type': { ...answer, type: 'password' },
    'too much': {
      ...answer,
      response: { ...response, attestationObject: 'A'.repeat(100_000), signature: 'A'.repeat(100_000) },
    },
  }
}

describe('webauthnPasskeys', () => {
  // The first call starts a thread.
  before(() => passkeys.use(party))

  const created = async (authenticator = virtualAuthenticator(party)) => {
    const { challenge } = await passkeys.creation(party, person, [])
    return accepted(await passkeys.verifyCreation(party, challenge, authenticator.create(challenge)))
  }

  it('asks for a discoverable passkey with user verification, and for none that the person has', async () => {
    const { options, challenge } = await passkeys.creation(party, person, [
      { id: 'AQID', transports: ['usb'] },
    ])
    expect(options).to.deep.include({
      challenge,
      rp: { id: party.id, name: party.name },
      user: { id: Buffer.from(person.id).toString('base64url'), name: person.name, displayName: 'Ada' },
      attestation: 'none',
      excludeCredentials: [{ id: 'AQID', type: 'public-key', transports: ['usb'] }],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    })
    expect((await passkeys.use(party)).options).to.include({
      rpId: party.id,
      userVerification: 'required',
    })
    expect(Buffer.from(challenge, 'base64url')).to.have.length.of.at.least(16)
  })

  it('accepts a passkey and its uses', async () => {
    const authenticator = virtualAuthenticator(party)
    const passkey = await created(authenticator)
    expect(passkey).to.deep.include({
      id: authenticator.id,
      counter: 0,
      isSynced: true,
      transports: ['internal', 'hybrid'],
    })
    const { challenge } = await passkeys.use(party)
    const answer = authenticator.use(challenge)
    expect(passkeys.claimed(answer)).to.deep.equal({ challenge, id: passkey.id })
    const used = accepted(await passkeys.verifyUse(party, challenge, passkey, answer))
    expect(used).to.deep.equal({ ...passkey, counter: 1 })
  })

  for (const [words, changes] of Object.entries(wrong))
    it(`refuses ${words}`, async () => {
      const authenticator = virtualAuthenticator(party)
      const passkey = await created(authenticator)
      const creation = authenticator.create('AQID', changes)
      expect(E.isLeft(await passkeys.verifyCreation(party, 'AQID', creation))).to.equal(true)
      const use = authenticator.use('AQID', changes)
      expect(E.isLeft(await passkeys.verifyUse(party, 'AQID', passkey, use))).to.equal(true)
    })

  it('refuses a counter that has not grown, and accepts one that does not count', async () => {
    const authenticator = virtualAuthenticator(party)
    const passkey = { ...(await created(authenticator)), counter: 5 }
    const isAccepted = async (stored: number, counter: number) =>
      E.isRight(
        await passkeys.verifyUse(
          party,
          'AQID',
          { ...passkey, counter: stored },
          authenticator.use('AQID', { counter }),
        ),
      )
    expect(
      await Promise.all([isAccepted(5, 5), isAccepted(5, 0), isAccepted(5, 6), isAccepted(0, 0)]),
    ).to.deep.equal([false, false, true, true])
  })

  it('refuses the use of another passkey, and a signature of another key', async () => {
    const [one, other] = [virtualAuthenticator(party), virtualAuthenticator(party)]
    const passkey = await created(one)
    const answer = other.use('AQID')
    expect(E.isLeft(await passkeys.verifyUse(party, 'AQID', passkey, answer))).to.equal(true)
    const renamed = { ...answer, id: one.id, rawId: one.id }
    expect(E.isLeft(await passkeys.verifyUse(party, 'AQID', passkey, renamed))).to.equal(true)
  })

  it('refuses an attestation with a certificate', async () => {
    const answer = virtualAuthenticator(party).create('AQID', { hasCertificate: true })
    const result = await passkeys.verifyCreation(party, 'AQID', answer)
    expect(E.isLeft(result) && result.left.reason).to.match(/attestation/)
  })

  it('refuses malformed answers', async () => {
    const authenticator = virtualAuthenticator(party)
    const passkey = await created(authenticator)
    for (const [words, answer] of Object.entries(malformed(authenticator.create('AQID'))))
      expect(E.isLeft(await passkeys.verifyCreation(party, 'AQID', answer)), words).to.equal(true)
    for (const [words, answer] of Object.entries(malformed(authenticator.use('AQID'))))
      expect(E.isLeft(await passkeys.verifyUse(party, 'AQID', passkey, answer)), words).to.equal(true)
    expect(passkeys.claimed({ id: 'x' })).to.equal(null)
    expect(passkeys.claimed({ ...authenticator.use('AQID'), id: 7 })).to.equal(null)
  })
})
