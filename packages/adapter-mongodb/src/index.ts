export { withoutCredentials } from './connect.js'
export { mongodbDocumentStore, type MongodbDocumentStoreOptions } from './mongodb-document-store.js'
