export * from './memory-document-store.js'
