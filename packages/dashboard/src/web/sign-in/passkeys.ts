/** Passkeys of the browser, in the JSON of WebAuthn. */

/** No passkey is made, or chosen. */
export class NoPasskey extends Error {}

const isAddress = /^[\d.]+$|^\[/

/** Browsers have passkeys of names only, not of addresses such as 127.0.0.1. */
export const canUsePasskeys =
  window.isSecureContext &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !isAddress.test(window.location.hostname)

const hasChallenge = (options: unknown): options is { readonly challenge: string } =>
  typeof options === 'object' && options !== null && 'challenge' in options

const isCreation = (options: unknown): options is PublicKeyCredentialCreationOptionsJSON =>
  hasChallenge(options) && 'pubKeyCredParams' in options && 'rp' in options && 'user' in options

const isRequest = (
  options: unknown,
): options is PublicKeyCredentialRequestOptionsJSON & { readonly timeout: number } =>
  hasChallenge(options) && 'timeout' in options && typeof options.timeout === 'number'

/** The answer of the person; NoPasskey if there is none. */
const answerOf = async (ask: () => Promise<Credential | null>) => {
  const credential = await ask().catch((error: unknown) => {
    // The person has cancelled, it took too long, or the device has a passkey of the account already.
    if (error instanceof DOMException) return null
    throw error
  })
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey()
  return { ...credential.toJSON() }
}

/** Makes a passkey by the options of the service. */
export const makePasskey = (options: unknown) =>
  answerOf(async () =>
    isCreation(options)
      ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : null,
  )

/** Asks for a passkey by the options of the service. */
const chosenBy = (options: unknown, how: CredentialRequestOptions = {}) =>
  answerOf(async () =>
    isRequest(options)
      ? navigator.credentials.get({
          ...how,
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        })
      : null,
  )

/** Has the person choose a passkey by the options of the service. */
export const choosePasskey = (options: unknown) => chosenBy(options)

/**
 * Lets the browser offer passkeys in the input for the address, until the signal: the answer of the person, or null.
 * `readOptions` requests the options of the service, which are replaced before it accepts no answer to them any more.
 */
export const offerPasskeys = async (readOptions: () => Promise<unknown>, stop: AbortSignal) => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return null
  while (!stop.aborted) {
    const options = await readOptions()
    if (!isRequest(options)) return null
    const renewal = new AbortController()
    const timer = setTimeout(() => renewal.abort(), 0.8 * options.timeout)
    try {
      const signal = AbortSignal.any([stop, renewal.signal])
      return await chosenBy(options, { mediation: 'conditional', signal })
    } catch (error) {
      if (!(error instanceof NoPasskey)) throw error
      // The browser cannot offer any here.
      if (!renewal.signal.aborted) return null
    } finally {
      clearTimeout(timer)
    }
  }
  return null
}
