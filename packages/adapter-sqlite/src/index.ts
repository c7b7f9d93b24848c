export { sqliteDocumentStore, type SqliteDocumentStoreOptions } from './sqlite-document-store.js'
