/** A PostgreSQL server for tests and benchmarks, from the packages of the system. */
import { execFile } from 'node:child_process'
import { access, chown, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServerProcess, type ServerProcess } from './server-process.js'

export type PostgresqlServer = ServerProcess & {
  /** The connection string of a database, at the address of the server or of a proxy for it. */
  readonly url: (database: string, address?: string) => string
  /** Executes statements as its superuser, and resolves with the rows as text. */
  readonly execute: (statement: string) => Promise<string>
  readonly createDatabase: (name: string) => Promise<unknown>
  /** Starts it as a standby on its data after it was stopped or killed, until `promote`. */
  readonly startAsStandby: () => Promise<void>
  /** Makes a standby the primary. */
  readonly promote: () => Promise<void>
}

const run = promisify(execFile)

/** Where Debian has the programs of each version. */
const debianFolder = '/usr/lib/postgresql'

/** The folder of the programs: of Debian's latest version, or one of PATH. */
const programsFolder = async (): Promise<string> => {
  const versions = await readdir(debianFolder).catch((): string[] => [])
  const latest = versions
    .map(Number)
    .filter(Number.isFinite)
    .toSorted((a, b) => b - a)
  const folders = [
    ...latest.map((version) => join(debianFolder, `${version}`, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ]
  for (const folder of folders) if (await isThere(join(folder, 'initdb'))) return folder
  throw new Error('There is no PostgreSQL. Install it (Debian: apt-get install postgresql)')
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

type Identity = { readonly uid: number; readonly gid: number }

/** The server does not run as root: the user of Debian's package then. */
export const unprivileged = async (): Promise<Identity | null> => {
  if (process.getuid?.() !== 0) return null
  const id = async (option: string): Promise<number> => Number((await run('id', [option, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Starts PostgreSQL without data, or on that of a folder, which remains. Its user `postgres` needs no password. */
export const startPostgresql = async (dataFolder?: string): Promise<PostgresqlServer> => {
  const programs = await programsFolder()
  const identity = await unprivileged()
  let data = ''
  const server = await startServerProcess({
    name: 'postgresql',
    binary: join(programs, 'postgres'),
    identity,
    dataFolder,
    prepare: async (folder) => {
      if (identity !== null) await chown(folder, identity.uid, identity.gid)
      await run(
        join(programs, 'initdb'),
        [
          '-D',
          join(folder, 'data'),
          '-U',
          'postgres',
          '-A',
          'trust',
          '-E',
          'UTF8',
          '--locale=C',
          '--no-sync',
        ],
        { cwd: folder, ...identity },
      )
    },
    args: (address, folder) => {
      const { hostname, port } = new URL(`tcp://${address}`)
      data = join(folder, 'data')
      return [
        '-D',
        join(folder, 'data'),
        '-h',
        hostname,
        '-p',
        port,
        '-k',
        folder,
        '-c',
        'max_connections=200',
        // Data that remains is read more than it is written: it is filled without a log.
        ...(dataFolder === undefined ? [] : ['-c', 'wal_level=minimal', '-c', 'max_wal_senders=0']),
      ]
    },
    // SIGTERM waits for the end of all connections.
    stopSignal: 'SIGINT',
    isReady: async (address) => {
      const { hostname, port } = new URL(`tcp://${address}`)
      return run(join(programs, 'pg_isready'), ['-q', '-h', hostname, '-p', port]).then(
        () => true,
        () => false,
      )
    },
  })
  const url: PostgresqlServer['url'] = (database, address = server.address) =>
    `postgresql://postgres@${address}/${database}`
  const execute: PostgresqlServer['execute'] = async (statement) => {
    const { stdout } = await run(join(programs, 'psql'), ['-At', '-c', statement, url('postgres')])
    return stdout.trim()
  }
  return {
    ...server,
    startAsStandby: async () => {
      const signal = join(data, 'standby.signal')
      await writeFile(signal, '')
      if (identity !== null) await chown(signal, identity.uid, identity.gid)
      await server.start()
    },
    promote: async () => {
      await run(join(programs, 'pg_ctl'), ['promote', '-D', data], { cwd: data, ...identity })
    },
    execute,
    createDatabase: (name) => execute(`CREATE DATABASE "${name}"`),
    url,
  }
}
