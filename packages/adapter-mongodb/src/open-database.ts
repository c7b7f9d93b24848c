/**
 * Opens the database: connects, authenticates, checks the format and migrates the collections. Errors are one sentence
 * for operators, without user or password.
 */
import { type Db, MongoServerError, MongoServerSelectionError } from 'mongodb'
import {
  type Collection,
  type ExaminedCollection,
  type ExaminedStore,
  readDocument,
  type StoreDescription,
} from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { type Connection, createClient, withoutCredentials } from './connect.js'
import { migrateCollection } from './migrate-collection.js'
import { migrateAppended } from './migrate-appended.js'
import { type StoredCollection, storedIn, storedInAny, undeclared } from './stored-collection.js'
import { idOf } from './stored-document.js'
import { claimFormat, migrateFormat, readWork, schemaIn } from './store-records.js'

type OpenedDatabase = {
  readonly connection: Connection
  readonly layouts: ReadonlyMap<string, CollectionLayout>
  /** Whether the server returns documents in the order of the index of a hint. FerretDB ignores hints. */
  readonly hintsOrder: boolean
}

const authenticationFailed: ReadonlySet<unknown> = new Set([18, 8000])
const unauthorized = 13

const reasonOf = (error: unknown): string => {
  if (error instanceof MongoServerSelectionError) {
    const causes = [...(error.reason?.servers.values() ?? [])].flatMap(
      ({ error: cause }) => cause?.message ?? [],
    )
    return `no server that accepts writes was found (${[...new Set([error.message, ...causes])].join('; ')})`
  }
  if (error instanceof MongoServerError && authenticationFailed.has(error.code))
    return `the server rejects the user or the password (${error.message})`
  if (error instanceof MongoServerError && error.code === unauthorized)
    return `the user may not do what the store has to: it needs the role readWrite (${error.message})`
  return error instanceof Error ? error.message : String(error)
}

/** Percent-decoded, as it is sent to the server. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Some messages of the driver contain the connection string or parts of it. */
const withoutSecrets = (text: string, url: string): string => {
  const [, credentials = ''] = /\/\/(.*)@/s.exec(url) ?? []
  const password = credentials.split(':').slice(1).join(':')
  const secrets = [credentials, password, decoded(password)].filter((secret) => secret !== '')
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text)
}

/** The original error can contain secrets, so it is not attached. */
const openingFailure = (error: unknown, url: string): Error =>
  new Error(
    `The document store can't be opened on ${withoutCredentials(url)}: ${withoutSecrets(reasonOf(error), url)}`,
  )

/** Milliseconds for the first response of a server, the name resolution included. */
const patience = 7000

const answered = async <A>(asking: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}

const migrateSchema = async (
  { client, databaseName }: Connection,
  collections: readonly Collection[],
): Promise<ReadonlyMap<string, CollectionLayout>> => {
  const database = client.db(databaseName)
  // Concurrently, so that the latency of the network counts for one collection.
  const migrated = collections.map(
    async (declared) => [declared.name, await migrateCollection(database, declared)] as const,
  )
  const layouts = new Map(await Promise.all(migrated))
  const declared = new Map([...layouts].map(([name, layout]) => [name, storedIn(database, layout)]))
  await migrateFormat(database, () =>
    migrateAppended(database, [...layouts.keys()], storedInAny(database, declared)),
  )
  return layouts
}

type Server = {
  /** The version of MongoDB, or that of MongoDB that FerretDB resembles. */
  readonly version: string
  /** The version of FerretDB, which states it in addition, unless it is a part of another program; null for MongoDB. */
  readonly ferretdb: string | null
}

const serverOf = async ({ client, databaseName }: Connection): Promise<Server> => {
  const information = await client.db(databaseName).command({ buildInfo: 1 })
  const own = Object.entries(information).find(([name]) => name.toLowerCase().startsWith('ferretdb'))
  const details: unknown = own?.[1]
  const ferretdb =
    typeof details === 'object' && details !== null && 'version' in details ? details.version : details
  return {
    version: String(information['version']),
    ferretdb: own === undefined ? null : String(ferretdb).replace(/^v/, ''),
  }
}

