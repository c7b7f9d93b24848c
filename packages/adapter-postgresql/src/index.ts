export { fillPostgresqlDatabase } from './fill-database.js'
export { withoutCredentials } from './open-database.js'
export type { ForeignChanges } from './foreign-changes.js'
export { postgresqlDocumentStore, type PostgresqlDocumentStoreOptions } from './postgresql-document-store.js'
