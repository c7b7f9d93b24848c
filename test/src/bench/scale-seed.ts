/**
 * Large publications, created once: files of SQLite in the cache folder of the user, and databases of one PostgreSQL in the
 * folder of temporary files, which the user of that server can read. The names of both folders are derived from the
 * declarations and the documents: if these change, new ones are created and the old ones are deleted.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillPostgresqlDatabase } from '@publishing-service/adapter-postgresql'
import { fillSqliteFile } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { startService } from '@publishing-service/composition-root'
import { startPostgresql, type PostgresqlServer } from '../../servers/dist/index.js'
import { configurationOf } from '../harness/start-test-service.js'
import type { Options } from './options.js'
import type { Variables } from './processes.js'
import { tokensFor, type Instance } from './publication.js'
import { instance, scaleDocuments, settings } from './scale-documents.js'

export type Seed = Instance & { readonly variables: Variables }

/** Publications on one kind of store. */
export type Seeds = {
  /** The publication with so many content objects and locations, filled first if it does not exist. */
  readonly seedOf: (objects: number) => Promise<Seed>
  readonly database: PostgresqlServer | null
  readonly close: () => Promise<void>
}

const seedKey = (): string => {
  const hash = createHash('sha256').update(JSON.stringify(collections))
  for (const document of scaleDocuments(50)) hash.update(JSON.stringify(document))
  return hash.digest('hex').slice(0, 12)
}

/** The folder of this key, after those of others were deleted. */
const folderBelow = async (cache: string): Promise<string> => {
  const root = join(cache, 'publishing-service', 'bench')
  const key = seedKey()
  await mkdir(root, { recursive: true })
  for (const other of await readdir(root))
    if (other !== key) await rm(join(root, other), { recursive: true, force: true })
  return join(root, key)
}

/** The instance and its tokens, on a store that has the documents. */
const seedOn = async (variables: Variables): Promise<Seed> => {
  const service = await startService(configurationOf({ ...variables, PORT: '0', LOG_LEVEL: 'error' }))
  try {
    const { administerInstances, completeComputed } = service.useCases
    // The store has its instance from the second time on.
    await administerInstances.create({ number: instance, title: 'Seeded', ...settings })()
    // The service reads each document of an instance once, which would take processor time from the measured requests.
    await completeComputed()
    return { variables, instance, tokens: await tokensFor(service, instance) }
  } finally {
    await service.stop()
  }
}

/** Renames the folder when it is complete. */
const fillFolder = async (directory: string, objects: number): Promise<void> => {
  const building = `${directory}-incomplete`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true })
  fillSqliteFile({ file: join(building, 'documents.sqlite'), collections }, scaleDocuments(objects))
  await rename(building, directory)
}

export const sqliteSeeds = async (): Promise<Seeds> => {
  const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env
  const folder = await folderBelow(cache)
  return {
    database: null,
    seedOf: async (objects) => {
      const directory = join(folder, String(objects))
      if (!existsSync(directory)) await fillFolder(directory, objects)
      return seedOn({ DATA_DIR: directory })
    },
    close: async () => undefined,
  }
}

/** A quick run keeps nothing, so that several can run at the same time. */
export const postgresqlSeeds = async ({ quick }: Pick<Options, 'quick'>): Promise<Seeds> => {
  const dataFolder = quick ? undefined : await folderBelow(tmpdir())
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'publishing-bench-')))
  const database = await startPostgresql(dataFolder)
  return {
    database,
    seedOf: async (objects) => {
      const name = `objects-${objects}`
      if ((await database.execute(`SELECT 1 FROM pg_database WHERE datname = '${name}'`)) === '') {
        const building = 'incomplete'
        await database.execute(`DROP DATABASE IF EXISTS ${building}`)
        await database.createDatabase(building)
        await fillPostgresqlDatabase({ url: database.url(building), collections }, scaleDocuments(objects))
        await database.execute(`ALTER DATABASE ${building} RENAME TO "${name}"`)
      }
      const POSTGRESQL_URL = database.url(name)
      return seedOn({ STORE: 'postgresql', POSTGRESQL_URL, DATA_DIR: join(folder, name) })
    },
    close: async () => {
      await database.dispose()
      if (quick) await rm(folder, { recursive: true, force: true })
    },
  }
}