/** Rejects with an Error that names the database and the reason. `deadline` is in milliseconds. */
export const openDatabase = async (
  url: string,
  collections: readonly Collection[],
  deadline: number,
): Promise<OpenedDatabase> => {
  const opened: Connection[] = []
  const open = (bound: number | null): Connection => {
    const connection = createClient(url, bound)
    opened.push(connection)
    return connection
  }
  try {
    const connection = open(deadline)
    await answered(claimFormat(connection.client.db(connection.databaseName)))
    // Indexing or rewriting a million documents can exceed the deadline of a use.
    const patient = open(null)
    const layouts = await migrateSchema(patient, collections)
    await patient.client.close()
    return { connection, layouts, hintsOrder: (await serverOf(connection)).ferretdb === null }
  } catch (error) {
    // Not awaited: server selection can take long.
    void Promise.allSettled(opened.map(({ client }) => client.close()))
    throw openingFailure(error, url)
  }
}

/** Releases that the tests run on. */
const isTested = ({ version, ferretdb }: Server): boolean =>
  ferretdb === null ? /^[678]\./.test(version) : ferretdb.startsWith('1.24.')

/** What `use` returns of a database that is not changed. Rejects as `openDatabase` does. */
const reading = async <A>(
  url: string,
  deadline: number | null,
  use: (database: Db, connection: Connection) => Promise<A>,
): Promise<A> => {
  const opened: Connection[] = []
  try {
    const connection = createClient(url, deadline)
    opened.push(connection)
    return await use(connection.client.db(connection.databaseName), connection)
  } catch (error) {
    throw openingFailure(error, url)
  } finally {
    // Not awaited: server selection can take long.
    void Promise.allSettled(opened.map(({ client }) => client.close()))
  }
}

/** Describes a database without changing or migrating it. Rejects as `openDatabase` does. */
export const describeMongodbDatabase = (
  url: string,
  collections: readonly Collection[],
): Promise<StoreDescription> =>
  reading(url, patience, async (database, connection) => {
    const { localTime } = await answered(database.command({ hello: 1 }))
    const server = await serverOf(connection)
    return {
      server: server.ferretdb === null ? `MongoDB ${server.version}` : `FerretDB ${server.ferretdb}`,
      isTested: isTested(server),
      time: localTime instanceof Date ? localTime.getTime() : null,
      schema: await schemaIn(database, collections),
    }
  })

const documentsByInstance = async (
  documents: StoredCollection['documents'],
): Promise<ReadonlyMap<number, number>> => {
  const groups = documents.aggregate<{ readonly _id: unknown; readonly count: number }>([
    { $group: { _id: '$instance', count: { $sum: 1 } } },
  ])
  const counts = new Map<number, number>()
  for await (const { _id, count } of groups) if (typeof _id === 'number') counts.set(_id, count)
  return counts
}

/** Examines a database for the declared collections, also while services use it. Rejects as `openDatabase` does. */
export const examineMongodbDatabase = (
  { url, collections }: { readonly url: string; readonly collections: readonly Collection[] },
  read: string,
): Promise<ExaminedStore> =>
  reading(url, null, async (database) => {
    const work = await answered(readWork(database, collections))
    const documentsOf = (name: string) => storedIn(database, undeclared(name)).documents
    const examined: ExaminedCollection[] = []
    for (const { name } of collections)
      examined.push({
        name,
        work: work?.get(name) ?? (work === null ? 'create' : null),
        documents: await documentsByInstance(documentsOf(name)),
      })
    const found = await documentsOf(read)
      .find({}, { sort: { sequence: 1 } })
      .map(({ _id, version, sequence: position, light, heavy = null }) => ({
        id: idOf(_id),
        version,
        position,
        value: readDocument(light, heavy),
      }))
      .toArray()
    const { dataSize } = await database.stats()
    return { collections: examined, bytes: dataSize, copied: 0, read: found }
  })
