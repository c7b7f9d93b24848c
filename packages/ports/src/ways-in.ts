import type { E, TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { PortFailure } from './port-failure.js'

/** The address of the service as browsers see it: what passkeys are bound to. */
export type RelyingParty = {
  /** The host, without a port. */
  readonly id: string
  /** Such as `https://cms.example.org`. */
  readonly origin: string
  /** The name of the service, for people. */
  readonly name: string
}

/** A passkey as it is stored. It has nothing secret. */
export type Passkey = {
  /** Id of the credential, in base64url. */
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  /** Whether the person’s devices share it. */
  readonly isSynced: boolean
}

/** Options for a browser, as JSON for `@simplewebauthn/browser`, and the challenge that its answer must have. */
export type PasskeyRequest = { readonly options: JsonObject; readonly challenge: string }

/** Why an answer or an identity is not accepted, for the log. */
export type Refusal = { readonly _tag: 'Refusal'; readonly reason: string }

/**
 * Passkeys (WebAuthn): discoverable credentials with user verification.
 * - An answer is accepted only for its challenge, the relying party and its origin.
 * - Anything else, malformed answers included, is a Refusal. Nothing rejects.
 * - An answer with a counter that has not grown, where the authenticator counts, is refused.
 */
export type Passkeys = {
  /** Options of a new passkey; those that the person has already are excluded. */
  readonly creation: (
    party: RelyingParty,
    person: { readonly id: string; readonly name: string; readonly displayName: string },
    existing: readonly Pick<Passkey, 'id' | 'transports'>[],
  ) => Promise<PasskeyRequest>
  readonly verifyCreation: (
    party: RelyingParty,
    challenge: string,
    answer: JsonObject,
  ) => Promise<E.Either<Refusal, Passkey>>
  /** Options of a use: the browser offers all passkeys of the relying party. */
  readonly use: (party: RelyingParty) => Promise<PasskeyRequest>
  /** The challenge that an answer claims to be for, and the credential; null if it is malformed. It verifies nothing. */
  readonly claimed: (answer: JsonObject) => { readonly challenge: string; readonly id: string } | null
  /** Returns the passkey after the use. */
  readonly verifyUse: (
    party: RelyingParty,
    challenge: string,
    passkey: Passkey,
    answer: JsonObject,
  ) => Promise<E.Either<Refusal, Passkey>>
}

/**
 * Time-based one-time codes (RFC 6238): six digits, 30 seconds, SHA-1, as authenticator apps expect.
 * - A secret has at least 160 random bits, in base32.
 * - A code of the step before or after the present one is accepted.
 */
export type OneTimeCodes = {
  readonly newSecret: () => string
  /** `otpauth://totp/…` */
  readonly address: (secret: string, service: string, person: string) => string
  /** The step that the code is of; null if it is of none that is accepted. `now` is in milliseconds since 1970. */
  readonly stepOf: (secret: string, code: string, now: number) => number | null
}

/**
 * Estimates how easily a password is guessed.
 * - It does not block the event loop for longer than some milliseconds, for any text of at most 1000 characters.
 */
export type PasswordStrength = {
  /** Whether it is common or easily guessed; `personal` are texts that it should not consist of. */
  readonly isWeak: (password: string, personal: readonly string[]) => Promise<boolean>
}

/** A message by mail. */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Sends mail.
 * - Sending ends within 30 seconds, and never rejects.
 * - Addresses and subjects cannot add headers.
 * - A check succeeds if the server accepts the connection and the login. It sends nothing.
 */
export type MailSender = {
  readonly send: (mail: Mail) => TaskEither<PortFailure, void>
  readonly check: () => TaskEither<PortFailure, void>
  readonly close: () => Promise<void>
}

/** What a sign-in with a provider has to remember until the person comes back. */
export type ProviderSecrets = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A person as the provider knows it. */
export type ExternalIdentity = {
  readonly issuer: string
  /** Never changes, unlike name and address. */
  readonly subject: string
  readonly name: string | null
  readonly email: string | null
  readonly isEmailVerified: boolean
  /** All claims of the ID token and the user info. */
  readonly claims: JsonObject
}

/**
 * Sign-in with a provider of OpenID Connect: authorization code with PKCE, state and nonce.
 * - The provider’s metadata are read at the first use and from time to time; a provider that is unavailable is a PortFailure.
 * - Keys that the provider has replaced are read again. 60 seconds of clock skew are accepted.
 * - An answer of another issuer, with another state or nonce, or with a wrong signature is a Refusal.
 * - Each call ends within 15 seconds, and never rejects.
 * - A check succeeds if the provider’s metadata can be read, and name the issuer that is configured.
 */
export type IdentityProvider = {
  readonly check: () => TaskEither<PortFailure, void>
  /** The address to send the person to. */
  readonly begin: (
    callback: string,
  ) => TaskEither<PortFailure, { readonly address: string; readonly secrets: ProviderSecrets }>
  /** `returned` is the address that the person came back to, with its query. */
  readonly finish: (
    callback: string,
    returned: string,
    secrets: ProviderSecrets,
  ) => TaskEither<PortFailure | Refusal, ExternalIdentity>
  /** The address at which the person signs out of the provider too; null if the provider has none. */
  readonly signOut: (next: string) => TaskEither<PortFailure, string | null>
}
