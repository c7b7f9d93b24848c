export * from './memory-document-store.js'
export * from './controlled-clock.js'
export * from './memory-blob-store.js'
export * from './recording-log.js'
