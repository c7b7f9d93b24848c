/** The servers that the repository starts for its tests. */
export {
  isFerretdb,
  startMongodb,
  unreliableConnection,
  type MongodbServer,
  type UnreliableConnection,
} from '../../../../test/servers/dist/index.js'
