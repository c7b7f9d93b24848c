/** Servers for the tests. */
export {
  createMinioUser,
  startMinio,
  unreliableConnection,
  type MinioServer,
  type UnreliableConnection,
} from '../../../../test/servers/dist/index.js'
