/** The servers that the repository starts for its tests. */
export {
  startPgbouncer,
  startPostgresql,
  unreliableConnection,
  type PostgresqlServer,
} from '../../../../test/servers/dist/index.js'
