/** What the database records about itself: the format of its data, and the declarations of its collections. */
import { foldingVersion } from '@publishing-service/domain/search'
import type { Collection as MongodbCollection, Db } from 'mongodb'
import type { Collection, CollectionWork, GroupCount, StoreDescription } from '@publishing-service/ports'
import { indexesOf } from './collection-layout.js'
import { storedGroupCounts } from './stored-group-count.js'
import { isDuplicate } from './mongodb-failure.js'

type Keys = Collection['keys']

/** The stored declaration, with what the previous one needs for processes that still run. */
export type Registered = {
  readonly _id: string
  /** Incremented with each change of this record. */
  readonly revision: number
  /** Incremented when documents must be written differently. */
  readonly layout: number
  /** Intervals are texts here, because they are stored like them. */
  readonly keys: Keys
  readonly formerKeys: Keys
  readonly heavy: readonly string[]
  /** Absent if a version without group counts wrote the record. */
  readonly tallies?: readonly GroupCount[]
  readonly formerTallies?: readonly GroupCount[]
  /** What the words of documents depend on; absent if a version without search wrote the record. */
  readonly words?: string
  readonly indexes: readonly string[]
  readonly formerIndexes: readonly string[]
}

/** `former` is the version of data that are still to be brought into this format. */
type Format = { readonly _id: 'format'; readonly version: number; readonly former?: number }

type StoreRecord = Registered | Format

/** Incremented when versions before it would damage or misunderstand the data: 3 has intents, 2 had appended documents in others. */
const formatVersion = 3

const records = (database: Db): MongodbCollection<StoreRecord> => database.collection('store')

/** The format that a record names. Throws if a later version of this program has written it. */
const formatIn = (found: Pick<Format, 'version'> | object): number => {
  const version = 'version' in found ? found.version : formatVersion
  if (version > formatVersion)
    throw new Error('its data were written by a later version of this program; run that one, or one after it')
  return version
}

/** Throws when the database was written by a later version of this program, and rejects earlier ones from now on. */
export const claimFormat = async (database: Db): Promise<void> => {
  const found = await records(database).findOne({ _id: 'format' })
  if (found === null) {
    try {
      await records(database).insertOne({ _id: 'format', version: formatVersion })
    } catch (error) {
      // Another process initializes the same empty database.
      if (!isDuplicate(error)) throw error
      await claimFormat(database)
    }
    return
  }
  const version = formatIn(found)
  if (version < formatVersion)
    await records(database).updateOne(
      { _id: 'format', version },
      { $set: { version: formatVersion, former: version } },
    )
}

/** Brings data of a former format into this one, unless that was done. */
export const migrateFormat = async (database: Db, migrate: () => Promise<void>): Promise<void> => {
  const former = { _id: 'format', former: { $exists: true } } as const
  if ((await records(database).findOne(former)) === null) return
  await migrate()
  await records(database).updateOne(former, { $unset: { former: '' } })
}

const without = (keys: Keys, others: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => others[key] === undefined))

const asStored = (keys: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).map(([key, type]) => [key, type === 'intervals' ? 'texts' : type]))

const namesOf = (tallies: readonly GroupCount[]): ReadonlySet<string> =>
  new Set(storedGroupCounts(tallies).map(({ name }) => name))

/** Incremented when other tokens are made of the same words. */
const wordsVersion = 2

/** The record for this declaration; the same object if it is up to date. */
const updatedRecord = (known: Registered | null, declared: Collection): Registered => {
  const own = {
    _id: `collection ${declared.name}`,
    keys: asStored(declared.keys),
    heavy: declared.heavy.toSorted(),
    tallies: storedGroupCounts(declared.groupCounts).map(({ key, within }) => ({ key, within })),
    indexes: indexesOf(declared).map(({ name }) => name),
    words:
      declared.searched === undefined
        ? ''
        : JSON.stringify([wordsVersion, foldingVersion, declared.searched]),
  }
  if (known === null)
    return { ...own, revision: 1, layout: 1, formerKeys: {}, formerTallies: [], formerIndexes: [] }
  const keys = { ...known.formerKeys, ...known.keys }
  const { tallies: knownTallies = [], formerTallies = [] } = known
  const counted = namesOf([...formerTallies, ...knownTallies])
  const isSame =
    own.words === (known.words ?? '') &&
    [...namesOf(own.tallies)].every((name) => counted.has(name)) &&
    Object.entries(own.keys).every(([key, type]) => keys[key] === type) &&
    JSON.stringify(own.heavy) === JSON.stringify(known.heavy)
  const hasIndexes = own.indexes.every(
    (name) => known.indexes.includes(name) || known.formerIndexes.includes(name),
  )
  if (isSame && hasIndexes) return known
  return {
    ...own,
    revision: known.revision + 1,
    layout: known.layout + (isSame ? 0 : 1),
    formerKeys: without(known.keys, own.keys),
    formerTallies: knownTallies,
    formerIndexes: known.indexes.filter((name) => !own.indexes.includes(name)),
  }
}

/** The record of a collection; null if it was never declared. */
export const readRegistered = async (database: Db, name: string): Promise<Registered | null> => {
  const found = await records(database).findOne({ _id: `collection ${name}` })
  return found !== null && 'revision' in found ? found : null
}

/** What opening the database does with each declared collection; null in an empty database. Reads only. Throws like `claimFormat`. */
export const readWork = async (
  database: Db,
  collections: readonly Collection[],
): Promise<ReadonlyMap<string, CollectionWork | null> | null> => {
  const format = await records(database).findOne({ _id: 'format' })
  if (format === null) return null
  formatIn(format)
  const work = collections.map(async (declared) => {
    const known = await readRegistered(database, declared.name)
    const wanted = updatedRecord(known, declared)
    const changed = known?.layout === wanted.layout ? 'index' : 'rewrite'
    return [declared.name, known === null ? 'create' : wanted === known ? null : changed] as const
  })
  return new Map(await Promise.all(work))
}

/** How the data are compared to the declarations. Reads only. Throws like `claimFormat`. */
export const schemaIn = async (
  database: Db,
  declared: readonly Collection[],
): Promise<StoreDescription['schema']> => {
  const work = await readWork(database, declared)
  if (work === null) return 'empty'
  const format = await records(database).findOne({ _id: 'format' })
  const isFormer = format !== null && (formatIn(format) < formatVersion || 'former' in format)
  return !isFormer && [...work.values()].every((each) => each === null) ? 'current' : 'outdated'
}

/** Records a declaration, or finds that it is recorded. */
export const register = async (database: Db, declared: Collection): Promise<Registered> => {
  const known = await readRegistered(database, declared.name)
  const wanted = updatedRecord(known, declared)
  if (wanted === known) return known
  if (known === null) {
    try {
      await records(database).insertOne(wanted)
      return wanted
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return register(database, declared)
    }
  }
  const { matchedCount } = await records(database).replaceOne(
    { _id: known._id, revision: known.revision },
    wanted,
  )
  return matchedCount === 1 ? wanted : register(database, declared)
}
