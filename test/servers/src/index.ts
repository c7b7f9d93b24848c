export * from './mongodb-server.js'
export * from './minio-server.js'
export * from './start-servers.js'
export * from './unreliable-connection.js'
