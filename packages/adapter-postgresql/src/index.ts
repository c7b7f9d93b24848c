export { fillPostgresqlDatabase } from './fill-database.js'
export { describePostgresqlDatabase, withoutCredentials } from './open-database.js'
export type { ForeignChanges } from '@publishing-service/sql-kit'
export { postgresqlDocumentStore, type PostgresqlDocumentStoreOptions } from './postgresql-document-store.js'
