/** What runs in the thread of passkeys. Answers are untrusted: whatever they make the library throw is a Refusal. */
import { E } from '@publishing-service/domain/fp'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { Passkey, PasskeyRequest, Refusal, RelyingParty } from '@publishing-service/ports'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { answerCalls } from './answer-calls.js'
import { clientDataOf, responseOf, textIn } from './client-data.js'

/** How long a browser waits for the person, in milliseconds. */
const timeout = 300_000

/** The longest id of a credential, in base64url: 1023 bytes (https://www.w3.org/TR/webauthn-3/#credential-id). */
const maxIdCharacters = 1364

const maxReasonCharacters = 300

/** An answer that is not accepted. */
class Refused extends Error {}

const refusing = async <A>(verify: () => Promise<A>): Promise<E.Either<Refusal, A>> => {
  try {
    return E.right(await verify())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return E.left({ _tag: 'Refusal', reason: reason.slice(0, maxReasonCharacters) })
  }
}

const requestOf = (options: { readonly challenge: string }): PasskeyRequest => {
  const copy: unknown = JSON.parse(JSON.stringify(options))
  if (!isJsonObject(copy)) throw new Error('The options of a passkey are no object')
  return { options: copy, challenge: options.challenge }
}

export const creation = async ({
  party,
  person,
  existing,
}: {
  readonly party: RelyingParty
  readonly person: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly existing: readonly Pick<Passkey, 'id' | 'transports'>[]
}): Promise<PasskeyRequest> =>
  requestOf(
    await generateRegistrationOptions({
      rpID: party.id,
      rpName: party.name,
      userID: new TextEncoder().encode(person.id),
      userName: person.name,
      userDisplayName: person.displayName,
      timeout,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: [...transports] })),
    }),
  )

export const use = async ({ party }: { readonly party: RelyingParty }): Promise<PasskeyRequest> =>
  requestOf(await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required', timeout }))

/** The parts that an answer of each kind has. The library accepts some answers from frames of other origins. */
const credentialOf = (answer: JsonObject) => {
  if (answer['type'] !== 'public-key') throw new Refused('the answer is of no public key')
  if (clientDataOf(answer)?.isCrossOrigin !== false)
    throw new Refused('the answer is malformed, or of a frame of another origin')
  return {
    id: textIn(answer, 'id'),
    rawId: textIn(answer, 'rawId'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
}

/** The ways in which browsers reach a passkey, as far as they have the form of one. */
const transportsOf = ({ transports }: JsonObject): readonly string[] =>
  (Array.isArray(transports) ? transports : [])
    .filter((each): each is string => typeof each === 'string' && /^[a-z-]{1,32}$/.test(each))
    .slice(0, 10)

/** Refuses statements with certificates: none was requested, and their verification may call addresses that they name. */
const checkAttestation = (attestation: string): void => {
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestation, 'base64url')))
  const format = decoded.get('fmt')
  if (format !== 'none' && !(format === 'packed' && decoded.get('attStmt').get('x5c') === undefined))
    throw new Refused('the answer has an attestation, which was not requested')
}

export const verifyCreation = ({
  party,
  challenge,
  answer,
}: {
  readonly party: RelyingParty
  readonly challenge: string
  readonly answer: JsonObject
}): Promise<E.Either<Refusal, Passkey>> =>
  refusing(async () => {
    const response = responseOf(answer)
    const attestationObject = textIn(response, 'attestationObject')
    const credential = credentialOf(answer)
    checkAttestation(attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { clientDataJSON: textIn(response, 'clientDataJSON'), attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) throw new Refused('the signature is wrong')
    const { id, publicKey, counter } = registrationInfo.credential
    if (id.length > maxIdCharacters) throw new Refused('the id of the credential is too long')
    return {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transportsOf(response),
      isSynced: registrationInfo.credentialBackedUp,
    }
  })

export const verifyUse = ({
  party,
  challenge,
  passkey,
  answer,
}: {
  readonly party: RelyingParty
  readonly challenge: string
  readonly passkey: Passkey
  readonly answer: JsonObject
}): Promise<E.Either<Refusal, Passkey>> =>
  refusing(async () => {
    const response = responseOf(answer)
    const credential = credentialOf(answer)
    if (credential.id !== passkey.id) throw new Refused('the answer is of another passkey')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: {
          clientDataJSON: textIn(response, 'clientDataJSON'),
          authenticatorData: textIn(response, 'authenticatorData'),
          signature: textIn(response, 'signature'),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    })
    if (!verified) throw new Refused('the signature is wrong')
    return {
      ...passkey,
      counter: authenticationInfo.newCounter,
      isSynced: authenticationInfo.credentialBackedUp,
    }
  })

answerCalls({ creation, use, verifyCreation, verifyUse })
