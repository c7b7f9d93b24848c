/** A PgBouncer before a PostgreSQL server, configured as it comes but for its mode. */
import { writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { type PostgresqlServer, unprivileged } from './postgresql-server.js'
import { listens, type ServerProcess, startServerProcess } from './server-process.js'

/** Debian: apt-get install pgbouncer */
const program = '/usr/sbin/pgbouncer'

/** Starts a pooler of the connections to a server. */
export const startPgbouncer = async (
  server: PostgresqlServer,
  poolMode: 'session' | 'transaction',
): Promise<ServerProcess> => {
  const identity = await unprivileged()
  return startServerProcess({
    name: 'pgbouncer',
    binary: program,
    identity,
    prepare: async (folder) => {
      if (identity !== null) await chown(folder, identity.uid, identity.gid)
    },
    args: (address, folder) => {
      const file = join(folder, 'pgbouncer.ini')
      const [own, theirs] = [address, server.address].map((each) => new URL(`tcp://${each}`))
      const configuration = `[databases]
* = host=${theirs?.hostname} port=${theirs?.port} user=postgres
[pgbouncer]
listen_addr=${own?.hostname}
listen_port=${own?.port}
unix_socket_dir=
auth_type=any
pool_mode=${poolMode}
`
      writeFileSync(file, configuration)
      return [file]
    },
    isReady: listens,
  })
}
