export { copySqliteFile, readSqliteFile } from './file-copies.js'
export { describeSqliteFile, examineSqliteFile } from './unopened-file.js'
export { fillSqliteFile } from './fill-file.js'
export { sqliteDocumentStore, type SqliteDocumentStoreOptions } from './sqlite-document-store.js'
