/** An authenticator and its browser in software: it answers requests of passkeys as they do, right or wrong. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import type { RelyingParty } from '@publishing-service/ports'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a test changes of an answer. */
export type Changes = {
  readonly origin?: string
  readonly party?: string
  readonly challenge?: string
  readonly isVerified?: boolean
  readonly crossOrigin?: boolean
  readonly counter?: number
  readonly type?: string
  /** Attestations: one of another key, with a certificate. */
  readonly hasCertificate?: boolean
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** A public key as COSE: ES256. */
const coseKey = (key: KeyObject): Uint8Array => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}

const backedUp = 0b1_1000

const authenticatorData = (
  party: string,
  isVerified: boolean,
  counter: number,
  attested: Uint8Array,
): Buffer => {
  const flags = 0b1 | (isVerified ? 0b100 : 0) | backedUp | (attested.length > 0 ? 0b100_0000 : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(party), head, attested])
}

export const virtualAuthenticator = (party: RelyingParty) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let uses = 0

  const clientData = (type: string, challenge: string, changes: Changes): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? party.origin,
        crossOrigin: changes.crossOrigin ?? false,
      }),
    )

  const answer = (response: JsonObject): JsonObject => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id: base64url(id),
    create: (challenge: string, changes: Changes = {}): JsonObject => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
      const { party: host = party.id, isVerified = true, counter = 0 } = changes
      const data = clientData('webauthn.create', challenge, changes)
      const authData = authenticatorData(host, isVerified, counter, attested)
      const statement = changes.hasCertificate
        ? new Map<string, number | Uint8Array | Uint8Array[]>([
            ['alg', -7],
            ['sig', sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)],
            ['x5c', [randomBytes(64)]],
          ])
        : new Map()
      const attestation = new Map<
        string,
        string | Uint8Array | Map<string, number | Uint8Array | Uint8Array[]>
      >([
        ['fmt', changes.hasCertificate ? 'packed' : 'none'],
        ['attStmt', statement],
        ['authData', Uint8Array.from(authData)],
      ])
      return answer({
        clientDataJSON: base64url(data),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal', 'hybrid'],
      })
    },
    use: (challenge: string, changes: Changes = {}): JsonObject => {
      const { party: host = party.id, isVerified = true, counter = (uses += 1) } = changes
      const data = clientData('webauthn.get', challenge, changes)
      const authData = authenticatorData(host, isVerified, counter, new Uint8Array())
      return answer({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        userHandle: base64url(Buffer.from('a person')),
      })
    },
  }
}
