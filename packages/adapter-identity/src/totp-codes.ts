import type { OneTimeCodes } from '@publishing-service/ports'
import { Secret, TOTP } from 'otpauth'

const secretBytes = 20
const seconds = 30

const generator = (
  secret: string,
  labels: { readonly issuer?: string; readonly label?: string } = {},
): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: seconds, ...labels })

/** One-time codes as authenticator apps make them. Codes are compared in constant time. */
export const totpCodes: OneTimeCodes = {
  newSecret: () => new Secret({ size: secretBytes }).base32,
  address: (secret, service, person) => generator(secret, { issuer: service, label: person }).toString(),
  stepOf: (secret, code, now) => {
    if (!/^\d{6}$/.test(code)) return null
    const delta = generator(secret).validate({ token: code, timestamp: now, window: 1 })
    return delta === null ? null : Math.floor(now / 1000 / seconds) + delta
  },
}
