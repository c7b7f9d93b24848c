export { withoutCredentials } from './connect.js'
export { describeMongodbDatabase, examineMongodbDatabase } from './open-database.js'
export { mongodbDocumentStore, type MongodbDocumentStoreOptions } from './mongodb-document-store.js'
