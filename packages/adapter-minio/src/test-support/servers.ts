/** The servers that the repository starts for its tests. */
export {
  createMinioUser,
  startMinio,
  unreliableConnection,
  type MinioServer,
  type UnreliableConnection,
} from '../../../../test/servers/dist/index.js'
