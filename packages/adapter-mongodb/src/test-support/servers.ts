/** The servers that the repository starts for its tests. */
export {
  isFerretdb,
  startMongodb,
  unreliableConnection,
  type MongodbServer,
} from '../../../../test/servers/dist/index.js'
