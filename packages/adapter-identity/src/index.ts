export * from './openid-provider.js'
export * from './password-strength.js'
export * from './totp-codes.js'
export * from './webauthn-passkeys.js'
