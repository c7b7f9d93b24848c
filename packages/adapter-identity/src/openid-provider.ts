/**
 * Sign-in with a provider of OpenID Connect. The provider's metadata are read at the first use and then once an hour; its
 * keys are read for each sign-in, so that those it has replaced are known.
 */
import { E, pipe, TE, type TaskEither } from '@publishing-service/domain/fp'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import {
  portFailure,
  type ExternalIdentity,
  type IdentityProvider,
  type PortFailure,
  type ProviderSecrets,
  type Refusal,
} from '@publishing-service/ports'
import type * as OpenidClient from 'openid-client'

export type OpenidProviderOptions = {
  /** Calls of an issuer at `http:` are not encrypted; all others must be. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Separated by spaces, with `openid`. */
  readonly scopes: string
  /** Milliseconds that a call takes at most. */
  readonly timeout?: number
}

const defaultTimeout = 14_000
/** The part of the time of a call that reading the metadata may take. */
const metadataShare = 1 / 3
const metadataTime = 3_600_000
/** Seconds. */
const clockSkew = 60

const part = 'identity provider'

/** Codes of the library for what a provider says, or a browser brings, and that is not accepted. */
const refusedCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'ERR_INVALID_URL',
])

/** Errors of a provider by which it says that it does not work, or that it does not know the service. */
const failureNames = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
])

const maxReasonCharacters = 300

/** The error that a provider or a browser has sent; null if the library has found it. */
const sentError = (error: unknown): string | null =>
  error instanceof Error && 'error' in error && typeof error.error === 'string' ? error.error : null

const messagesOf = (error: unknown): readonly string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : []

/** What went wrong, without repetitions. Browsers can send errors of any length. */
const reasonOf = (error: unknown): string =>
  [...new Set([...messagesOf(error), sentError(error) ?? []].flat())].join(': ').slice(0, maxReasonCharacters)

const failureOf = (error: unknown): PortFailure => portFailure(part, new Error(reasonOf(error)))

/** All requests of it have the same end, in milliseconds from now. */
const fetchWithin = (time: number): OpenidClient.CustomFetch => {
  const signal = AbortSignal.timeout(Math.floor(time))
  return (url, { body, ...options }) => fetch(url, { ...options, body: body ?? null, signal })
}

const outcomeOf = (error: unknown): PortFailure | Refusal => {
  const sent = sentError(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isFailure = sent === null ? !refusedCodes.has(code) : failureNames.has(sent)
  return isFailure ? failureOf(error) : { _tag: 'Refusal', reason: reasonOf(error) }
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** Some providers send the truth as text. */
const isTrue = (value: Json | undefined): boolean => value === true || value === 'true'

const identityOf = (claims: JsonObject): ExternalIdentity => {
  const issuer = textOf(claims['iss'])
  const subject = textOf(claims['sub'])
  if (issuer === null || subject === null) throw new Error('The ID token has no issuer or no subject')
  return {
    issuer,
    subject,
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    email: textOf(claims['email']),
    isEmailVerified: isTrue(claims['email_verified']),
    claims,
  }
}

/** Imports the library. */
export const openidProvider = async ({
  issuer,
  clientId,
  clientSecret,
  scopes,
  timeout = defaultTimeout,
}: OpenidProviderOptions): Promise<IdentityProvider> => {
  const client = await import('openid-client')
  const address = new URL(issuer)
  const known: { metadata: Promise<OpenidClient.ServerMetadata> | null; until: number } = {
    metadata: null,
    until: 0,
  }

  const extensions = [
    client.enableNonRepudiationChecks,
    ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
  ]

  const readMetadata = async (): Promise<OpenidClient.ServerMetadata> => {
    const options = { execute: extensions, [client.customFetch]: fetchWithin(metadataShare * timeout) }
    return (await client.discovery(address, clientId, undefined, undefined, options)).serverMetadata()
  }

  /** Calls at the same time share one request. A failure is not stored. */
  const metadata = (): Promise<OpenidClient.ServerMetadata> => {
    if (known.metadata !== null && performance.now() < known.until) return known.metadata
    const reading = readMetadata()
    known.metadata = reading
    known.until = performance.now() + metadataTime
    reading.catch(() => {
      if (known.metadata === reading) known.metadata = null
    })
    return reading
  }

  /** What a client authenticates with: the default of OpenID Connect, if the provider has it. */
  const authenticationOf = ({
    token_endpoint_auth_methods_supported: methods,
  }: OpenidClient.ServerMetadata) =>
    methods === undefined || methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret)

  /** A new one for each sign-in has read no keys yet. */
  const configurationFor = (server: OpenidClient.ServerMetadata): OpenidClient.Configuration => {
    const configuration = new client.Configuration(
      server,
      clientId,
      { client_secret: clientSecret, [client.clockTolerance]: clockSkew },
      authenticationOf(server),
    )
    for (const extend of extensions) extend(configuration)
    configuration[client.customFetch] = fetchWithin((1 - metadataShare) * timeout)
    return configuration
  }

  /** A failure of the metadata is none of the answer that is then checked. */
  const connected: TaskEither<PortFailure, OpenidClient.Configuration> = async () => {
    try {
      return E.right(configurationFor(await metadata()))
    } catch (error) {
      return E.left(failureOf(error))
    }
  }

  const identityFrom = async (
    configuration: OpenidClient.Configuration,
    returned: URL,
    { state, nonce, verifier }: ProviderSecrets,
  ): Promise<ExternalIdentity> => {
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('There is no ID token')
    const information =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    // What is in the ID token is signed.
    const all: unknown = { ...information, ...claims }
    if (!isJsonObject(all)) throw new Error('The claims are no object')
    return identityOf(all)
  }

  return {
    check: () =>
      pipe(
        connected,
        TE.map(() => undefined),
      ),
    begin: (callback) =>
      pipe(
        connected,
        TE.chain((configuration) =>
          TE.tryCatch(async () => {
            const secrets = {
              state: client.randomState(),
              nonce: client.randomNonce(),
              verifier: client.randomPKCECodeVerifier(),
            }
            const begun = client.buildAuthorizationUrl(configuration, {
              redirect_uri: callback,
              scope: scopes,
              state: secrets.state,
              nonce: secrets.nonce,
              code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
              code_challenge_method: 'S256',
            })
            return { address: begun.href, secrets }
          }, failureOf),
        ),
      ),
    finish: (callback, returned, secrets) =>
      pipe(
        connected,
        TE.chain((configuration) =>
          TE.tryCatch<PortFailure | Refusal, ExternalIdentity>(() => {
            // A proxy may have changed the rest of the address, and the provider compares it with that of the beginning.
            const reached = new URL(callback)
            reached.search = new URL(returned, callback).search
            return identityFrom(configuration, reached, secrets)
          }, outcomeOf),
        ),
      ),
    signOut: (next) =>
      pipe(
        connected,
        TE.map((configuration) =>
          configuration.serverMetadata().end_session_endpoint === undefined
            ? null
            : client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: next }).href,
        ),
      ),
  }
}
