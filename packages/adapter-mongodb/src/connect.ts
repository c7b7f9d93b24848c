/**
 * The driver's client, set so that an answered write is durable, a read sees every answered write, and nothing
 * waits for ever. What the connection string says of pools and times stands; what it says against the first two
 * does not.
 */
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { type Heartbeats, heartbeatsOf } from './heartbeats.js'

export type Connection = {
  readonly client: MongoClient
  readonly heartbeats: Heartbeats
  /** The database that the connection string names, or `publishing_service`. */
  readonly databaseName: string
}

const defaultDatabase = 'publishing_service'

/** The names of the connection string's options, in lower case as the driver reads them. */
const optionsIn = (url: string): ReadonlySet<string> => {
  const [, options = ''] = url.split('?', 2)
  return new Set([...new URLSearchParams(options).keys()].map((name) => name.toLowerCase()))
}

const databaseIn = (url: string): string | null => {
  const [, path] = /^[a-z+]+:\/\/[^/?]*\/([^?]*)/i.exec(url) ?? []
  return path === undefined || path === '' ? null : decodeURIComponent(path)
}

/**
 * The connection string without user, password and options, for people to read. All up to the last @ is left out: a
 * password that should have been percent-encoded can hold any sign.
 */
export const withoutCredentials = (url: string): string => url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '')

const bounded = (deadline: number): MongoClientOptions => ({
  serverSelectionTimeoutMS: Math.min(5000, deadline),
  connectTimeoutMS: Math.min(5000, deadline),
  socketTimeoutMS: deadline,
  waitQueueTimeoutMS: deadline,
  maxPoolSize: 50,
  maxConnecting: 8,
})

/**
 * A client that is not connected yet. Throws the driver's MongoParseError where the string is no connection string.
 * `deadline` is in milliseconds, and null for uses that may take as long as they need.
 */
export const createClient = (url: string, deadline: number | null): Connection => {
  const given = optionsIn(url)
  const times = deadline === null ? { serverSelectionTimeoutMS: 5000 } : bounded(deadline)
  const own = Object.fromEntries(Object.entries(times).filter(([name]) => !given.has(name.toLowerCase())))
  const client = new MongoClient(url, {
    ...own,
    ...(given.has('appname') ? {} : { appName: 'publishing-service' }),
    writeConcern: { w: 'majority', journal: true },
    readConcernLevel: 'majority',
    readPreference: 'primary',
  })
  return { client, heartbeats: heartbeatsOf(client), databaseName: databaseIn(url) ?? defaultDatabase }
}
