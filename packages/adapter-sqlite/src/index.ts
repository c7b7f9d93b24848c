export { describeSqliteFile } from './describe-file.js'
export { copySqliteFile, readSqliteFile } from './file-copies.js'
export { fillSqliteFile } from './fill-file.js'
export { sqliteDocumentStore, type SqliteDocumentStoreOptions } from './sqlite-document-store.js'
