export * from './http-webhook-sender.js'
export * from './pino-log.js'
export * from './scrypt-secrets.js'
export * from './this-machine.js'
