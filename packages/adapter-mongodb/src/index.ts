export { mongodbDocumentStore, type MongodbDocumentStoreOptions } from './mongodb-document-store.js'
