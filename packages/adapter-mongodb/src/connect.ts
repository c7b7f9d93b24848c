/**
 * The client of the driver, configured so that acknowledged writes are durable, reads see every acknowledged write, and
 * nothing waits forever. The connection string can change pools and times, but not read and write concerns.
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

/** The names of the options in the connection string, in lower case. */
const optionsIn = (url: string): ReadonlySet<string> => {
  const [, options = ''] = url.split('?', 2)
  return new Set([...new URLSearchParams(options).keys()].map((name) => name.toLowerCase()))
}

const databaseIn = (url: string): string | null => {
  const [, path] = /^[a-z+]+:\/\/[^/?]*\/([^?]*)/i.exec(url) ?? []
  return path === undefined || path === '' ? null : decodeURIComponent(path)
}

/**
 * The connection string without user, password and options, for messages. Everything up to the last @ is omitted: a
 * password that is not percent-encoded can contain any character.
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
 * A client that is not connected yet. Throws MongoParseError if the string is no connection string. `deadline` is in
 * milliseconds; null means no limit.
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
