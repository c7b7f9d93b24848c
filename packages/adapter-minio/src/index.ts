export { minioBlobStore, type MinioBlobStoreOptions } from './minio-blob-store.js'
