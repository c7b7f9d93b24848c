export * from './pino-log.js'
export * from './scrypt-secrets.js'
export * from './system-clock.js'
export * from './system-ids.js'
