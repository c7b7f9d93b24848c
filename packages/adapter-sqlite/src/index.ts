export { fillSqliteFile, type FilledDocument } from './fill-file.js'
export { sqliteDocumentStore, type SqliteDocumentStoreOptions } from './sqlite-document-store.js'
