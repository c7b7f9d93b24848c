export { withoutCredentials } from './open-database.js'
export { postgresqlDocumentStore, type PostgresqlDocumentStoreOptions } from './postgresql-document-store.js'
