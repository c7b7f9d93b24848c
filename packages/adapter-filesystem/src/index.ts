export * from './filesystem-blob-store.js'
